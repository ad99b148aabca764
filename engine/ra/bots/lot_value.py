"""The lot on the auction track: what it is worth to each player, what the sun that pays
for it is worth, and which sun to bid.

Reads only the parts of a `Position` that everybody at the table may know: not the bag,
and not the points and face-down suns of other seats.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from engine.ra.bots.expectations import Outlook, outlook
from engine.ra.bots.position import Position
from engine.ra.bots.tile_value import lot_gain
from engine.ra.words.pieces import EPOCHS

_PHARAOH = 3
_LOTS = 1.4
"""Auctions for each Ra tile still to come, drawn and invoked together."""
_NO_VALUE = -1000.0
"""Less than anything can be worth."""


@frozen
class PolicyWeights:
    """The numbers that the policy depends on, tuned by playing many games."""

    lot: float = 7.8
    """Points that a sun buys when time is plenty."""
    over: float = 1.2
    """Ra tiles at the end of an epoch that bring no lot."""
    crowd: float = 0.4
    """How much each further sun of a player lowers the value of every one."""
    weak: float = 0.75
    """The value of the lowest sun, as a share of an average one."""
    strong: float = 0.6
    """The value of the highest sun beyond the lowest, as such a share."""
    pip: float = 0.6
    """Points that a pip on a sun brings in the epochs to come."""
    last_pip: float = 0.5
    """Points that it brings in the last epoch, when suns are summed up."""
    deny: float = 0.6
    """What a point that the keenest opponent would gain counts for."""
    doubt: float = 1.8
    """Points by which others may value the lot differently."""
    invoke: float = 5.0
    """Points that the lot must bring beyond its price to be auctioned off at once."""
    bait: float = 0.0
    """Points that it must bring a player who means to leave it to others."""
    spend: float = -0.25
    """Points that a tile must bring beyond the god spent on it."""


WEIGHTS = PolicyWeights()


class LotValuation:
    """What the lot is worth to each seat, computed when asked for."""

    __slots__ = ("_active", "_gains", "_position", "_weights")

    def __init__(self, position: Position, weights: PolicyWeights) -> None:
        self._position = position
        self._weights = weights
        self._gains: list[float | None] = [None] * position.seats
        self._active = players_in(position)

    def gain(self, seat: int) -> float:
        """Points that the lot would bring to `seat`."""
        found = self._gains[seat]
        if found is None:
            position = self._position
            found = 0.0
            if position.track:
                view = outlook_of(position, seat, 1, self._active)
                found = lot_gain(
                    position.hands[seat],
                    tuple(position.track),
                    view,
                    *pharaoh_rivals(position, seat),
                )
            self._gains[seat] = found
        return found

    def price(self, seat: int, sun: int) -> float:
        """What `seat` gives away with `sun`: what it might buy later in this epoch."""
        position, weights = self._position, self._weights
        time = (position.spaces - position.ra - weights.over) / self._active
        if time <= 0:
            time = 0.1
        lower = others = 0
        for other, theirs in enumerate(position.up):
            if other != seat:
                for value in theirs:
                    others += 1
                    if value < sun:
                        lower += 1
        use = time / (time + weights.crowd * len(position.up[seat]))
        return weights.lot * use * (weights.weak + weights.strong * (lower + 0.5) / (others + 1))

    def surplus(self, seat: int, sun: int) -> float:
        """What winning the lot with `sun` brings `seat` beyond the sun's price."""
        position, weights = self._position, self._weights
        pip = weights.pip if position.epoch < EPOCHS else weights.last_pip
        return self.gain(seat) + pip * (position.sun - sun) - self.price(seat, sun)

    def answer(
        self, seat: int, highest: int, leader: int | None, later: list[int], must: bool
    ) -> int:
        """The sun that `seat` should bid beyond `highest` of `leader`, with `later` still
        to be asked; 0 to pass, unless it `must` bid (only the last one asked ever must)."""
        deny = self._weights.deny / (self._position.seats - 1)
        best, best_value = 0, _NO_VALUE
        if not must:
            lost = self.surplus(leader, highest) if leader is not None else 0.0
            if later:
                beaten, keenest = self._outbid(highest, later)
                lost = beaten * keenest + (1 - beaten) * lost
            best_value = -deny * lost if lost > 0 else 0.0
        for sun in self._position.up[seat]:
            if sun < highest:
                continue
            beaten, keenest = self._outbid(sun, later)
            value = (1 - beaten) * self.surplus(seat, sun) - beaten * deny * keenest
            if value > best_value:
                best, best_value = sun, value
            if not beaten:
                # a higher sun could only cost more
                break
        return best

    def _outbid(self, sun: int, seats: list[int]) -> tuple[float, float]:
        """The probability that one of `seats` outbids `sun`, and what the keenest would win."""
        safe, most = 1.0, 0.0
        for seat in seats:
            for value in self._position.up[seat]:
                if value > sun:
                    theirs = self.surplus(seat, value)
                    safe *= 1 - self._likely(theirs)
                    if theirs > most:
                        most = theirs
                    break
        return 1 - safe, most

    def _likely(self, surplus: float) -> float:
        """The probability that a player who would win `surplus` points bids."""
        chance = 0.5 + surplus / (2 * self._weights.doubt)
        return 0.0 if chance < 0 else 1.0 if chance > 1 else chance


def players_in(position: Position) -> int:
    """How many players still have face-up suns; at least 1."""
    count = 0
    for suns in position.up:
        if suns:
            count += 1
    return count or 1


def pharaoh_rivals(position: Position, seat: int) -> tuple[int, int]:
    """The most and the fewest pharaohs that another player holds."""
    most, fewest = 0, 99
    for other, hand in enumerate(position.hands):
        if other != seat:
            count = hand[_PHARAOH]
            if count > most:
                most = count
            if count < fewest:
                fewest = count
    return most, fewest


def outlook_of(position: Position, seat: int, spent: int, players: int) -> Outlook:
    """The outlook of `seat` after it has `spent` that many of its suns, in an epoch in which
    `players` players still compete."""
    left = position.spaces - position.ra
    lots = _lots(max(len(position.up[seat]) - spent, 0), left, players)
    bare = position.ruleset.points_without_civilization
    return outlook(position.seats, EPOCHS - position.epoch, lots, left, bare)


@cache
def _lots(suns: int, left: int, players: int) -> int:
    """How many lots a player with `suns` suns may still win in this epoch."""
    return min(suns, max(int(left * _LOTS / players + 0.5), 1))

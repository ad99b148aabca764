"""The lot under the hammer: what it is worth to each player, what a sun is worth that
pays for it, and which sun to bid.

Reads what everybody at the table may know of a `Position`: neither the bag nor, of other
seats, points and face-down suns.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from engine.ra.bots.chances import Outlook, outlook
from engine.ra.bots.position import Position
from engine.ra.bots.worth import gain
from engine.ra.words.pieces import EPOCHS

_PHARAOH = 3
_LOTS = 1.4
"""Lots for each Ra tile still to come, drawn and invoked."""
_NO_VALUE = -1000.0
"""Less than anything can be worth."""


@frozen
class Taste:
    """The numbers that play depends on, found by playing many games."""

    lot: float = 7.8
    """Points that a sun buys when time is plenty."""
    over: float = 1.2
    """Ra tiles at the end of an epoch that bring no lot."""
    crowd: float = 0.4
    """How much one's own further suns take from the use of each."""
    weak: float = 0.75
    """What the lowest sun is worth of an average one."""
    strong: float = 0.6
    """What the highest sun is worth beyond the lowest."""
    pip: float = 0.6
    """Points that a pip on a sun brings in the epochs to come."""
    last_pip: float = 0.5
    """Points that it brings in the last epoch, when suns are summed up."""
    deny: float = 0.6
    """What a point of the keenest opponent's counts for."""
    doubt: float = 1.8
    """Points by which others may think otherwise."""
    invoke: float = 5.0
    """Points that the lot must bring beyond its price to be auctioned off at once."""
    bait: float = 0.0
    """Points that it must bring one who means to leave it to others."""
    spend: float = -0.25
    """Points that a tile must bring beyond the god spent on it."""


TASTE = Taste()


class Lots:
    """What the lot is worth to each seat; reckoned when asked for."""

    __slots__ = ("_active", "_at", "_gains", "_taste")

    def __init__(self, at: Position, taste: Taste) -> None:
        self._at = at
        self._taste = taste
        self._gains: list[float | None] = [None] * at.seats
        self._active = active(at)

    def gain(self, seat: int) -> float:
        """Points that the lot would bring to `seat`."""
        found = self._gains[seat]
        if found is None:
            at = self._at
            found = 0.0
            if at.track:
                view = view_of(at, seat, 1, self._active)
                found = gain(at.hands[seat], tuple(at.track), view, *rivals(at, seat))
            self._gains[seat] = found
        return found

    def price(self, seat: int, sun: int) -> float:
        """What `seat` gives away with `sun`: what it might buy later in this epoch."""
        at, taste = self._at, self._taste
        time = (at.spaces - at.ra - taste.over) / self._active
        if time <= 0:
            time = 0.1
        lower = others = 0
        for other, theirs in enumerate(at.up):
            if other != seat:
                for value in theirs:
                    others += 1
                    if value < sun:
                        lower += 1
        use = time / (time + taste.crowd * len(at.up[seat]))
        return taste.lot * use * (taste.weak + taste.strong * (lower + 0.5) / (others + 1))

    def surplus(self, seat: int, sun: int) -> float:
        """What winning the lot with `sun` brings `seat` beyond the sun's price."""
        at, taste = self._at, self._taste
        pip = taste.pip if at.epoch < EPOCHS else taste.last_pip
        return self.gain(seat) + pip * (at.sun - sun) - self.price(seat, sun)

    def answer(
        self, seat: int, highest: int, leader: int | None, later: list[int], must: bool
    ) -> int:
        """The sun that `seat` should bid beyond `highest` of `leader`, with `later` still
        to be asked; 0 to pass, unless it `must` bid, which only the last one must."""
        deny = self._taste.deny / (self._at.seats - 1)
        best, best_value = 0, _NO_VALUE
        if not must:
            lost = self.surplus(leader, highest) if leader is not None else 0.0
            if later:
                beaten, keenest = self._outbid(highest, later)
                lost = beaten * keenest + (1 - beaten) * lost
            best_value = -deny * lost if lost > 0 else 0.0
        for sun in self._at.up[seat]:
            if sun < highest:
                continue
            beaten, keenest = self._outbid(sun, later)
            value = (1 - beaten) * self.surplus(seat, sun) - beaten * deny * keenest
            if value > best_value:
                best, best_value = sun, value
            if not beaten:
                # a higher one could only cost more
                break
        return best

    def _outbid(self, sun: int, seats: list[int]) -> tuple[float, float]:
        """How likely one of `seats` outbids `sun`, and what the keenest would win."""
        safe, most = 1.0, 0.0
        for seat in seats:
            for value in self._at.up[seat]:
                if value > sun:
                    theirs = self.surplus(seat, value)
                    safe *= 1 - self._likely(theirs)
                    if theirs > most:
                        most = theirs
                    break
        return 1 - safe, most

    def _likely(self, surplus: float) -> float:
        """How likely somebody bids who would win so much."""
        chance = 0.5 + surplus / (2 * self._taste.doubt)
        return 0.0 if chance < 0 else 1.0 if chance > 1 else chance


def active(at: Position) -> int:
    """How many players are not out; at least 1."""
    count = 0
    for suns in at.up:
        if suns:
            count += 1
    return count or 1


def rivals(at: Position, seat: int) -> tuple[int, int]:
    """The most and the fewest pharaohs that another player holds."""
    most, fewest = 0, 99
    for other, hand in enumerate(at.hands):
        if other != seat:
            count = hand[_PHARAOH]
            if count > most:
                most = count
            if count < fewest:
                fewest = count
    return most, fewest


def view_of(at: Position, seat: int, spent: int, players: int) -> Outlook:
    """The outlook of `seat` once it has `spent` so many of its suns, in an epoch that so
    many `players` still compete in."""
    left = at.spaces - at.ra
    lots = _lots(max(len(at.up[seat]) - spent, 0), left, players)
    bare = at.ruleset.points_without_civilization
    return outlook(at.seats, EPOCHS - at.epoch, lots, left, bare)


@cache
def _lots(suns: int, left: int, players: int) -> int:
    """How many lots a player with so many suns may still win in this epoch."""
    return min(suns, max(int(left * _LOTS / players + 0.5), 1))

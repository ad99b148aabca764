"""How `normal` plays: from what the lot is worth to everybody and what a sun is worth.

The same few functions play all seats in the thoughts of `hard`, so they are quick and
look no move ahead. They read what everybody at the table may know of a `Position`:
neither the bag nor, of other seats, points and face-down suns.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from engine.ra.bots.chances import Outlook, outlook
from engine.ra.bots.position import Position
from engine.ra.bots.worth import gain, give_up, with_tiles, worth
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import CIVILIZATIONS, EPOCHS, MONUMENTS, TRACK_SPACES, Kind

_GOD, _PHARAOH = 1, 3

ASKED_FOR = {Kind.UNREST: CIVILIZATIONS, Kind.EARTHQUAKE: MONUMENTS}
"""What a disaster with a choice costs."""


@frozen
class Taste:
    """The numbers that play depends on, found by playing many games."""

    lot: float = 7.8
    """Points that a sun buys when time is plenty."""
    over: float = 1.2
    """Ra tiles at the end of an epoch that bring no lot."""
    crowd: float = 0.4
    """How much one's own further suns take from the use of each."""
    rivals: float = 0.0
    """How much the others' suns take from it."""
    weak: float = 0.75
    """What the lowest sun is worth of an average one."""
    strong: float = 0.6
    """What the highest sun is worth beyond the lowest."""
    pip: float = 0.5
    """Points that a pip on a sun brings in each epoch to come (by half in the last)."""
    deny: float = 0.3
    """What a point of the best-placed opponent's counts for."""
    doubt: float = 2.0
    """Points by which others may think otherwise."""
    invoke: float = 4.0
    """Points that a lot must bring to be auctioned off at once, less what follows."""
    space: float = 0.3
    """For each tile of the auction track."""
    time: float = -0.5
    """For each Ra tile still to come."""
    own: float = 0.8
    """For each of one's suns."""
    theirs: float = 0.55
    """For each sun of the others."""
    envy: float = 0.4
    """For each point that the keenest of the others would win."""
    spend: float = 0.7
    """Points that a tile must bring beyond the god spent on it."""


TASTE = Taste()


@cache
def _lots(suns: int, left: int, active: int) -> int:
    """How many lots a player with so many suns may still win in this epoch."""
    return min(suns, max(int(left * 1.4 / active + 0.5), 1 if left else 0))


def _view(at: Position, seat: int, spent: int, active: int) -> Outlook:
    """The outlook of `seat` once it has `spent` so many of its suns."""
    left = at.spaces - at.ra
    lots = _lots(max(len(at.up[seat]) - spent, 0), left, active)
    bare = at.ruleset.points_without_civilization
    return outlook(at.seats, EPOCHS - at.epoch, lots, left, bare)


def _rivals(at: Position, seat: int) -> tuple[int, int]:
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


def gain_of(at: Position, seat: int, active: int) -> float:
    """What the lot on the auction track would bring to `seat`."""
    if not at.track:
        return 0.0
    most, fewest = _rivals(at, seat)
    view = _view(at, seat, 1, active)
    return gain(at.hands[seat], tuple(at.track), view, most, fewest)


def _active(at: Position) -> int:
    active = 0
    for suns in at.up:
        if suns:
            active += 1
    return active


def price(at: Position, seat: int, sun: int, active: int, taste: Taste) -> float:
    """What `seat` gives away with `sun`: what it might buy later in this epoch."""
    suns = at.up[seat]
    time = (at.spaces - at.ra - taste.over) / active
    if time <= 0:
        time = 0.1
    lower = others = 0
    for other, theirs in enumerate(at.up):
        if other != seat:
            for value in theirs:
                others += 1
                if value < sun:
                    lower += 1
    rank = (lower + 0.5) / (others + 1)
    use = time / (time + taste.crowd * len(suns) + taste.rivals * others / active)
    return taste.lot * use * (taste.weak + taste.strong * rank)


def _pip(at: Position, taste: Taste) -> float:
    later = EPOCHS - at.epoch
    return taste.pip * (8.0 / at.spaces) * (1.0 if later else 0.5)


def surplus(at: Position, seat: int, sun: int, worth_: float, active: int, taste: Taste) -> float:
    """What winning the lot, worth `worth_`, with `sun` brings `seat` beyond its price."""
    return worth_ + _pip(at, taste) * (at.sun - sun) - price(at, seat, sun, active, taste)


def _likely(surplus_: float, taste: Taste) -> float:
    """How likely somebody bids who would win so much."""
    chance = 0.5 + surplus_ / (2 * taste.doubt)
    return 0.0 if chance < 0 else 1.0 if chance > 1 else chance


class Lots:
    """What the lot under the hammer is worth to each seat; reckoned when asked for."""

    __slots__ = ("_at", "_gains", "_taste", "active")

    def __init__(self, at: Position, taste: Taste) -> None:
        self._at = at
        self._taste = taste
        self._gains: list[float | None] = [None] * at.seats
        self.active = _active(at)

    def gain(self, seat: int) -> float:
        found = self._gains[seat]
        if found is None:
            found = self._gains[seat] = gain_of(self._at, seat, self.active)
        return found

    def surplus(self, seat: int, sun: int) -> float:
        return surplus(self._at, seat, sun, self.gain(seat), self.active, self._taste)

    def outbid(self, sun: int, seats: list[int]) -> tuple[float, float]:
        """How likely one of `seats` outbids `sun`, and what the keenest would win."""
        safe, most = 1.0, 0.0
        for seat in seats:
            higher = 0
            for value in self._at.up[seat]:
                if value > sun:
                    higher = value
                    break
            if higher:
                theirs = self.surplus(seat, higher)
                safe *= 1 - _likely(theirs, self._taste)
                if theirs > most:
                    most = theirs
        return 1 - safe, most


def bid(at: Position, taste: Taste = TASTE) -> int:
    """The sun that the player asked should bid; 0 to pass."""
    seat = at.asked
    assert seat is not None
    highest = at.highest
    suns = [sun for sun in at.up[seat] if sun > highest]
    if not suns:
        return 0
    must = seat == at.turn and not highest and at.reason is Reason.INVOKED
    if must and len(suns) == 1:
        return suns[0]
    lots = Lots(at, taste)
    later: list[int] = []
    if seat != at.turn:
        other = at.next_with_sun(seat)
        while other is not None and other != at.turn:
            later.append(other)
            other = at.next_with_sun(other)
        later.append(at.turn)
    deny = taste.deny / (at.seats - 1)
    best, best_value = 0, 0.0
    if must:
        best_value = -1000.0
    else:
        lost = lots.surplus(at.leader, highest) if at.leader is not None else 0.0
        beaten, keenest = lots.outbid(highest, later)
        lost = beaten * keenest + (1 - beaten) * lost
        best_value = -deny * lost if lost > 0 else 0.0
    for sun in suns:
        beaten, keenest = lots.outbid(sun, later)
        value = (1 - beaten) * lots.surplus(seat, sun) - beaten * deny * keenest
        if value > best_value:
            best, best_value = sun, value
        if not beaten:
            break
    return best


def turn(at: Position, taste: Taste = TASTE) -> tuple[int, ...] | None:
    """What the player on turn should do: None to draw, () to invoke Ra, or the tiles to
    spend gods on."""
    seat = at.turn
    track = at.track
    if track:
        if at.hands[seat][_GOD]:
            take = gods(at, taste)
            if take:
                return take
        if len(track) == TRACK_SPACES:
            return ()
        if _worth_an_auction(at, taste):
            return ()
    return None


def _worth_an_auction(at: Position, taste: Taste) -> bool:
    """Whether to invoke Ra rather than to draw."""
    seat = at.turn
    lots = Lots(at, taste)
    own = at.up[seat]
    others = [other for other in range(at.seats) if other != seat and at.up[other]]
    theirs = 0
    for other in others:
        theirs += len(at.up[other])
    bar = taste.invoke - taste.space * len(at.track) - taste.time * (at.spaces - at.ra)
    bar -= taste.own * len(own) + taste.theirs * theirs
    deny = taste.deny / (at.seats - 1)
    for sun in own:
        won = lots.surplus(seat, sun)
        if won + taste.envy * 8 < bar:
            continue
        beaten, keenest = lots.outbid(sun, others)
        if (1 - beaten) * won - beaten * deny * keenest + taste.envy * keenest > bar:
            return True
    return False


def gods(at: Position, taste: Taste = TASTE) -> tuple[int, ...]:
    """The tiles worth a god each to the player on turn; often none."""
    seat = at.turn
    view = _view(at, seat, 0, _active(at))
    most, fewest = _rivals(at, seat)
    hand = list(at.hands[seat])
    left = list(at.track)
    if not at.ruleset.gods_take_gods:
        left = [tile for tile in left if tile != _GOD]
    take: list[int] = []
    for _ in range(min(hand[_GOD], len(left))):
        best, best_gain = None, view.god + taste.spend
        for kind in sorted(set(left)):
            if kind == _GOD:
                continue
            found = gain(hand, (kind,), view, most, fewest)
            if found > best_gain:
                best, best_gain = kind, found
        if best is None:
            break
        hand = with_tiles(hand, (best,), view)
        hand[_GOD] -= 1
        left.remove(best)
        take.append(best)
    return tuple(sorted(take))


def discard(at: Position) -> tuple[int, ...]:
    """The tiles that the player asked should give up."""
    seat = at.asked
    assert seat is not None
    disaster, count = at.owes()
    kinds = ASKED_FOR[disaster]
    view = _view(at, seat, 0, max(_active(at), 1))
    return tuple(sorted(give_up(at.hands[seat][:], kinds, count, view)))


def hope(at: Position, seat: int) -> float:
    """Points that `seat` may expect of its tiles alone."""
    most, fewest = _rivals(at, seat)
    return worth(at.hands[seat], _view(at, seat, 0, max(_active(at), 1)), most, fewest)

"""How `normal` plays: from what the lot is worth to everybody and what a sun is worth.

The same few functions play all seats in the thoughts of `hard`, so they are quick and
look no move ahead, but for an auction held in thought before Ra is invoked. They read
what everybody at the table may know.
"""

from __future__ import annotations

from engine.ra.bots.lots import TASTE, Lots, Taste, active, rivals, view_of
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.bots.worth import gain, give_up, with_tiles, worth
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import TRACK_SPACES

_GOD = 1


def bid(at: Position, taste: Taste = TASTE) -> int:
    """The sun that the player asked should bid; 0 to pass."""
    seat = at.asked
    assert seat is not None
    suns = at.up[seat]
    if suns[-1] < at.highest:
        return 0
    must = seat == at.turn and not at.highest and at.reason is Reason.INVOKED
    if must and len(suns) == 1:
        return suns[0]
    lots = at.memo
    if not isinstance(lots, Lots):
        lots = at.memo = Lots(at, taste)
    order = at.order(seat)
    after = order[: order.index(at.turn) + 1] if seat != at.turn else ()
    later = [other for other in after if at.up[other]]
    return lots.answer(seat, at.highest, at.leader, later, must)


def turn(at: Position, taste: Taste = TASTE) -> tuple[int, ...] | None:
    """What the player on turn should do: None to draw, () to invoke Ra, or the tiles to
    spend gods on."""
    track = at.track
    if not track:
        return None
    if at.hands[at.turn][_GOD]:
        take = gods(at, taste)
        if take:
            return take
    if len(track) == TRACK_SPACES or _worth_an_auction(at, taste):
        return ()
    return None


def _worth_an_auction(at: Position, taste: Taste) -> bool:
    """Whether to invoke Ra rather than to draw: the player on turn would win enough, as
    an auction held in thought shows."""
    seat = at.turn
    lots = Lots(at, taste)
    if lots.surplus(seat, at.up[seat][0]) <= min(taste.invoke, taste.bait):
        return False
    rest = [other for other in at.order(seat) if at.up[other]]
    highest, leader = 0, None
    while rest:
        other = rest.pop(0)
        if at.up[other][-1] > highest:
            must = other == seat and not highest
            sun = lots.answer(other, highest, leader, rest, must)
            if sun:
                highest, leader = sun, other
    if leader != seat:
        # others pay for it; should they not, it is not dear
        return True
    return lots.surplus(seat, highest) > taste.invoke


def gods(at: Position, taste: Taste = TASTE) -> tuple[int, ...]:
    """The tiles worth a god each to the player on turn; often none."""
    seat = at.turn
    view = view_of(at, seat, 0, active(at))
    most, fewest = rivals(at, seat)
    hand = list(at.hands[seat])
    left = [tile for tile in at.track if tile != _GOD]
    take: list[int] = []
    for _ in range(min(hand[_GOD], len(left))):
        best, best_gain = None, view.god + taste.spend
        for kind in sorted(set(left)):
            found = gain(hand, (kind,), view, most, fewest)
            if found > best_gain:
                best, best_gain = kind, found
        if best is None:
            break
        hand = with_tiles(hand, (best,), view)
        left.remove(best)
        take.append(best)
    return tuple(sorted(take))


def discard(at: Position) -> tuple[int, ...]:
    """The tiles that the player asked should give up."""
    seat = at.asked
    assert seat is not None
    disaster, count = at.owes()
    view = view_of(at, seat, 0, active(at))
    return tuple(sorted(give_up(at.hands[seat][:], ASKED_FOR[disaster], count, view)))


def hope(at: Position, seat: int) -> float:
    """Points that `seat` may expect of its tiles."""
    return worth(at.hands[seat], view_of(at, seat, 0, active(at)), *rivals(at, seat))

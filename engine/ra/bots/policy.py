"""The policy of `normal`, which also plays all seats in `hard`'s simulations: it weighs what
the lot is worth to each player against what a sun is worth.

The functions are quick and do not look ahead, except that they simulate the auction before
invoking Ra. They read only what everybody at the table may know.
"""

from __future__ import annotations

from engine.ra.bots.lot_value import (
    WEIGHTS,
    LotValuation,
    PolicyWeights,
    outlook_of,
    pharaoh_rivals,
    players_in,
)
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.bots.tile_value import give_up, hand_value, lot_gain, with_tiles
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import TRACK_SPACES

_GOD = 1


def bid(position: Position, weights: PolicyWeights = WEIGHTS) -> int:
    """The sun that the player asked should bid; 0 to pass."""
    seat = position.asked
    assert seat is not None
    suns = position.up[seat]
    if suns[-1] < position.highest:
        return 0
    must = seat == position.turn and not position.highest and position.reason is Reason.INVOKED
    if must and len(suns) == 1:
        return suns[0]
    lots = position.memo
    if not isinstance(lots, LotValuation):
        lots = position.memo = LotValuation(position, weights)
    order = position.order(seat)
    after = order[: order.index(position.turn) + 1] if seat != position.turn else ()
    later = [other for other in after if position.up[other]]
    return lots.answer(seat, position.highest, position.leader, later, must)


def turn(position: Position, weights: PolicyWeights = WEIGHTS) -> tuple[int, ...] | None:
    """What the player on turn should do: None to draw, () to invoke Ra, or the tiles to
    spend gods on."""
    track = position.track
    if not track:
        return None
    if position.hands[position.turn][_GOD]:
        take = gods(position, weights)
        if take:
            return take
    if len(track) == TRACK_SPACES or _worth_an_auction(position, weights):
        return ()
    return None


def _worth_an_auction(position: Position, weights: PolicyWeights) -> bool:
    """Whether to invoke Ra rather than draw: whether the player on turn wins enough in a
    simulated auction."""
    seat = position.turn
    lots = LotValuation(position, weights)
    if lots.surplus(seat, position.up[seat][0]) <= min(weights.invoke, weights.bait):
        return False
    rest = [other for other in position.order(seat) if position.up[other]]
    highest, leader = 0, None
    while rest:
        other = rest.pop(0)
        if position.up[other][-1] > highest:
            must = other == seat and not highest
            sun = lots.answer(other, highest, leader, rest, must)
            if sun:
                highest, leader = sun, other
    if leader != seat:
        # the others pay for it; if they do not, it is cheap
        return True
    return lots.surplus(seat, highest) > weights.invoke


def gods(position: Position, weights: PolicyWeights = WEIGHTS) -> tuple[int, ...]:
    """The tiles that are each worth a god to the player on turn; often none."""
    seat = position.turn
    view = outlook_of(position, seat, 0, players_in(position))
    most, fewest = pharaoh_rivals(position, seat)
    hand = list(position.hands[seat])
    left = [tile for tile in position.track if tile != _GOD]
    take: list[int] = []
    for _ in range(min(hand[_GOD], len(left))):
        best, best_gain = None, view.god + weights.spend
        for kind in sorted(set(left)):
            found = lot_gain(hand, (kind,), view, most, fewest)
            if found > best_gain:
                best, best_gain = kind, found
        if best is None:
            break
        hand = with_tiles(hand, (best,), view)
        left.remove(best)
        take.append(best)
    return tuple(sorted(take))


def discard(position: Position) -> tuple[int, ...]:
    """The tiles that the player asked should give up."""
    seat = position.asked
    assert seat is not None
    disaster, count = position.owes()
    view = outlook_of(position, seat, 0, players_in(position))
    return tuple(sorted(give_up(position.hands[seat][:], ASKED_FOR[disaster], count, view)))


def expected_points(position: Position, seat: int) -> float:
    """The points that `seat` may expect from its tiles."""
    return hand_value(
        position.hands[seat],
        outlook_of(position, seat, 0, players_in(position)),
        *pharaoh_rivals(position, seat),
    )

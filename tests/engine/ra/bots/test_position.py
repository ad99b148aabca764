"""The position that bots play on in thought is the engine's state, action for action."""

from __future__ import annotations

from hypothesis import given, settings

from engine.ra.bots.position import Position
from engine.ra.game import RA
from engine.ra.state import RaState
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from tests.rules.test_properties import Action, Plan, plans, play


def position_of(state: RaState) -> Position:
    """The position of a match that begins."""
    at = Position(state.terms.ruleset, state.terms.seats)
    at.bag = [int(tile) for tile in state.terms.bag]
    at.sun = state.sun
    at.up = [list(suns) for suns in state.up]
    at.points = list(state.points)
    at.turn = state.turn
    at.asked = state.asked
    return at


def carry_out(at: Position, action: Action) -> None:
    match action.command:
        case Draw():
            at.draw()
        case InvokeRa():
            at.invoke()
        case SpendGods(take):
            at.spend_gods(take)
        case Bid(sun):
            at.bid(sun)
        case Pass():
            at.pass_bid()
        case Discard(give):
            at.discard(give)


def told(at: Position | RaState) -> dict[str, object]:
    """What both have, in one form."""
    tiles = at.hands if isinstance(at, Position) else at.tiles
    same = ("asked", "drawn", "epoch", "highest", "leader", "phase", "ra", "reason", "sun")
    return {
        **{name: getattr(at, name) for name in same},
        "turn": at.turn if at.asked is not None else None,
        "track": list(at.track),
        "up": [list(suns) for suns in at.up],
        "down": [list(suns) for suns in at.down],
        "tiles": [list(held) for held in tiles],
        "points": list(at.points),
        "owed": list(at.owed),
    }


@settings(max_examples=60, deadline=None)
@given(plans)
def test_a_position_is_what_the_engine_says(plan: Plan) -> None:
    if "answer-passes" in plan.setup.options:
        # there the engine answers for bidders; in thought everybody is asked
        return
    before = RA.setup(plan.setup, plan.deal())
    at = position_of(before)
    assert told(at) == told(before)
    for action in play(plan):
        copy = at.copy()
        carry_out(at, action)
        assert told(at) == told(action.after)
        assert told(copy) == told(action.before), "a copy is its own"

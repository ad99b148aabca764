"""What may be known of a state of the miniature, built up from nothing."""

from __future__ import annotations

from tests.miniature.state import State
from tests.miniature.words.views import Hand, Market, Person


def public(state: State) -> Market:
    """What everybody may know."""
    over = state.result is not None
    bare = state.ruleset == "open"
    return Market(
        ruleset=state.ruleset,
        round=state.round,
        rounds=state.rounds,
        lot=None if over else state.lots[state.round - 1],
        people=tuple(
            Person(
                cards=len(hand),
                chosen=bool(chosen),
                hand=hand if bare or over else None,
                points=points if bare or over else None,
            )
            for hand, chosen, points in zip(state.hands, state.chosen, state.points, strict=True)
        ),
        winners=state.result.winners if state.result else (),
    )


def private(state: State, seat: int) -> Hand:
    """What `seat` knows beyond that."""
    return Hand(state.hands[seat], state.chosen[seat], state.points[seat])

"""What each fact of the miniature changes."""

from __future__ import annotations

from engine.entry import Event
from engine.game import Result
from tests.miniature.events import CardChosen
from tests.miniature.state import State
from tests.miniature.words.happenings import ChoicesShown, LotTurned, PointsShown


def evolve(state: State, event: Event) -> None:
    """Advance `state` by one fact, in place."""
    match event:
        case CardChosen(seat, card):
            state.chosen[seat] = (card,)
        case ChoicesShown(cards, winner):
            for seat, card in enumerate(cards):
                state.hands[seat] = tuple(other for other in state.hands[seat] if other != card)
                state.chosen[seat] = ()
            if winner is not None:
                state.points[winner] += state.lots[state.round - 1]
        case LotTurned():
            state.round += 1
        case PointsShown(points, winners):
            state.result = Result(points, winners)
        case _:
            raise ValueError(f"{type(event).__name__} is no event of the miniature")

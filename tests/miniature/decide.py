"""Carrying out a command of the miniature."""

from __future__ import annotations

from enum import StrEnum

from engine.entry import Command, Event
from engine.errors import Code, IllegalAction
from tests.miniature.events import CardChosen
from tests.miniature.evolve import evolve
from tests.miniature.state import State
from tests.miniature.words.commands import Choose, Hold
from tests.miniature.words.happenings import ChoicesShown, LotTurned, PointsShown


class Refusal(StrEnum):
    """The miniature's own codes."""

    NOT_IN_HAND = "not_in_hand"


def decide(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    """Seal a choice; the last one of a round shows all."""
    match command:
        case Hold():
            card = None
        case Choose(card):
            if card not in state.hands[seat]:
                raise IllegalAction(Refusal.NOT_IN_HAND, card=card)
        case _:
            raise IllegalAction(Code.WRONG_COMMAND)
    events: list[Event] = []

    def emit(event: Event) -> None:
        evolve(state, event)
        events.append(event)

    emit(CardChosen(seat, card))
    if all(state.chosen):
        cards = tuple(made[0] for made in state.chosen)
        emit(ChoicesShown(cards, _winner(cards)))
        if state.round < state.rounds:
            emit(LotTurned(state.lots[state.round]))
        else:
            best = max(state.points)
            winners = tuple(s for s, points in enumerate(state.points) if points == best)
            emit(PointsShown(tuple(state.points), winners))
    return tuple(events)


def _winner(cards: tuple[int | None, ...]) -> int | None:
    shown = [card for card in cards if card is not None]
    highest = max(shown, default=None)
    return cards.index(highest) if shown.count(highest or 0) == 1 else None

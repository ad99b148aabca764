"""What is hidden in each game, exchanged: the twins that the laws of secrets compare.

For each game: another deal that differs only in what is still undrawn, another state
that differs only in what other seats hide, and the events that show such things.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from engine.deal import Chance
from engine.entry import Command, Event
from engine.ra.deal import RaDeal
from engine.ra.events import EpochScored
from engine.ra.state import RaState
from engine.ra.words.happenings import GameEnded, Sheet
from engine.raja.deal import RajaDeal
from engine.raja.state import RajaState
from engine.raja.words import happenings as raja_happenings
from engine.raja.words.choices import choices
from engine.raja.words.commands import ChooseActions
from engine.raja.words.pieces import Action, Character
from engine.raja.words.prompts import ChoosePrompt
from tests.miniature.state import Deal, State
from tests.miniature.words.commands import Hold
from tests.miniature.words.happenings import ChoicesShown


class Hiding(ABC):
    """How to exchange what is hidden in one game."""

    shows: tuple[type[Event], ...]
    """After one of these, what other seats hid may legally be seen."""

    @abstractmethod
    def redeal(self, deal: Any, board: Any, chance: Chance) -> Any:
        """`deal` with another order of what is not drawn yet at `board` (None: all)."""

    @abstractmethod
    def rehide(self, state: Any, viewer: int | None, chance: Chance) -> Any:
        """A copy of `state` with other hidden things of all seats but `viewer`."""

    def settle(self, twin: Any, state: Any, events: Sequence[Event]) -> Any:
        """`twin`, a state, with that which `events` are about to show as it is in `state`; or a
        copy of `state`."""
        return state.copy()

    def instead(self, state: Any, seat: int, command: Command, chance: Chance) -> Command:
        """What another seat does at `state`, a twin, in place of `command`: another thing only
        where that is hidden too."""
        return command


class RaHiding(Hiding):
    """The bag; points, sheets and the values of face-down suns."""

    shows = (EpochScored, GameEnded)

    def redeal(self, deal: RaDeal, board: Any, chance: Chance) -> RaDeal:
        drawn = 0 if board is None else 180 - board.bag
        return evolve(deal, bag=(*deal.bag[:drawn], *chance.shuffle(deal.bag[drawn:])))

    def rehide(self, state: RaState, viewer: int | None, chance: Chance) -> RaState:
        other = state.copy()
        for seat in range(state.terms.seats):
            if seat == viewer:
                continue
            down = tuple(sorted(chance.shuffle(range(1, 17))[: len(state.down[seat])]))
            other.down = _with(other.down, seat, down)
            other.points = _with(other.points, seat, chance.below(60))
            sheets = tuple(
                Sheet(epoch, *(chance.below(9) for _ in range(9)))
                for epoch in range(1, 1 + len(state.sheets[seat]))
            )
            other.sheets = _with(other.sheets, seat, sheets)
        return other


class RajaHiding(Hiding):
    """No order is hidden; gold, and the actions chosen by those who had no turn yet."""

    shows = (raja_happenings.TurnBegan, raja_happenings.GameEnded)

    def redeal(self, deal: RajaDeal, board: Any, chance: Chance) -> RajaDeal:
        return deal

    def rehide(self, state: RajaState, viewer: int | None, chance: Chance) -> RajaState:
        other = state.copy()
        for seat in range(state.terms.seats):
            if seat == viewer:
                continue
            gold = state.gold[seat] + 1 + chance.below(60)
            other.gold = _with(other.gold, seat, gold)
            if state.chosen[seat] and not state.acted[seat] and seat != state.turn:
                yogi = Character.YOGI in state.characters[seat]
                other.chosen = _with(other.chosen, seat, any_actions(chance, yogi))
        return other

    def settle(self, twin: RajaState, state: RajaState, events: Sequence[Event]) -> RajaState:
        other = twin.copy()
        for event in events:
            match event:
                case raja_happenings.TurnBegan(seat, actions) if state.chosen[seat]:
                    other.chosen = _with(other.chosen, seat, actions)
                case raja_happenings.GameEnded():
                    other.gold = state.gold
        return other

    def instead(self, state: RajaState, seat: int, command: Command, chance: Chance) -> Command:
        if not isinstance(command, ChooseActions):
            return command
        return chance.choice(choices(ChoosePrompt(Character.YOGI in state.characters[seat])))


def any_actions(chance: Chance, chit: bool) -> tuple[Action, ...]:
    """Actions that a seat may choose, the chit's if any at the end."""
    command = chance.choice(choices(ChoosePrompt(chit)))
    assert isinstance(command, ChooseActions)
    return command.actions if command.chit is None else (*command.actions, command.chit)


class MiniatureHiding(Hiding):
    """The lots to come; cards in hand, sealed ones too, and points."""

    shows = (ChoicesShown,)

    def redeal(self, deal: Deal, board: Any, chance: Chance) -> Deal:
        turned = 1 if board is None else board.round
        left = [lot for lot in range(1, 10) if lot not in deal.lots[:turned]]
        lots = (*deal.lots[:turned], *chance.shuffle(left))
        return evolve(deal, lots=lots[: len(deal.lots)])

    def rehide(self, state: State, viewer: int | None, chance: Chance) -> State:
        other = state.copy()
        for seat, hand in enumerate(state.hands):
            if seat == viewer:
                continue
            cards = tuple(sorted(chance.shuffle(range(1, 21))[: len(hand)]))
            other.hands[seat] = cards
            other.points[seat] = chance.below(30)
            if state.chosen[seat]:
                other.chosen[seat] = (chance.choice((None, *cards)),)
        return other

    def instead(self, state: State, seat: int, command: Command, chance: Chance) -> Command:
        return Hold()


def _with(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    return (*items[:at], item, *items[at + 1 :])


HIDING: dict[str, Hiding] = {
    "ra": RaHiding(),
    "raja": RajaHiding(),
    "miniature": MiniatureHiding(),
}

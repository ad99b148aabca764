"""Decides the commands of Raja: grants or refuses each, and emits the events that follow.

Each function emits events one by one; each event advances the state through `evolve`, so that the
next step sees it. What is refused is `engine.raja.refuse`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.entry import Command, Event
from engine.errors import Code, IllegalAction
from engine.raja import refuse
from engine.raja.events import ActionsChosen
from engine.raja.evolve import evolve
from engine.raja.scoring import is_over, pay, points, winner
from engine.raja.state import RajaState
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.happenings import (
    ActionFailed,
    CharacterSwapped,
    CharacterTaken,
    CityScored,
    GameEnded,
    GoldTaken,
    GovernorMoved,
    HouseBuilt,
    HouseFounded,
    HouseMoved,
    HousesTaken,
    MatchBegan,
    PalaceBuilt,
    RoundBegan,
    SupplyFilled,
    TraderPaid,
    Travelled,
    TurnBegan,
    TurnEnded,
)
from engine.raja.words.pieces import FIRST_SUPPLY, FROM_QUARRY, Character
from engine.raja.words.views import RajaPhase

# Events that come up all the time are made once.
_gold_taken = cache(GoldTaken)
_trader_paid = cache(TraderPaid)
_turn_ended = cache(TurnEnded)
_house_built = cache(HouseBuilt)


class _Cascade:
    """The events that follow from one command, each carried out as it is emitted."""

    __slots__ = ("events", "state")

    def __init__(self, state: RajaState) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)
        evolve(self.state, event)


def decide(state: RajaState, seat: int, command: Command) -> tuple[Event, ...]:
    """Carry out `command` of `seat` on `state`, a copy; raises IllegalAction."""
    phase = state.phase
    if phase is RajaPhase.CHOOSING:
        if not 0 <= seat < state.terms.seats or state.chosen[seat]:
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
    elif seat != state.asked:
        raise IllegalAction(Code.NO_PROMPT, seat=seat)
    answer = _ANSWERS[phase].get(type(command))
    if answer is None:
        raise IllegalAction(Code.WRONG_COMMAND)
    cascade = _Cascade(state)
    answer(cascade, seat, command)
    return tuple(cascade.events)


# Set-up


def _take(cascade: _Cascade, seat: int, command: TakeCharacter) -> None:
    state = cascade.state
    refuse.take(state, seat, command)
    if not any(state.characters):
        cascade.emit(MatchBegan(state.track, state.terms.first))
    cascade.emit(CharacterTaken(seat, command.character))


def _found(cascade: _Cascade, seat: int, command: FoundHouse) -> None:
    refuse.found(cascade.state, seat, command)
    cascade.emit(HouseFounded(seat, command.village))
    if cascade.state.asked is None:
        cascade.emit(SupplyFilled(FIRST_SUPPLY))
        _begin_round(cascade)


# A round


def _begin_round(cascade: _Cascade) -> None:
    state = cascade.state
    cascade.emit(RoundBegan(state.round + 1, state.track[0]))


def _choose(cascade: _Cascade, seat: int, command: ChooseActions) -> None:
    state = cascade.state
    refuse.choose(state, seat, command)
    chit = () if command.chit is None else (command.chit,)
    cascade.emit(ActionsChosen(seat, (*sorted(command.actions), *chit)))
    if all(state.chosen):
        _go_on(cascade)


def _go_on(cascade: _Cascade) -> None:
    """The next turn of the round, or its end."""
    state = cascade.state
    for seat in state.ranked():
        if not state.acted[seat]:
            cascade.emit(TurnBegan(seat, state.chosen[seat]))
            _pay_trader(cascade, seat)
            return
    city = state.maharaja
    scored = points(state, city)
    cascade.emit(CityScored(city, scored, pay(state, scored)))
    if is_over(state):
        cascade.emit(GameEnded(state.built, state.gold, winner(state)))
    else:
        _begin_round(cascade)


# A turn


def _pay_trader(cascade: _Cascade, seat: int) -> None:
    state = cascade.state
    if not state.trader and Character.TRADER in state.characters[seat]:
        cascade.emit(_trader_paid(seat))


def _travel(cascade: _Cascade, seat: int, command: Travel) -> None:
    state = cascade.state
    paid = refuse.travel(state, seat, command)
    bank = Character.MONK in state.characters[seat]
    cascade.emit(Travelled(seat, state.architects[seat], command.place, paid, bank))


def _gold(cascade: _Cascade, seat: int, command: TakeGold) -> None:
    refuse.gold(cascade.state, seat, command)
    cascade.emit(_gold_taken(seat))


def _quarry(cascade: _Cascade, seat: int, command: TakeHouses) -> None:
    refuse.quarry(cascade.state, seat, command)
    cascade.emit(HousesTaken(seat, FROM_QUARRY))


def _build(cascade: _Cascade, seat: int, command: BuildHouse) -> None:
    price = refuse.build(cascade.state, seat, command)
    cascade.emit(_house_built(seat, command.action, command.place, price))


def _move(cascade: _Cascade, seat: int, command: MoveHouse) -> None:
    refuse.move(cascade.state, seat, command)
    cascade.emit(HouseMoved(seat, command.action, command.origin, command.place))


def _palace(cascade: _Cascade, seat: int, command: BuildPalace) -> None:
    state = cascade.state
    price = refuse.palace(state, seat, command)
    city = state.architects[seat]
    cascade.emit(PalaceBuilt(seat, command.action, city, command.site, price))


def _governor(cascade: _Cascade, seat: int, command: MoveGovernor) -> None:
    refuse.governor(cascade.state, seat, command)
    cascade.emit(GovernorMoved(seat, command.city))


def _swap(cascade: _Cascade, seat: int, command: SwapCharacter) -> None:
    state = cascade.state
    refuse.swap(state, seat, command)
    take = command.take
    robbed = next((other for other, held in enumerate(state.characters) if take in held), None)
    cascade.emit(CharacterSwapped(seat, command.give, take, robbed))
    _pay_trader(cascade, seat)


def _end(cascade: _Cascade, seat: int, command: EndTurn) -> None:
    for action, _ in cascade.state.open:
        cascade.emit(ActionFailed(seat, action))
    cascade.emit(_turn_ended(seat))
    _go_on(cascade)


_Answer = Callable[[_Cascade, int, Any], None]
_TAKE: dict[type[Command], _Answer] = {TakeCharacter: _take}
_ANSWERS: dict[RajaPhase, dict[type[Command], _Answer]] = {
    RajaPhase.CHARACTERS: _TAKE,
    RajaPhase.FOUNDING: {FoundHouse: _found},
    RajaPhase.CHOOSING: {ChooseActions: _choose},
    RajaPhase.TURN: {
        Travel: _travel,
        TakeGold: _gold,
        TakeHouses: _quarry,
        BuildHouse: _build,
        MoveHouse: _move,
        BuildPalace: _palace,
        MoveGovernor: _governor,
        SwapCharacter: _swap,
        EndTurn: _end,
    },
    RajaPhase.REPLACEMENT: _TAKE,
}
"""For each phase but the last the commands that its prompts take, and how each is carried out."""

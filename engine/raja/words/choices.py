"""All answers to a prompt of Raja, read off the prompt alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TypeVar

from engine.entry import Command, Prompt
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
from engine.raja.words.pieces import ACTIONS, CHITS, CHOSEN
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)

C = TypeVar("C", bound=Command)


def _once(kind: Callable[..., C]) -> Callable[..., C]:
    """Equal commands are one object, made once: there are few different ones."""
    return cache(kind)


_take, _found = _once(TakeCharacter), _once(FoundHouse)
_travel, _build, _move = _once(Travel), _once(BuildHouse), _once(MoveHouse)
_palace, _governor, _swap = _once(BuildPalace), _once(MoveGovernor), _once(SwapCharacter)
_GOLD, _QUARRY, _END = TakeGold(), TakeHouses(), EndTurn()

_PAIRS: tuple[Command, ...] = tuple(
    map(ChooseActions, combinations_with_replacement(ACTIONS, CHOSEN))
)
_WITH_CHITS: tuple[Command, ...] = (
    *_PAIRS,
    *(
        ChooseActions(pair, chit)
        for pair in combinations_with_replacement(ACTIONS, CHOSEN)
        for chit in CHITS
    ),
)


def choices(prompt: Prompt) -> Sequence[Command]:
    """Every command that answers `prompt`. Where actions are chosen, one order stands for both."""
    match prompt:
        case TurnPrompt():
            return _turn(prompt)
        case CharacterPrompt(take) | ReplacementPrompt(take):
            return tuple(map(_take, take))
        case FoundPrompt(villages):
            return tuple(map(_found, villages))
        case ChoosePrompt(chit):
            return _WITH_CHITS if chit else _PAIRS
    raise TypeError(f"{type(prompt).__name__} is no prompt of Raja")


def _turn(prompt: TurnPrompt) -> Sequence[Command]:
    found: list[Command] = [_travel(fare.place) for fare in prompt.travel]
    if prompt.gold:
        found.append(_GOLD)
    if prompt.quarry:
        found.append(_QUARRY)
    space = prompt.space
    for action in prompt.house:
        found += [_build(action, place) for place in space]
    for action in prompt.city_house:
        found.append(_build(action, prompt.city))
    for action in prompt.move:
        for origin in prompt.own:
            found += [_move(action, origin, place) for place in space if place is not origin]
    for action in prompt.palace:
        found += [_palace(action, site) for site in prompt.sites]
    found += map(_governor, prompt.governor)
    for give in prompt.give:
        found += [_swap(give, take) for take in prompt.take]
    found.append(_END)
    return found


def canonical(command: Command) -> Command:
    """The command of `choices` that means the same as `command`."""
    if type(command) is ChooseActions:
        return ChooseActions(tuple(sorted(command.actions)), command.chit)
    return command

"""What the bots `normal` and `hard` would do by their own plans alone.

Takes others as they stand. Works on a position; what its owner guesses of hidden gold is in it.
"""

from __future__ import annotations

from engine.entry import Command, Prompt
from engine.raja.bots.plan import Plan, plans
from engine.raja.bots.position import Position
from engine.raja.bots.value import score
from engine.raja.words.commands import ChooseActions, EndTurn, FoundHouse, TakeCharacter
from engine.raja.words.map import Place
from engine.raja.words.pieces import CHOSEN, Action, Character
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from engine.raja.words.views import Turn

Answer = tuple[Command, float]
"""A command, and what it is worth to the seat beyond the others, in gold."""

WIDTH = 6
"""Positions that a plan goes on from."""


def answers(
    position: Position, seat: int, turn: Turn | None, prompt: Prompt, width: int = WIDTH
) -> list[Answer]:
    """Answers to `prompt` that make sense, best first."""
    found: list[Answer]
    match prompt:
        case TurnPrompt():
            assert turn is not None
            return [step(plans(turn_start(position, turn), seat, width)[0])]
        case ChoosePrompt(chit):
            return chosen(position, seat, chit, width)
        case FoundPrompt(villages):
            found = [(FoundHouse(place), _founded(position, seat, place)) for place in villages]
        case CharacterPrompt(take) | ReplacementPrompt(take):
            found = [(TakeCharacter(each), _taken(position, seat, each)) for each in take]
        case _:
            raise TypeError(f"no answer to {type(prompt).__name__}")
    return sorted(found, key=_worth, reverse=True)


def chosen(position: Position, seat: int, chit: bool, width: int) -> list[Answer]:
    """Pairs of actions (with a chit if there is one), by the best plan for each."""
    trader = Character.TRADER in position.characters[seat]
    at = position.copy()
    at.gold[seat] += trader
    start = Plan(at, (), (CHOSEN, int(chit)), 0, False, trader)
    found: list[Answer] = []
    for plan in plans(start, seat, width, 12):
        pair = (*plan.chosen, Action.GOLD, Action.GOLD)[:CHOSEN]
        third = plan.chosen[CHOSEN] if len(plan.chosen) > CHOSEN else None
        found.append((ChooseActions(tuple(sorted(pair)), third), plan.value))
    return found


def turn_start(position: Position, turn: Turn) -> Plan:
    """What is left of a turn."""
    left = tuple([(each.action, each.parts) for each in turn.open])
    return Plan(position, left, (0, 0), turn.roads, turn.builder, turn.trader)


def step(plan: Plan) -> Answer:
    """The first thing to do by a plan."""
    return plan.steps[0] if plan.steps else EndTurn(), plan.value


def _worth(answer: Answer) -> float:
    return answer[1]


def _founded(position: Position, seat: int, village: Place) -> float:
    new = position.copy()
    new.add_house(seat, village)
    return score(new, seat)


def _taken(position: Position, seat: int, character: Character) -> float:
    new = position.copy()
    new.characters[seat] = tuple(sorted((*new.characters[seat], character)))
    return score(new, seat)

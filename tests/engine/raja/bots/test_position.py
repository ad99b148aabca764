"""A position that bots think of changes as the game does."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.entry import Command
from engine.game import Bot
from engine.raja.bots.easy import EasyBot
from engine.raja.bots.normal import NormalBot
from engine.raja.bots.position import Position
from engine.raja.bots.random_bot import RandomBot
from engine.raja.game import RAJA
from engine.raja.state import RajaState
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    EndTurn,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    Travel,
)
from engine.raja.words.pieces import Action, Site
from engine.raja.words.views import RajaPhase
from tests.engine.raja.bots.games import playing
from tests.engine.raja.scene import Scene

FACTS = [name for name in Position.__slots__ if name not in ("display", "characters")]


def position_of(state: RajaState) -> Position:
    return Position(RAJA.public(state), state.gold)


def acted(at: Position, seat: int, command: Command, state: RajaState) -> bool:
    """Do what a command says; False if that is no matter of positions."""
    match command:
        case Travel(place):
            at.go(seat, place)
        case BuildHouse(action, place):
            at.house(seat, place, 0 if action is Action.BUILDER else 1)
        case MoveHouse(_, origin, place):
            at.remove_house(seat, origin)
            at.add_house(seat, place)
        case BuildPalace(_, site):
            free = at.central[at.architects[seat]] is None
            if free and site is Site.OUTER:
                return False
            assert at.palace(seat) is free
        case MoveGovernor(city):
            at.governor(city)
        case EndTurn():
            at.fail(seat, len(state.open))
            at.acted[seat] = True
            if not all(at.acted):
                return False
            at.score()
            if at.ended:
                return False
            at.next_round()
        case _:
            return False
    return True


@pytest.mark.parametrize("ruleset", RAJA.rulesets)
def test_it_changes_as_the_state_does(ruleset: str) -> None:
    bots: list[Bot] = [RandomBot(), NormalBot(), EasyBot(), RandomBot(), EasyBot()]
    tried = 0
    bots = bots[: RAJA.rulesets[ruleset][-1]]
    for state, seat, command in playing(bots, ruleset, 3):
        at = position_of(state).copy()
        if state.phase is RajaPhase.TURN and acted(at, seat, command, state):
            tried += 1
            RAJA.decide(state, seat, command)
            after = position_of(state)
            for name in FACTS:
                mine, right = getattr(at, name), getattr(after, name)
                if name in ("houses", "outer"):
                    mine = [tuple(sorted(owners)) for owners in mine]
                if name == "acted" and isinstance(command, EndTurn):
                    right = [False] * at.seats
                assert mine == right, name
    assert tried > 10 * len(bots)


def test_characters_are_swapped() -> None:
    """A player who was robbed is thought to take the highest number."""
    for give, take, robbed in ((1, 5, None), (1, 2, 1)):
        scene = Scene(open=(Action.SWAP,))
        at = position_of(scene.state)
        command = SwapCharacter(scene.turn.give[0], next(c for c in scene.turn.take if c == take))
        assert command.give == give
        assert at.swap(0, command.give, command.take) == robbed
        scene.act(0, command)
        if robbed is not None:
            scene.act(robbed, RAJA.choices(scene.prompt(robbed))[-1])
        after = position_of(scene.state)
        assert (at.characters, at.display) == (after.characters, after.display)


def test_the_game_ends_with_the_last_palace_or_round() -> None:
    ends = []
    for built, number in ((6, 9), (7, 9), (6, 10)):
        at = position_of(Scene().state)
        at.built[1], at.round = built, number
        ends.append(at.ended)
    assert ends == [False, True, True]


def test_chance_is_of_no_use() -> None:
    scene = Scene(open=(Action.GOLD, Action.SWAP))
    views = RAJA.public(scene.state), RAJA.private(scene.state, 0)
    given = {NormalBot().choose(*views, scene.turn, Chance(bytes(31) + bytes([n]))) for n in (1, 2)}
    assert len(given) == 1

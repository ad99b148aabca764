"""The keys of Raja reach every answer of a prompt, but for the action that pays for a house."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from attrs import evolve

from client.raja.menu import KEYS, menu, refuse, waiting
from client.raja.screen import RajaScreen
from client.raja.sight import board_of
from client.screen.game_api import Menu, Pick, Pointing
from engine.raja.words.commands import BuildHouse, BuildPalace, ChooseActions
from engine.raja.words.pieces import Action
from engine.raja.words.prompts import ChoosePrompt, ReplacementPrompt, TurnPrompt
from engine.raja.words.views import RajaPhase
from protocol.table import Phase
from tests.client.raja.positions import RAJA, first, positions, scene

TAKEN = set("?lcqubhwvxyinm")
"""Keys that the screen itself has at a table."""


def reached(made: Any) -> Iterator[Any]:
    """Every command that a menu, a pick, or pointing leads to."""
    if isinstance(made, Menu):
        for choice in made.choices:
            yield from reached(choice.pick or choice.pointing or choice.command)
        yield from reached(made.pick) if made.pick else ()
        yield from reached(made.pointing) if made.pointing else ()
    elif isinstance(made, Pick):
        for count in range(made.least, made.most + 1):
            for items in product(range(len(made.items)), repeat=count):
                if all(items.count(item) <= made.items[item].most for item in items):
                    yield from reached(made.make(items))
    elif isinstance(made, Pointing):
        for target in made.targets:
            yield from reached(target.pointing or target.command)
    else:
        yield made


def meaning(command: Any) -> Any:
    """A command without the action that pays for it, unless that is the builder."""
    if isinstance(command, BuildHouse) and command.action is not Action.BUILDER:
        return evolve(command, action=Action.HOUSE)
    if isinstance(command, BuildPalace):
        return evolve(command, action=Action.PALACE)
    return command


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("standard", 3), ("yogi", 2), ("short", 5), ("two-player-advanced", 2)],
)
def test_every_answer_is_reached_by_keys_and_nothing_else_is(ruleset: str, seats: int) -> None:
    for number, step in enumerate(positions(seats, seed=seats, ruleset=ruleset)):
        for seat, asked in step.match.asked.items():
            prompt = asked.prompt
            if number % 3 and not isinstance(prompt, ReplacementPrompt):
                continue
            made = menu(scene(step.match, seat))
            assert made is not None
            keys = [choice.key for choice in made.choices]
            assert len(set(keys)) == len(keys)
            assert not set(keys) & (TAKEN | set(RajaScreen.pages))
            allowed = set(RAJA.choices(prompt))
            sent = set(reached(made))
            if isinstance(prompt, ChoosePrompt) and prompt.chit:
                sent = {one for one in sent if one in allowed}
            assert sent <= allowed
            assert set(map(meaning, sent)) == set(map(meaning, allowed))


def test_nobody_else_has_a_menu_and_everybody_is_told_who_is_waited_for() -> None:
    for number, step in enumerate(positions(3)):
        if number % 10 or step.match.result is not None:
            continue
        for seat in (0, 1, 2, None):
            shown = scene(step.match, seat)
            if seat not in step.match.asked:
                assert menu(shown) is None
                said = waiting(shown)
                assert any(name in said for name in ("Anna", "Boris", "Chen"))


def test_a_third_action_is_the_chits() -> None:
    made = menu(scene(_choosing_with_the_yogi(), _holder()))
    assert made is not None and made.pick is not None
    two, three = made.pick.make((3, 0)), made.pick.make((4, 1, 3))
    assert two == ChooseActions((Action.GOLD, Action.HOUSES))
    # two houses cannot be built by chit: the action picked before is the chit's
    assert three == ChooseActions((Action.HOUSES, Action.MOVE), Action.QUARRY)


def _choosing_with_the_yogi() -> Any:
    for seed in range(1, 30):
        for step in positions(3, seed, ruleset="yogi"):
            prompts = [asked.prompt for asked in step.match.asked.values()]
            if any(isinstance(one, ChoosePrompt) and one.chit for one in prompts):
                return step.match
    raise AssertionError("nobody ever holds the yogi")


def _holder() -> int:
    asked: dict[int, Any] = _choosing_with_the_yogi().asked
    return next(seat for seat in asked if getattr(asked[seat].prompt, "chit", False))


def test_a_key_that_does_nothing_says_why() -> None:
    match = first(2, lambda match: match.state.phase is RajaPhase.TURN)
    (seat,) = match.asked
    mine, other = scene(match, seat), scene(match, 1 - seat)
    for key in sorted(KEYS | set("19")):
        assert refuse(mine, key)
        assert "turn" in str(refuse(other, key))
        assert refuse(scene(match, None), key) == "You are watching."
    assert refuse(mine, "z") is None
    over = evolve(mine, table=evolve(mine.table, phase=Phase.OVER))
    assert refuse(over, "g") == over.end
    choosing = first(2, lambda match: match.state.phase is RajaPhase.CHOOSING)
    assert "actions" in str(refuse(scene(choosing, 0), "g"))


def test_ending_a_turn_says_what_it_costs() -> None:
    match = first(2, _has_something_open)
    seat, asked = next(iter(match.asked.items()))
    assert isinstance(asked.prompt, TurnPrompt)
    made = menu(scene(match, seat))
    assert made is not None
    assert "gives the others" in made.note


def _has_something_open(match: Any) -> bool:
    turn = board_of(scene(match, None)).turn
    return match.state.phase is RajaPhase.TURN and turn is not None and len(turn.open) > 0

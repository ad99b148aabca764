"""The screen of Raja as the client uses it: help, what a replay reveals, how long things stand."""

from __future__ import annotations

from typing import Any

import pytest

from client.raja.screen import RajaScreen
from client.raja.sight import board_of, marks
from client.raja.style import STYLES
from client.raja.words import ACTION_NAMES, ACTION_SHORT, CHARACTER_NAMES, CHARACTER_POWERS
from client.screen.lines import text_of, width
from engine.deal import Chance
from engine.raja.words.happenings import PalaceBuilt, SeatChose
from engine.raja.words.pieces import Action, Character
from engine.raja.words.views import RajaPhase
from tests.client.raja.positions import RAJA, first, positions, scene
from tests.client.seated import Seated
from tests.games import seed

FACE = RajaScreen()


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_help_explains_the_marks_and_fits(columns: int) -> None:
    lines = FACE.help(columns)
    assert max(map(width, lines)) <= columns
    text = text_of(lines)
    for word in ("☼DELHI", "@AB", "[A]BB", "architect", "2 gold", "yogi"):
        assert word in text


def test_a_replay_reveals_gold_and_chosen_actions() -> None:
    match = first(3, lambda match: match.state.phase is RajaPhase.TURN)
    shown = scene(match, None)
    hands: list[Any] = [RAJA.private(match.state, seat) for seat in range(3)]
    revealed = board_of(FACE.reveal(shown, hands))
    assert [one.gold for one in revealed.players] == [hand.gold for hand in hands]
    assert [one.actions for one in revealed.players] == [hand.actions for hand in hands]
    assert FACE.reveal(shown, [None] * 3) is shown


def test_a_palace_stands_longer_than_a_secret_choice() -> None:
    met = {
        type(event): FACE.pace([event])
        for step in positions(3)
        for event in step.events
        if isinstance(event, PalaceBuilt)
    }
    assert met[PalaceBuilt] > FACE.pace([SeatChose(1)])


def test_everything_has_its_word_and_every_seat_its_colour() -> None:
    assert set(ACTION_NAMES) == set(ACTION_SHORT) == set(Action)
    assert set(CHARACTER_NAMES) == set(CHARACTER_POWERS) == set(Character)
    assert len({STYLES[f"seat.{seat}"] for seat in range(5)}) == 5


def test_marks_are_initials_if_they_differ() -> None:
    match = first(3, lambda match: match.state.round == 1)
    assert marks(scene(match, 0)) == ("A", "B", "C")
    assert marks(scene(match, 0, ("Bob", "Zoë", "Ann"))) == ("B", "Z", "A")
    assert marks(scene(match, 0, ("Bob", "Ben", "Ann"))) == ("A", "B", "C")
    assert marks(scene(match, 0, ("1st", "2nd", "Ann"))) == ("A", "B", "C")


def answer_by_keys(made: Seated, chance: Chance) -> None:
    """Answer what is asked, by keys that the screen offers, however many that takes."""
    for _ in range(40):
        state = made.state
        if state.pick is not None:
            made.press("enter")  # says how many are missing, or sends
            if state.pick is not None:
                made.press(str(chance.below(len(state.pick.items)) + 1))
        elif state.pointing is not None:
            for _ in range(chance.below(4)):
                made.press(chance.choice(("up", "down", "left", "right", "tab")))
            made.press("enter")
        elif state.menu is not None:
            made.choose(chance.choice(state.menu.choices))
        if state.answer.on_its_way:
            return
        made.screen(60, 20)
    raise AssertionError("keys alone do not answer what is asked")


@pytest.mark.parametrize("number", [1, 2])
def test_a_whole_game_by_keys_alone(number: int) -> None:
    made, chance = Seated(game="raja", number=number), Chance(seed(number))
    scored = 0
    while not made.over():
        made.others_move(chance)
        while made.state.behind or made.state.timeline.interlude is not None:
            scored += " is scored" in made.screen()
            made.press(" ")
        if made.state.menu is not None:
            made.screen(120, 40)
            answer_by_keys(made, chance)
            assert made.grant()
    made.present()
    end = made.screen()
    match = made.played.stream.match
    assert match is not None and match.result is not None
    assert f"{max(match.result.points)} palace" in end and "The game is over." in end
    assert scored

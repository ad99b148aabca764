"""The screen of Raja as the client uses it: help, what a replay reveals, how long things stand."""

from __future__ import annotations

from typing import Any

import pytest

from client.raja.screen import RajaScreen
from client.raja.sight import board_of, marks
from client.raja.style import STYLES
from client.raja.words import ACTION_NAMES, ACTION_SHORT, CHARACTER_NAMES, CHARACTER_POWERS
from client.screen.lines import text_of, width
from engine.raja.words.happenings import PalaceBuilt, SeatChose
from engine.raja.words.pieces import Action, Character
from engine.raja.words.views import RajaPhase
from tests.client.raja.positions import RAJA, first, positions, scene

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

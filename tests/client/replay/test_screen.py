"""The screen of `ra-replay`: what its keys answer, and what it says is so."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.replay.screen import ReplayScreen
from client.replay.stored import open_file
from client.screen.lines import text_of

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "two-players.ra"


@pytest.fixture
def desk() -> ReplayScreen:
    film = open_file(GOLDEN).film
    return ReplayScreen(film, film.views[0], 0)


def shown(desk: ReplayScreen, columns: int = 100, rows: int = 60) -> str:
    return text_of(desk.lines(columns, rows))


@pytest.mark.parametrize("text", ["99999", "0", "12345678901234567890", "1000"])
def test_a_step_that_is_not_there_is_named_and_where_they_end(
    desk: ReplayScreen, text: str
) -> None:
    last = desk.frames[-1].number
    desk.press("g")
    desk.enter("7")
    assert desk.frame.number == 7
    desk.press("g")
    desk.enter(text)
    assert desk.frame.number == 7
    said = f"There is no step {text[:8]}"
    assert said in shown(desk, 80, 24) and f"from 1 to {last}." in shown(desk, 80, 24)
    desk.press("g")
    desk.enter(str(last))
    assert desk.frame.number == last and "There is no step" not in shown(desk)


def test_its_help_speaks_of_steps_and_not_of_acting(desk: ReplayScreen) -> None:
    desk.press("?")
    page = shown(desk, 100, 80)
    assert "grew in the step shown" in page
    assert "you last acted" not in page


def test_at_the_end_nothing_is_still_to_come(desk: ReplayScreen) -> None:
    desk.press("end")
    for view in desk.film.views:
        page = shown(desk)
        assert "THE END" in page and "epoch III is over" in page, view
        assert "from now" not in page and "Ra ends" not in page
        desk.press("v")

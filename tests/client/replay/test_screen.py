"""The screen of `ra-replay`: what its keys answer, and what it says is so."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.replay.keymap import press
from client.replay.screen import draw
from client.replay.state import ReplayState
from client.replay.stored import open_file
from client.screen.lines import text_of

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "two-players.ra"


@pytest.fixture
def state() -> ReplayState:
    recording = open_file(GOLDEN).recording
    return ReplayState(recording, recording.views[0], 0)


def shown(state: ReplayState, columns: int = 100, rows: int = 60) -> str:
    return text_of(draw(state, columns, rows))


@pytest.mark.parametrize("text", ["99999", "0", "12345678901234567890", "1000"])
def test_a_step_that_is_not_there_is_named_and_where_they_end(
    state: ReplayState, text: str
) -> None:
    last = state.steps[-1].number
    press(state, "g")
    state.enter("7")
    assert state.step.number == 7
    press(state, "g")
    state.enter(text)
    assert state.step.number == 7
    said = f"There is no step {text[:8]}"
    assert said in shown(state, 80, 24) and f"from 1 to {last}." in shown(state, 80, 24)
    press(state, "g")
    state.enter(str(last))
    assert state.step.number == last and "There is no step" not in shown(state)


def test_its_help_speaks_of_steps_and_not_of_acting(state: ReplayState) -> None:
    press(state, "?")
    page = shown(state, 100, 80)
    assert "grew in the step shown" in page
    assert "you last acted" not in page


def test_at_the_end_nothing_is_still_to_come(state: ReplayState) -> None:
    press(state, "end")
    for view in state.recording.views:
        page = shown(state)
        assert "THE END" in page and "epoch III is over" in page, view
        assert "from now" not in page and "Ra ends" not in page
        press(state, "v")

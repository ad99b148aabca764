"""Score sheets of Ra fit their columns."""

from __future__ import annotations

from typing import Any

import pytest

from client.ra.score import own_sheets
from client.screen.lines import text_of, width
from engine.ra.game import RA
from tests.client.ra.positions import first, positions, scene
from tests.client.ra.test_board import FACE, ODD_NAMES, _midgame, closed, text
from tests.client.seated import Seated


def test_score_sheets_are_whole() -> None:
    scene = Seated().state.timeline.scene
    assert scene is not None
    assert "…" not in text_of(own_sheets(scene, 60))


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
def test_the_end_shows_every_sheet(columns: int, rows: int) -> None:
    match = _midgame(3)
    lines = FACE.ending(scene(match, 1, ODD_NAMES), columns, rows - 3)
    assert len(lines) <= rows - 3
    assert all(width(line) <= columns for line in lines)
    shown = text(lines)
    assert match.result is not None
    for points in match.result.points:
        assert any(line.endswith(f" {points}") for line in shown.splitlines())
    assert f"{max(match.result.points)} points" in shown


def test_the_score_page_says_what_is_so_to_everybody_at_every_time() -> None:
    """Who watches is not told that the first epoch is being played while it is the second."""
    second = first(3, lambda m: RA.public(m.state).epoch == 2).match
    early = first(3, lambda m: m.number > 5).match

    def page(shown: Any) -> str:
        return text(FACE.page("s", shown, 80, 20))

    assert "hidden until the game ends" in page(scene(second, None))
    assert "Epoch I is scored" in page(scene(second, 0))
    assert "Nothing is scored yet" in page(scene(early, 0))
    assert "Nothing was scored" in page(closed(early, 0))
    for over in (closed(second, 0), closed(second, None), closed(early, None)):
        assert "until" not in page(over) and "being played" not in page(over)
    open_game = next(iter(positions(3, options=("open-information",)))).match
    assert "Nothing is scored yet" in page(scene(open_game, None))

"""Score sheets of Ra fit their columns."""

from __future__ import annotations

from client.ra.score import own_sheets
from client.screen.lines import text_of
from tests.client.seated import Seated


def test_score_sheets_are_whole() -> None:
    scene = Seated().table.timeline.scene
    assert scene is not None
    assert "…" not in text_of(own_sheets(scene, 60))

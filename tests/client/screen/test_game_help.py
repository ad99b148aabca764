"""A game's part of the help page."""

from __future__ import annotations

from client.screen.game_help import game_help
from client.screen.lines import text_of, width


def test_marks_and_paragraphs_are_wrapped_and_aligned() -> None:
    marks = (("class:more", "▴3", "grew {since}, and more than that"),)
    lines = game_help(marks, ("A rule that is longer than one line.",), 30, "today")
    assert max(map(width, lines)) <= 30
    text = text_of(lines)
    assert "  ▴3       grew today, and" in text
    assert "  · A rule that is longer" in text
    assert "    than one line." in text

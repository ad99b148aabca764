"""Lines are measured in cells and cut without splitting anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from client.screen import lines
from client.text import clean

TEXTS = st.text(max_size=40).map(clean) | st.sampled_from(
    ["日本語プレイヤー", "👨👩👧 family", "e\u0301e\u0301", "한글이름", "abc"]
)
LINES = st.lists(st.tuples(st.sampled_from(["", "class:dim"]), TEXTS), max_size=6)


@given(TEXTS)
def test_cells_are_counted_as_the_toolkit_draws_them(text: str) -> None:
    assert lines.cells(text) == get_cwidth(text)


@given(LINES, st.integers(0, 60))
def test_a_line_fits_exactly(line: lines.Line, columns: int) -> None:
    assert lines.width(lines.fit(line, columns)) == columns
    assert lines.width(lines.shorten(line, columns)) <= columns
    assert lines.width(lines.middle(line, columns)) == columns


@given(LINES, LINES, st.integers(0, 60))
def test_two_ends_of_a_line_fit_exactly(first: lines.Line, last: lines.Line, columns: int) -> None:
    assert lines.width(lines.spread(first, last, columns)) == columns


@given(TEXTS, st.integers(1, 30))
def test_words_fit_when_set(text: str, columns: int) -> None:
    for align in (lines.pad, lines.right, lines.centre):
        assert lines.cells(align(text, columns)) == columns


@given(TEXTS, st.integers(2, 30))
def test_wrapping_loses_nothing(text: str, columns: int) -> None:
    wrapped = lines.wrap(text, columns)
    assert all(lines.cells(line) <= columns for line in wrapped)
    assert "".join(wrapped).replace(" ", "") == text.replace(" ", "")


def test_what_is_cut_says_so() -> None:
    assert lines.text_of([lines.shorten([("", "Anna"), ("", "Boris")], 6)]) == "AnnaB…"
    assert lines.text_of([lines.shorten([("", "Anna"), ("", "Boris")], 4)]) == "Ann…"
    assert lines.text_of([lines.shorten([("", "日本語")], 4)]) == "日…"

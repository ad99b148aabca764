"""A picture in cells: what is put where, and what is cut off."""

from __future__ import annotations

from client.screen.canvas import Canvas
from client.screen.lines import text_of, width


def test_texts_stand_where_they_are_put_and_are_cut_at_the_edges() -> None:
    canvas = Canvas(6, 2)
    canvas.put(-1, 0, [("a", "xy")])
    canvas.put(4, 1, [("b", "uvw")])
    canvas.put(0, 2, [("c", "lost")])
    assert text_of(canvas.lines()) == "y\n    uv"
    assert canvas.lines()[0] == [("a", "y"), ("", "     ")]


def test_a_way_marks_blank_cells_alone() -> None:
    canvas = Canvas(3, 3)
    canvas.put(1, 1, [("", "#")])
    canvas.draw((0, 0), (2, 2), "road", "·")
    assert text_of(canvas.lines()) == "·\n #\n  ·"


def test_every_line_has_all_its_columns() -> None:
    canvas = Canvas(7, 4)
    canvas.draw((-3, -3), (20, 20), "", "·")
    assert [width(line) for line in canvas.lines()] == [7] * 4
    assert Canvas(3, 0).lines() == []

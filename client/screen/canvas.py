"""A grid of cells that texts are put on, and read off again as lines: for pictures in which things
stand at places of their own. Every character takes one cell. Does not know what is drawn.
"""

from __future__ import annotations

from client.screen.lines import Line


class Canvas:
    """`columns` by `rows` cells, blank at first. What is put outside of them is cut off."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self._cells: list[list[tuple[str, str]]] = [
            [("", " ")] * columns for _ in range(max(0, rows))
        ]

    def put(self, column: int, row: int, line: Line) -> None:
        """Write a line from a cell on, over what is there."""
        if not 0 <= row < len(self._cells):
            return
        for style, text in line:
            for character in text:
                if 0 <= column < self._columns:
                    self._cells[row][column] = (style, character)
                column += 1

    def draw(self, first: tuple[int, int], last: tuple[int, int], style: str, mark: str) -> None:
        """Mark the blank cells of a straight way between two cells."""
        (column, row), (to_column, to_row) = first, last
        steps = max(abs(to_column - column), abs(to_row - row), 1)
        for step in range(steps + 1):
            x = round(column + (to_column - column) * step / steps)
            y = round(row + (to_row - row) * step / steps)
            inside = 0 <= y < len(self._cells) and 0 <= x < self._columns
            if inside and self._cells[y][x][1] == " ":
                self._cells[y][x] = (style, mark)

    def lines(self) -> list[Line]:
        """All rows, from the top; neighbours of one style are one fragment."""
        found: list[Line] = []
        for row in self._cells:
            line: Line = []
            for style, character in row:
                if line and line[-1][0] == style:
                    line[-1] = (style, line[-1][1] + character)
                else:
                    line.append((style, character))
            found.append(line)
        return found

"""A terminal's screen, as pyte read it, drawn as an SVG: the same screen, the same bytes.

Every word stands at its own cell and is stretched to its cells, so that the picture does
not depend on the widths of a font; blocks are drawn as rectangles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from attrs import frozen

WIDE, HIGH = 9, 19
MARGIN = 14
BACKGROUND, FOREGROUND = "#12151c", "#d7dae0"

_NAMED = {
    "black": "#000000",
    "red": "#cc4238",
    "green": "#4f9d4f",
    "brown": "#c79a2b",
    "blue": "#4a77c4",
    "magenta": "#a05fb4",
    "cyan": "#3f9fa8",
    "white": "#d7dae0",
}


@frozen
class _Look:
    fore: str
    back: str
    bold: bool
    underline: bool


def _colour(value: str, default: str) -> str:
    if value == "default":
        return default
    return _NAMED.get(value) or f"#{value}"


def _look(char: Any) -> _Look:
    fore, back = _colour(char.fg, FOREGROUND), _colour(char.bg, BACKGROUND)
    if char.reverse:
        fore, back = back, fore
    return _Look(fore, back, bool(char.bold), bool(char.underscore))


def _runs(screen: Any, row: int) -> Iterator[tuple[int, int, _Look, list[tuple[int, str]]]]:
    """(first column, one past the last, look, characters with their columns)."""
    line = screen.buffer[row]
    start, look = 0, _look(line[0])
    chars: list[tuple[int, str]] = []
    for column in range(screen.columns):
        char = line[column]
        now = _look(char)
        if now != look:
            yield start, column, look, chars
            start, look, chars = column, now, []
        chars.append((column, char.data))
    yield start, screen.columns, look, chars


def draw(screen: Any, title: str) -> str:
    """The SVG text of a pyte screen."""
    width = screen.columns * WIDE + 2 * MARGIN
    height = screen.lines * HIGH + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="9" fill="{BACKGROUND}"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">',
    ]
    for row in range(screen.lines):
        for run in _runs(screen, row):
            parts += _draw_run(row, *run)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _draw_run(
    row: int, start: int, end: int, look: _Look, chars: list[tuple[int, str]]
) -> Iterator[str]:
    top = MARGIN + row * HIGH
    if look.back != BACKGROUND:
        yield (
            f'<rect x="{MARGIN + start * WIDE}" y="{top}" width="{(end - start) * WIDE}" '
            f'height="{HIGH}" fill="{look.back}"/>'
        )
    halves = {"▀": (0, HIGH // 2 + 1), "▄": (HIGH // 2, HIGH - HIGH // 2), "█": (0, HIGH)}
    text: list[tuple[int, str]] = []
    block: tuple[str, int, int] | None = None
    for column, data in [*chars, (end, "")]:
        if block is not None and data != block[0]:
            mark, first, last = block
            offset, size = halves[mark]
            yield (
                f'<rect x="{MARGIN + first * WIDE}" y="{top + offset}" '
                f'width="{(last - first) * WIDE}" height="{size}" fill="{look.fore}"/>'
            )
            block = None
        if data in halves:
            block = (data, block[1] if block else column, column + 1)
        elif data.strip():
            text.append((column, data))
    weight = ' font-weight="bold"' if look.bold else ""
    under = ' text-decoration="underline"' if look.underline else ""
    for first, last, word in _words(text):
        yield (
            f'<text x="{MARGIN + first * WIDE}" y="{top + 14}" '
            f'textLength="{(last - first) * WIDE}" fill="{look.fore}"{weight}{under}>'
            f"{escape(word)}</text>"
        )


def _words(chars: list[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """(first column, one past the last, letters) of characters without a gap."""
    while chars:
        first = chars[0][0]
        size = next(
            (at for at, (column, _) in enumerate(chars) if column != first + at), len(chars)
        )
        yield first, first + size, "".join(data for _, data in chars[:size])
        chars = chars[size:]

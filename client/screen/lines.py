"""Lines of styled fragments, measured in terminal cells.

A fragment is (style, text); a line is a list of fragments without line breaks. Texts are
cleaned before they come here (`client.text`). Does not know about games, the model or the
terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from client.text import clusters, cut, pad
from client.text import width as cells

Fragment = tuple[str, str]
Line = list[Fragment]


def width(line: Iterable[Fragment]) -> int:
    """How many columns a line takes."""
    return sum(cells(text) for _, text in line)


def right(text: str, columns: int) -> str:
    """`text` in exactly `columns`, flush right."""
    text = cut(text, columns)
    return " " * (columns - cells(text)) + text


def centre(text: str, columns: int) -> str:
    """`text` in exactly `columns`, in the middle."""
    text = cut(text, columns)
    space = columns - cells(text)
    return " " * (space - space // 2) + text + " " * (space // 2)


def shorten(line: Sequence[Fragment], columns: int) -> Line:
    """A line in at most `columns`; an ellipsis marks where it is cut."""
    if width(line) <= columns:
        return list(line)
    kept: Line = []
    for style, text in line:
        size = cells(text)
        if size >= columns:
            # Cut here even if it just fits: the ellipsis needs a column.
            kept.append((style, cut(text + " " * 2, columns).rstrip(" ")))
            break
        kept.append((style, text))
        columns -= size
    return kept


def fit(line: Sequence[Fragment], columns: int, style: str = "") -> Line:
    """A line in exactly `columns`, padded in `style`."""
    line = shorten(line, columns)
    space = columns - width(line)
    return [*line, (style, " " * space)] if space > 0 else line


def spread(
    first: Sequence[Fragment], last: Sequence[Fragment], columns: int, style: str = ""
) -> Line:
    """`first` at the left edge and `last` at the right edge, in exactly `columns`.

    If both do not fit, `first` is cut; `last` is dropped if it would take more than half.
    """
    space = columns - width(last)
    if space < width(first) and space < columns // 2:
        return fit(first, columns, style)
    return fit([*fit(first, space, style), *last], columns, style)


def middle(line: Sequence[Fragment], columns: int) -> Line:
    """A line in exactly `columns`, in the middle."""
    line = shorten(line, columns)
    return fit([("", " " * ((columns - width(line)) // 2)), *line], columns)


def first_fitting(variants: Sequence[Sequence[Fragment]], columns: int) -> Line:
    """The first variant that fits, else the last one, cut. Variants go from long to short."""
    for line in variants:
        if width(line) <= columns:
            return list(line)
    return shorten(variants[-1], columns)


def wrap(text: str, columns: int) -> list[str]:
    """`text` in lines of at most `columns`, broken at spaces where possible."""
    if columns <= 0:
        return []
    lines: list[str] = []
    line = ""
    for word in _pieces(text, columns):
        if not line:
            line = word
        elif cells(line) + 1 + cells(word) <= columns:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = word
    return [*lines, line] if line else lines or [""]


def _pieces(text: str, columns: int) -> Iterable[str]:
    """The words of `text`; a word longer than a line comes in pieces."""
    for word in text.split(" "):
        if cells(word) <= columns:
            yield word
            continue
        piece, used = "", 0
        for cluster in clusters(word):
            size = cells(cluster)
            if used + size > columns and piece:
                yield piece
                piece, used = "", 0
            if size <= columns:
                piece, used = piece + cluster, used + size
        yield piece


def page(lines: Sequence[Sequence[Fragment]], columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of exactly `columns`: more is cut, less is filled with empty lines."""
    full = [fit(line, columns) for line in lines[:rows]]
    return full + [fit([], columns) for _ in range(rows - len(full))]


def text_of(lines: Iterable[Sequence[Fragment]]) -> str:
    """The plain text of lines."""
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


__all__ = [
    "Fragment",
    "Line",
    "cells",
    "centre",
    "cut",
    "first_fitting",
    "fit",
    "middle",
    "pad",
    "page",
    "right",
    "shorten",
    "spread",
    "text_of",
    "width",
    "wrap",
]

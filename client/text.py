"""Makes text from elsewhere fit to be drawn: cleans it, measures it and cuts it, in cells.

Every text of a server or a file passes through `clean` before it is shown. Does not know about
messages or games.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import attrs
from wcwidth import wcwidth

MAX_TEXT = 4_000
"""The most characters of one text; the rest is dropped."""
MAX_MARKS = 4
"""The most combining marks kept on one character."""

_NO_TEXT = frozenset({int, bool, bytes, type(None)})
_SPACES = re.compile(r" {2,}")
_DROPPED = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""Letters that are drawn as nothing, and variation selectors, which change the width of the
character before them in a way that terminals do not agree on."""


def clean(text: str) -> str:
    """`text` on one line without anything that controls a terminal or is invisible.

    Controls, format characters (bidirectional marks, zero width), letters drawn as
    nothing, private and unassigned characters and variation selectors are removed; line ends,
    line and paragraph separators, tabs and runs of spaces become one space; at most
    `MAX_MARKS` combining marks stay on a character.
    """
    if text.isascii() and text.isprintable() and len(text) <= MAX_TEXT and "  " not in text:
        return text.strip(" ")
    kept: list[str] = []
    marks = MAX_MARKS
    for char in text[:MAX_TEXT]:
        category = unicodedata.category(char)
        if char in "\n\r\t\v\f" or category in ("Zl", "Zp", "Zs"):
            kept.append(" ")
            marks = MAX_MARKS
        elif category[0] == "C" or char in _DROPPED:
            continue
        elif wcwidth(char) <= 0:
            if kept and kept[-1] != " " and marks < MAX_MARKS:
                kept.append(char)
                marks += 1
        else:
            kept.append(char)
            marks = 0
    return _SPACES.sub(" ", "".join(kept)).strip(" ")


def clean_all(value: Any) -> Any:
    """A received message or tree with every text in it cleaned, at any depth."""
    kind = type(value)
    if kind in _NO_TEXT:
        return value
    if kind is str:
        return clean(value)
    if kind is tuple:
        return tuple([item if type(item) in _NO_TEXT else clean_all(item) for item in value])
    if attrs.has(kind):
        return kind(*[clean_all(getattr(value, field.name)) for field in attrs.fields(kind)])
    return value


def printable(line: str) -> str:
    """One of our lines without anything that controls a terminal: typed paths may contain it."""
    return line if line.isprintable() else "".join(filter(str.isprintable, line))


def clusters(text: str) -> Iterator[str]:
    """The pieces of a cleaned text that must stay together: a character and its marks."""
    start = 0
    for at in range(1, len(text)):
        if wcwidth(text[at]) > 0:
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def width(text: str) -> int:
    """Cells that a cleaned text takes."""
    return len(text) if text.isascii() else sum(max(0, wcwidth(char)) for char in text)


def cut(text: str, cells: int, more: str = "…") -> str:
    """`text` in at most `cells` cells, ending in `more` where something is missing.

    Never splits a wide character or parts one from its marks.
    """
    if width(text) <= cells:
        return text
    room = cells - width(more)
    if room < 0:
        more, room = "", cells
    kept: list[str] = []
    for piece in clusters(text):
        room -= width(piece)
        if room < 0:
            break
        kept.append(piece)
    return "".join(kept) + more


def cut_name(name: str, cells: int) -> str:
    """A name in at most `cells` cells. A number at its end stays, because bots of one level
    differ in nothing else."""
    head, _, last = name.rpartition(" ")
    if width(name) <= cells or not last.isdigit() or width(last) + 4 > cells:
        return cut(name, cells)
    return f"{cut(head, cells - width(last) - 1)} {last}"


def pad(text: str, cells: int) -> str:
    """`text` in exactly `cells` cells: cut, or filled with spaces on the right."""
    short = cut(text, cells)
    return short + " " * (cells - width(short))

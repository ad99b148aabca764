"""Keys with the words for what they do, as many as there is room for.

One rule for every line of keys: if there is no room for all of it, words become shorter, then
whole entries go, each time the least important first. A key is never shown without its word,
because a key whose meaning is unknown is of no use; the help page lists all keys. Does not know
which keys there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from attrs import frozen

from client.screen.lines import Line, fit, shorten, width

LEAST_NOTE = 20
"""Cells that a note needs: with fewer it says too little, and gives way to the keys."""


class Weight(IntEnum):
    """How important an entry is: where room is short, the lightest goes first."""

    LIGHT = 1
    """Shown elsewhere as well, or rarely needed."""
    TALK = 2
    NOTE = 3
    """Not an entry: the note to the left of the keys, if there is one."""
    PAGE = 4
    """Something to look up."""
    OFFER = 5
    """Something that can be done now, and perhaps not later."""
    ALWAYS = 6
    """Help, the way out, the way on."""


@frozen
class KeyHint:
    """A key and what it does."""

    key: str
    word: str
    short: str = ""
    """A shorter word for the same; empty: there is none."""
    weight: Weight = Weight.ALWAYS

    def text(self, *, short: bool) -> str:
        """The word, or the short one."""
        return self.short if short and self.short else self.word


_Worded = list[tuple[str, str]]
"""Keys, each with its word in some amount of room."""


def hints(keys: Sequence[KeyHint], columns: int, style: str = "bar") -> Line:
    """Keys with their words in at most `columns`; empty if there is no room for even one."""
    for worded in _variants(keys):
        line = _line(worded, style)
        if width(line) <= columns:
            return line
    return []


def hint_rows(keys: Sequence[KeyHint], columns: int) -> tuple[Line, Line]:
    """The same on two lines."""
    for worded in _variants(keys):
        for count in range(len(worded), 0, -1):
            first, second = _line(worded[:count], "bar"), _line(worded[count:], "bar")
            if width(first) <= columns and width(second) <= columns:
                return first, second
    return [], []


def _variants(keys: Sequence[KeyHint]) -> Iterator[_Worded]:
    """What can be shown, from the fullest to the barest; the keys keep their order."""
    # If two weigh the same, the one further right goes first.
    order = sorted(range(len(keys)), key=lambda at: (keys[at].weight, -at))
    for gone in range(len(keys)):
        kept = order[gone:]
        for shorter in range(len(kept) + 1):
            yield [(keys[at].key, keys[at].text(short=at in kept[:shorter])) for at in sorted(kept)]


def _line(worded: _Worded, style: str) -> Line:
    line: Line = [(f"class:{style}", " ")]
    for number, (key, word) in enumerate(worded):
        gap = "" if number == len(worded) - 1 else "  "
        line += [(f"class:{style}.key", key), (f"class:{style}", f" {word}{gap}")]
    return line


def note_line(
    note: str, keys: Sequence[KeyHint], columns: int, style: str, *, alarm: bool = False
) -> Line:
    """A note at the left, keys at the right. An alarm comes first, and the keys get the room that
    it leaves. Any other note displaces the keys that weigh less, and is cut if that is not
    enough; if hardly anything of it would be left, the keys get the whole line."""
    first: Line = [(f"class:{'alarm' if alarm else style}", f" {note} ")] if note else []
    if alarm:
        first = shorten(first, columns)
        return _beside(first, hints(keys, columns - width(first) - 1, style), columns, style)
    if not first:
        return _beside([], hints(keys, columns, style), columns, style)
    heavy = [key for key in keys if key.weight > Weight.NOTE]
    last = hints(keys, columns - width(first) - 1, style)
    if heavy and _count(last) < len(heavy):
        last = _line([(key.key, key.text(short=True)) for key in heavy], style)
        if columns - width(last) < LEAST_NOTE:
            return _beside([], hints(keys, columns, style), columns, style)
    return _beside(first, last, columns, style)


def _count(line: Line) -> int:
    """How many keys a line of keys shows."""
    return len(line) // 2


def _beside(first: Line, last: Line, columns: int, style: str) -> Line:
    return [*fit(first, columns - width(last), f"class:{style}"), *last]

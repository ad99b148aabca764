"""The two lines at the bottom: they belong to the viewer.

What may be done now, each thing with its key, and nothing that may not; else whom the
table waits for. A key that was refused says why there.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.screen.gamescreen import Choice, Menu, Pick
from client.screen.lines import Line, cut, fit, shorten, spread, width

KeyHint = tuple[str, str]
"""A key and the word for what it does."""


def hints(keys: Sequence[KeyHint], columns: int, style: str = "bar") -> Line:
    """Keys with their words. Where that is too much the last ones lose their words, from the
    end; only where even the bare keys are too many some are missing."""
    for worded in range(len(keys), 0, -1):
        line = _hints(keys, worded, style)
        if width(line) <= columns:
            return line
    line = []
    for count in range(1, len(keys) + 1):
        more = _hints(keys[:count], 1, style)
        if width(more) > columns:
            break
        line = more
    return line


def _hints(keys: Sequence[KeyHint], worded: int, style: str) -> Line:
    line: Line = [(f"class:{style}", " ")]
    for number, (key, word) in enumerate(keys):
        gap = "" if number == len(keys) - 1 else "  "
        line.append((f"class:{style}.key", key))
        line.append((f"class:{style}", f" {word}{gap}" if number < worded else gap))
    return line


def hint_rows(keys: Sequence[KeyHint], columns: int) -> tuple[Line, Line]:
    """The keys on two lines, with their words as far as these fit."""
    for count in range(len(keys), 0, -1):
        if width(_hints(keys[:count], count, "bar")) <= columns:
            return hints(keys[:count], columns), hints(keys[count:], columns)
    return hints(keys, columns), []


def choices(menu: Menu, columns: int) -> Line:
    """The menu's line: in full, or with the short words if that is too long."""
    for short in (False, True):
        line: Line = [("class:mine.title", f"► {menu.title}  ")]
        for choice in menu.choices:
            line += _choice(choice, short)
        if width(line) <= columns:
            break
    return fit(line, columns, "class:mine")


def _choice(choice: Choice, short: bool) -> Line:
    word = choice.short if short else choice.label
    return [("class:mine.key", f" {choice.key} "), ("class:mine", f" {word}  ")]


def picking(pick: Pick, picked: Sequence[int], columns: int, *, back: bool) -> tuple[Line, Line]:
    """The two lines while tiles are chosen: the items, and how to go on; `back`: whether
    one may do something else instead."""
    for short in (False, True):
        line: Line = [("class:mine.title", "► " if short else f"► {pick.title}  ")]
        for number, item in enumerate(pick.items):
            times = list(picked).count(number)
            style = "class:mine.picked" if times else "class:mine"
            word = item.short if short else item.label
            mark = ("√" * times) if times else ""
            line += [
                ("class:mine.key", f" {number + 1} "),
                (style, f"{word}{mark} " if short else f" {word} {mark} "),
            ]
        if width(line) <= columns:
            break
    ready = pick.least <= len(picked) <= pick.most
    need = f"{len(picked)} of {pick.most} chosen"
    if pick.least < pick.most:
        need = f"{len(picked)} chosen, up to {pick.most}"
    keys: list[KeyHint] = [("ENTER", "do it")] if ready else []
    keys += [("⌫", "clear")] if picked else []
    keys += [("ESC", "back")] if back else []
    last = hints(keys, columns, "mine")
    first: Line = [("class:mine.title", f" {need} ")]
    long: Line = [("class:mine.title", f" {pick.title}: {need} ")]
    if short and width(long) + width(last) <= columns:
        first = long
    return fit(line, columns, "class:mine"), fit([*first, *last], columns, "class:mine")


def note_line(
    note: str, keys: Sequence[KeyHint], columns: int, style: str, *, alarm: bool = False
) -> Line:
    """The second line: a note at the left, the keys that always work at the right."""
    room = columns
    first: Line = []
    if note:
        kind = "class:alarm" if alarm else f"class:{style}"
        least = _hints(keys, 1, style) if keys else []
        first = [(kind, f" {note} ")]
        if not alarm and width(first) + width(least) + 1 > columns:
            # What is at stake lies on the table too; a key that nobody sees is nowhere else.
            first = [(kind, cut(f" {note}", max(columns // 2, columns - width(least) - 2)) + " ")]
        first = shorten(first, columns)
        room = columns - width(first) - 1
    last = hints(keys, max(0, room), "bar" if style == "bar" else style)
    return (
        spread(first, last, columns, f"class:{style}")
        if last
        else fit(first, columns, f"class:{style}")
    )

"""The choices of a prompt, each with its key, and the things to pick for one. Does not know the
screen's state.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.screen.game_api import Menu, Pick
from client.screen.key_hints import KeyHint, Weight, hints
from client.screen.lines import Line, cut, first_fitting, fit, width


def choices(menu: Menu, columns: int) -> Line:
    """The menu's line: in full; if that is too long with short words, then without its title, and
    at last with as much of each word as fits."""
    title = f"► {menu.title} "
    some = _room(columns - 2, len(menu.choices), 4)
    variants = [
        _choices(f"{title} ", [(one.key, f" {one.label}  ") for one in menu.choices]),
        _choices(f"{title} ", [(one.key, f" {one.short}  ") for one in menu.choices]),
        _choices(title, [(one.key, f"{one.short} ") for one in menu.choices]),
        _choices("► ", [(one.key, f"{one.short} ") for one in menu.choices]),
        _choices("► ", [(one.key, f"{cut(one.short, some, '')} ") for one in menu.choices]),
    ]
    return fit(first_fitting(variants, columns), columns, "class:mine")


def _choices(title: str, worded: Sequence[tuple[str, str]]) -> Line:
    line: Line = [("class:mine.title", title)]
    for key, word in worded:
        line += [("class:mine.key", f" {key} "), ("class:mine", word)]
    return line


def _room(columns: int, count: int, beside: int) -> int:
    """Cells for the word of each of `count` things, which takes `beside` more cells."""
    return max(2, columns // max(1, count) - beside)


def picking(
    pick: Pick, picked: Sequence[int], columns: int, keys: Sequence[KeyHint]
) -> tuple[Line, Line]:
    """The two lines while several things are chosen: the items, and the keys that go on."""
    items = _items(pick, picked, columns)
    titled = width(items[0]) <= columns
    line = items[0] if titled else first_fitting(items[1:], columns)
    need = f"{len(picked)} of {pick.most} chosen"
    if pick.least < pick.most:
        need = f"{len(picked)} chosen, up to {pick.most}"
    least = width(hints([key for key in keys if key.weight > Weight.LIGHT], columns, "mine"))
    counts = [f" {need} ", f" {len(picked)} of {pick.most} ", ""]
    variants: list[Line] = [[("class:mine.title", count)] for count in counts]
    if not titled:
        variants.insert(0, [("class:mine.title", f" {pick.title}: {need} ")])
    first = first_fitting(variants, columns - least)
    last = hints(keys, columns - width(first), "mine")
    return fit(line, columns, "class:mine"), fit([*first, *last], columns, "class:mine")


def pointing(title: str, label: str, columns: int) -> Line:
    """The first of the two lines while something is pointed at: what for, and at what."""
    line: Line = [("class:mine.title", f"► {title} "), ("class:mine.picked", f" {label} ")]
    return fit(line, columns, "class:mine")


def _items(pick: Pick, picked: Sequence[int], columns: int) -> list[Line]:
    """The items with their numbers: with a title, in fewer words, and as short as necessary."""
    lines: list[Line] = [
        [("class:mine.title", f"► {pick.title}  ")],
        [("class:mine.title", "► ")],
        [("class:mine.title", "►")],
    ]
    room = _room(columns - 1, len(pick.items), 3)
    for number, item in enumerate(pick.items):
        times = picked.count(number)
        style = "class:mine.picked" if times else "class:mine"
        mark = "√" * times
        short = cut(item.short, max(1, room - times), "")
        texts = (f" {item.label} {mark} ", f"{item.short}{mark} ", f"{short}{mark}")
        for line, text in zip(lines, texts, strict=True):
            line += [("class:mine.key", f" {number + 1} "), (style, text)]
    return lines

"""A player who looks at the screen and presses keys, and knows nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from tests.terminal.terminal import Terminal

LONGEST = 90.0
"""Seconds that a whole game may take."""
CODE = re.compile(r"\w+-\d+$", re.M)


def asked(terminal: Terminal) -> tuple[str, str]:
    """The two lines at the bottom."""
    lines = terminal.lines()
    return lines[-2].rstrip(), lines[-1].rstrip()


def code_shown(terminal: Terminal) -> str:
    """The code of the table that shows, at the end of a line, for others to join."""
    found = CODE.search(terminal.until(CODE))
    assert found is not None
    return found.group()


def press_something(terminal: Terminal) -> bool:
    """Answer what the bottom lines ask, if they ask anything: go on, else the first
    thing that is offered. Whether a key was pressed."""
    first, second = asked(terminal)
    if "any key" in second:
        terminal.press(" ")
    elif "Your turn" in first:
        track_full = " d " not in first
        terminal.press("r" if track_full else "d")
    elif "Your bid" in first:
        bids = re.findall(r" (\d+)  bid", first)
        lowest = bids[-1] if bids else "p"
        terminal.press(*lowest)
        if any(bid != lowest and bid.startswith(lowest) for bid in bids):
            terminal.press("enter")
    elif "Your choice" in first:
        terminal.press("B")
    elif "chosen" in second:
        return _choose(terminal, first, second)
    else:
        return False
    return True


def _choose(terminal: Terminal, first: str, second: str) -> bool:
    """Pick the next thing, or go on when enough is picked. A key pressed once more than there
    are such things would take the pick back: wait until it shows, in the line drawn last."""
    if "ENTER" in second:
        terminal.press("enter")
    else:
        # Three spaces end a heading, which may name a number itself: "give up 2 monuments".
        offered = " " + (first.partition("   ")[2] or first)
        items = re.findall(r" (\d) +(\S.*?)(?= \d +\S|$)", offered)
        key = next((key for key, label in items if label.count("√") < _many(label)), None)
        if key is None:
            return False  # half drawn
        terminal.press(key)
    terminal.until(lambda t: asked(t)[1] != second)
    return True


def _many(label: str) -> int:
    """How many of a thing there are: two of "Astro x2"."""
    found = re.search(r" x(\d+)", label)
    return int(found.group(1)) if found else 1


def play(
    terminals: Sequence[Terminal],
    over: Callable[[Terminal], bool],
    press: Callable[[Terminal], bool] = press_something,
) -> int:
    """Play at all terminals until the game is over on each; how many keys were pressed."""
    pressed = 0
    end = time.monotonic() + LONGEST
    answered: dict[Terminal, str] = {}
    while True:
        # Read before anything is asked of the screens: what changes meanwhile counts as a change.
        seen = [terminal.text for terminal in terminals]
        if all(over(terminal) for terminal in terminals):
            return pressed
        assert time.monotonic() < end, _screens("the game does not end", terminals)
        acted = False
        for terminal, text in zip(terminals, seen, strict=True):
            if text != answered.get(terminal) and press(terminal):
                answered[terminal] = text
                pressed += 1
                acted = True
        if not acted:
            _until_changed(terminals, seen)


def _until_changed(terminals: Sequence[Terminal], seen: Sequence[str]) -> None:
    def changed(_: Terminal) -> bool:
        return [terminal.text for terminal in terminals] != seen

    try:
        terminals[0].until(changed)
    except AssertionError:
        raise AssertionError(_screens("the game stands still", terminals)) from None


def _screens(trouble: str, terminals: Sequence[Terminal]) -> str:
    return "\n\n".join([f"{trouble}:", *(terminal.text for terminal in terminals)])

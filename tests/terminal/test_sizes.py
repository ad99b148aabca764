"""Windows of every size, names of every width, during a running game (B23)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from client.text import width
from tests.terminal.conftest import Open
from tests.terminal.playing import asked, code_shown
from tests.terminal.terminal import Terminal

NAMES = ("日本語プレイヤー", "👨‍👩‍👧‍👦 fam", "❤️ heart", "e\u0301te\u0301", "한글이름")


def board(terminal: Terminal) -> bool:
    return "Ra track" in terminal.text and asked(terminal)[0] != ""


def my_turn(terminal: Terminal) -> bool:
    """The present is shown and something is asked of us; else a key shows more."""
    first, second = asked(terminal)
    if "any key" in second:
        terminal.press(" ")
    return first.startswith("► ")


def row(terminal: Terminal, name: str) -> str:
    return next(line for line in terminal.lines() if name in line and "──" not in line)


def test_a_window_of_any_size(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "3", "--bots", "2")
    terminal.until(my_turn)
    for columns, rows in ((20, 5), (2, 2), (1, 1), (0, 0), (200, 60), (60, 20), (40, 12)):
        terminal.resize(columns, rows)
        if columns >= 60:
            terminal.until(_filled(columns, rows), "Ra track", "suns")
    terminal.until("too small", "60x20")

    # Too small for the board, but what may be done still shows and works.
    terminal.resize(20, 5)
    key = re.compile(r"60x20 needed.*► +(d|p|\d+) ", re.S)
    offered = key.search(terminal.until(key))
    assert offered is not None
    terminal.press(*offered.group(1))  # of suns the highest, and so no other begins with it
    terminal.resize(80, 24)
    terminal.until(lambda t: re.search(r"Anna (draws|bids|passes)", t.text) is not None)
    assert terminal.process.poll() is None
    assert {width(line) for line in terminal.lines()} == {80}


def _filled(columns: int, rows: int) -> Callable[[Terminal], bool]:
    """Whether the board is drawn at this size: its two last lines are at the bottom."""

    def filled(terminal: Terminal) -> bool:
        lines = terminal.lines()
        full = len(lines) == rows and {width(line) for line in lines} == {columns}
        return full and "Ra track" in terminal.text and "help" in lines[-1]

    return filled


def test_a_hundred_resizes_while_bots_play(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "4", "--bots", "3")
    terminal.until(board)
    sizes = random.Random(7)
    for _ in range(100):
        terminal.resize(sizes.randint(1, 130), sizes.randint(1, 45))
        terminal.press(" ")
    terminal.resize(80, 24)
    terminal.until(lambda t: my_turn(t) and _filled(80, 24)(t))
    assert terminal.process.poll() is None
    terminal.press("ctrl-d")
    assert terminal.ended() == 0
    assert terminal.errors == ""


def test_wide_names_leave_the_columns_where_they_are(client: Open) -> None:
    host = client(NAMES[0], "--create", "--seats", "5")
    code = code_shown(host)
    guests = [client(name, code) for name in NAMES[1:]]
    guests[-1].until("Ra track")
    for columns, rows in ((80, 24), (60, 20)):
        host.resize(columns, rows)
        host.until(_aligned)
        assert len(host.lines()) == rows


def _aligned(terminal: Terminal) -> bool:
    """Whether all five players have a row whose points stand in one column."""
    if "any key" in terminal.lines()[-1]:
        terminal.press(" ")
    lines = [line for line in terminal.lines() if re.search(r" (10|\?) *$", line)][:5]
    return len(lines) == 5 and len({width(line.rstrip()) for line in lines}) == 1

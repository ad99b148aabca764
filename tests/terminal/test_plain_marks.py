"""The board on a terminal of 8 bits, or of ASCII alone: whole, aligned, and without a mark that
means something else (C18)."""

from __future__ import annotations

import re
import sys

import pytest

from tests.terminal.filmed import RECORD
from tests.terminal.picture import ROOT, SEAT, STEP
from tests.terminal.terminal import Terminal

NAMES = ("Zoë", "Бор", "日本", "Dora")


def present(terminal: Terminal) -> bool:
    """Whether the present is shown; presses the key that shows it."""
    if "any key" in terminal.lines()[-1]:
        terminal.press(" ")
    return "> Your bid" in terminal.text and "help" in terminal.lines()[-1]


@pytest.mark.parametrize("columns", [60, 80])
def test_the_board_in_ascii(columns: int) -> None:
    filmed = [sys.executable, "-m", "tests.terminal.filmed", str(RECORD), str(SEAT), str(STEP)]
    with Terminal([*filmed, *NAMES], columns, environment={"LC_ALL": "C"}, folder=ROOT) as terminal:
        text = terminal.until(present, "AUCTION")
        assert bytes(terminal.output).isascii()
        shown = r"[> ] (Zoe|Bor|____|Dora) .* (10|\?) *"
        rows = [line for line in text.splitlines() if re.fullmatch(shown, line)]
        assert [row.split()[-1] for row in rows] == ["10", "?", "?", "?"]
        assert len({len(row.rstrip()) for row in rows}) == 1, "columns are aligned"
        assert "%% %%" in text, "suns that lie face down"
        assert re.search(r"Ra track +[*] +[*] +[.]|Ra track +[*] [*]", text)
        terminal.press("c")
        terminal.until("Say:")
        terminal.write("ä日".encode())
        terminal.press(*"x")
        terminal.until(re.compile(r"^> \S*x", re.M))
        assert "?" not in terminal.lines()[-1]

"""A game against bots alone, on the screen: another follows, and of nobody else is spoken."""

from __future__ import annotations

import re
from pathlib import Path

from tests.process.serving import program
from tests.terminal.playing import play
from tests.terminal.terminal import Terminal

CODE = re.compile(r"\A.*\b([0-9A-Z]{4}(?:\.[0-9A-Z]{4}){2})\b")


def over(terminal: Terminal) -> bool:
    return "The game is over." in terminal.text and " points" in terminal.text


def code_above(terminal: Terminal) -> str:
    """The code of the table, in the first line."""
    found = CODE.search(terminal.lines()[0])
    return "" if found is None else found[1]


def test_after_a_solo_game_comes_another_against_the_same_bots(tmp_path: Path) -> None:
    command = [program("ra-client"), "--solo", "1", "--level", "easy", "--name", "Anna"]
    with Terminal(command, folder=tmp_path) as terminal:
        terminal.until("Ra track", code_above)
        first = code_above(terminal)
        play([terminal], over)
        terminal.until("n new game", lambda t: "b tables" not in t.lines()[-1])
        terminal.press("b")
        terminal.until("“b” does nothing here", "The game is over.")
        terminal.press("n")
        terminal.until("Ra track", "epoch I of III", "Anna", "easy bot", "h hint")
        assert code_above(terminal) not in ("", first)
        terminal.press("q")
        terminal.until("This game then ends.")
        terminal.press("y")
        assert terminal.ended() == 0
        assert terminal.errors == ""
        for word in (b"tell the others", b"elsewhere", b"no open table", b"free", b"Come back"):
            assert word not in terminal.output

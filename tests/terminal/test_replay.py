"""`ra-replay` on a terminal: the same board, step by step, through any eyes."""

from __future__ import annotations

import re

from tests.process.serving import program
from tests.terminal.filmed import RECORD
from tests.terminal.terminal import Terminal


def open_points(terminal: Terminal) -> bool:
    """Whether nobody's points are hidden."""
    return "?" not in "".join(line[-3:] for line in terminal.lines()[8:14])


def test_a_record_is_stepped_through() -> None:
    with Terminal([program("ra-replay"), str(RECORD), "--at", "136"]) as terminal:
        all_seen = re.compile(r"\A.*all is seen")
        terminal.until(re.compile(r"step 136 of \d+"), "AUCTION", all_seen, open_points)

        terminal.press("right")
        terminal.until("step 137 of")
        terminal.press("left", "left")
        terminal.until("step 135 of")
        terminal.press("pagedown")
        terminal.until("step 145 of")

        terminal.press("e")
        terminal.until("epoch III of III")
        terminal.press("E")
        terminal.until("epoch II of III")

        terminal.press("g")
        terminal.until("Go to step")
        terminal.press(*"136", "enter")
        terminal.until("step 136 of")

        # Through a spectator's eyes points and face-down suns are hidden.
        terminal.press("v")
        terminal.until("a spectator's view", re.compile(r"▒▒.*\?$", re.M))
        terminal.press("v")
        terminal.until(re.compile(r"as .* saw it"), "you")

        terminal.press("t")
        terminal.until("tiles are left in the bag")
        terminal.press("x", "?")
        terminal.until("through whose eyes")
        terminal.press("x", "end")
        terminal.until("THE END")
        terminal.press("s")
        terminal.until(re.compile(r"► .* +I "))

        terminal.press("x", "q")
        assert terminal.ended() == 0
        assert terminal.settings() == terminal.before
        assert terminal.errors == ""


def test_it_plays_by_itself_and_ends_by_ctrl_c() -> None:
    with Terminal([program("ra-replay"), str(RECORD), "--at", "20"], 60, 20) as terminal:
        terminal.until("step 20 of")
        terminal.press("p")
        terminal.until("playing")
        terminal.until(re.compile(r"step (2[1-9]|[3-9]\d|\d{3}) of"))
        terminal.press("ctrl-c")
        assert terminal.ended() == 130
        assert terminal.settings() == terminal.before

"""Two people on full screens and a bot play a whole game of Raja by keys alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from zlib import crc32

from tests.process.serving import program
from tests.terminal.conftest import Open
from tests.terminal.playing import asked, code_shown, play
from tests.terminal.terminal import Terminal


def over(terminal: Terminal) -> bool:
    text = terminal.text
    return "The game is over." in text and re.search(r"wins? with \d+ palace", text) is not None


def press_something(terminal: Terminal) -> bool:
    """Answer what the bottom lines ask, if they ask anything: what brings most comes first."""
    first, second = asked(terminal)
    if "any key" in second:
        terminal.press(" ")
    elif "arrows" in second:
        terminal.press("right", "enter")
    elif "1 of" in second or "0 of" in second:
        # two houses and a palace, or whatever single thing is to be picked
        terminal.press("4" if "0 of 2" in second else "6" if "1 of 2" in second else "1")
    elif "chosen" in second:
        terminal.press("enter")
    elif "►" in first:
        offered = re.sub(r"►( Your turn|.*[Tt]ake a character)? *", " ", first)
        keys = re.findall(r" ([a-z0-9]) +[A-Za-z]", offered)
        if not keys:
            return False  # half drawn
        roads = [key for key in keys if key.isdigit()]
        # What can be done, else one road in three, else the end of the turn.
        onward = roads if "e" in keys and crc32(terminal.text.encode()) % 3 == 0 else []
        terminal.press(next(key for key in (*"gfpoad", *onward, "e", *roads) if key in keys))
    else:
        return False
    terminal.until(lambda t: asked(t) != (first, second))
    return True


def test_a_game_of_raja_from_the_form_to_the_record(client: Open, tmp_path: Path) -> None:
    options = ("--create", "--game", "raja", "--ruleset", "short", "--seats", "3", "--bots", "1")
    anna = client("Anna", *options)
    code = code_shown(anna)
    boris = client("Boris", columns=60, rows=20)
    boris.until(code)
    boris.press("enter")
    for terminal in (anna, boris):
        terminal.until("BIKANER", "CHITTOR", lambda t: code in t.lines()[0])
    assert play([anna, boris], over, press_something) > 60

    won = re.compile(r"(?:You|Anna|Boris|\w+ bot 3) wins? with (\d+) palace")
    found = won.search(anna.until(won))
    assert found is not None
    boris.until(f"with {found.group(1)} palace")
    anna.press("v")
    anna.until("THE END", "WON")
    anna.press("w")
    anna.until(f"Saved: {code}.ra")
    verified = subprocess.run(
        [program("ra-replay"), "--verify", str(tmp_path / f"{code}.ra")],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    for terminal in (anna, boris):
        terminal.press("q")
        assert terminal.ended() == 0

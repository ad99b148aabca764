"""Two people on full screens and a bot play a whole game by keys alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.process.serving import program
from tests.terminal.conftest import Open
from tests.terminal.playing import asked, play
from tests.terminal.terminal import Terminal


def over(terminal: Terminal) -> bool:
    text = terminal.text
    return "The game is over." in text and " points" in text


def test_a_game_from_the_invitation_to_the_record(client: Open, tmp_path: Path) -> None:
    anna = client("Anna", "--create", "--seats", "3", "--bots", "1")
    invitation = re.compile(
        r"ra-client (\S+) (\w+-\d+)$.*1 +Anna +you, host.*seats are taken", re.S | re.M
    )
    room = anna.until(invitation)
    found = invitation.search(room)
    assert found is not None
    code = found.group(2)
    assert "· free ·" in room

    boris = client("Boris", columns=60, rows=20)
    assert code in boris.until(code)
    boris.press("enter")

    # The table is full, the match starts: both see the same table.
    for terminal in (anna, boris):
        terminal.until(re.compile(r"Ra track.*Ph Ni Fl Gd Go.*help", re.S))
        assert code in terminal.lines()[0]
    assert "epoch I of III" in anna.lines()[0]
    assert "you" in next(line for line in anna.lines() if " Anna " in line)

    # Somebody is asked; who is not asked is told whom the table waits for.
    def decided(terminal: Terminal) -> bool:
        line = asked(terminal)[0]
        return (
            "► Your" in line or "more to show" in line or "'s turn" in line or "Waiting for" in line
        )

    anna.until(decided)
    pressed = play([anna, boris], over)
    assert pressed > 40

    # The result, the same on both screens, and every sheet.
    end = anna.until(over)
    found = re.search(r"(?:You|Boris|\w+ bot 3) wins? with (\d+) points", end)
    assert found is not None
    assert f"with {found.group(1)} points" in boris.text
    for epoch in ("I", "II", "III"):
        assert len(re.findall(rf" {epoch} +[-+·\d].* \d+$", end, re.M)) == 3

    anna.press("v")
    board = anna.until("THE END")
    assert "WON" in board
    assert "?" not in "".join(line[-4:] for line in board.splitlines()[8:16])

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
        assert terminal.settings() == terminal.before

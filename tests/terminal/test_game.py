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


def sheets(terminal: Terminal) -> bool:
    """Whether a row shows for each epoch of each of three players."""
    text = terminal.text
    rows = [re.findall(rf" {epoch} +[-+·\d].* \d+$", text, re.M) for epoch in ("I", "II", "III")]
    return [len(found) for found in rows] == [3, 3, 3]


def open_points(terminal: Terminal) -> bool:
    """Whether nobody's points are hidden."""
    return "?" not in "".join(line[-4:] for line in terminal.text.splitlines()[8:16])


def test_a_game_from_the_invitation_to_the_record(client: Open, tmp_path: Path) -> None:
    anna = client("Anna", "--create", "--seats", "3", "--bots", "1")
    invitation = re.compile(
        r"ra-client (\S+) (\w+-\d+)$.*1 +Anna +you, host.*seats are taken", re.S | re.M
    )
    found = invitation.search(anna.until(invitation, "· free ·"))
    assert found is not None
    code = found.group(2)

    boris = client("Boris", columns=60, rows=20)
    boris.until(code)
    boris.press("enter")

    # The table is full, the match starts: both see the same table.
    for terminal in (anna, boris):
        board = re.compile(r"Ra track.*Ph Ni Fl Gd Go.*help", re.S)
        terminal.until(board, lambda t: code in t.lines()[0])
    anna.until(re.compile(r"\A.*epoch I of III"), re.compile(r"^.* Anna .*\byou\b", re.M))

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
    won = re.compile(r"(?:You|Boris|\w+ bot 3) wins? with (\d+) points")
    found = won.search(anna.until(won, sheets))
    assert found is not None
    boris.until(f"with {found.group(1)} points")

    anna.press("v")
    anna.until("THE END", "WON", open_points)

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

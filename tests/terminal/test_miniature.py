"""A game without a screen of its own is played on the full screen all the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.miniature import environment
from tests.process.serving import program
from tests.terminal.terminal import Terminal


def test_the_miniature_is_played_to_the_end(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [program("ra-server"), "--port", "0", "--memory", "--log", "off"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert server.stdout is not None
    try:
        address = f"127.0.0.1:{server.stdout.readline().strip().rsplit(':', 1)[1]}"
        table = ("--create", "--game", "miniature", "--seats", "2", "--bots", "1")
        command = [program("ra-client"), address, *table, "--name", "Anna", "--data", str(tmp_path)]
        with Terminal(command, environment=environment()) as terminal:
            for number in (1, 2, 3):
                terminal.until(f"Round {number} of 3")
                terminal.until(lambda t: "► Your choice" in t.text or show_more(t))
                terminal.press("2")
            text = terminal.until(lambda t: "The game is over." in t.text or show_more(t))
            assert "Won by" in text
            assert "points" in text
            terminal.press("q")
            assert terminal.ended() == 0
            assert terminal.settings() == terminal.before
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def show_more(terminal: Terminal) -> bool:
    """Press the key that shows the present, where it is offered."""
    if "any key" in terminal.lines()[-1]:
        terminal.press(" ")
    return False

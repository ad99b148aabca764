"""A game without a screen of its own is played on the full screen all the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.miniature import environment
from tests.process.serving import program
from tests.terminal.playing import play
from tests.terminal.terminal import Terminal


def test_the_miniature_is_played_to_the_end(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [program("ra-server"), "--port", "0", "--memory"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    )
    assert server.stdout is not None
    try:
        address = f"127.0.0.1:{server.stdout.readline().strip().rsplit(':', 1)[1]}"
        table = ("--create", "--game", "miniature", "--seats", "2", "--bots", "1")
        command = [program("ra-client"), address, *table, "--name", "Anna", "--data", str(tmp_path)]
        with Terminal(command, environment=environment()) as terminal:
            terminal.until("Round 1 of 3")
            pressed = play([terminal], lambda t: "The game is over." in t.text)
            assert pressed >= 3
            terminal.until("points", "Won by")
            terminal.press("q")
            assert terminal.ended() == 0
            assert terminal.settings() == terminal.before
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()

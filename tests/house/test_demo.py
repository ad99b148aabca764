"""The demo game of `make play` without a terminal: played, told, recorded, replayed, verified."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.demo.spectator import Spectator
from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link
from tests.client.online import QUICK
from tests.client.wire_cutter import proxy
from tests.house.places import ROOT
from tests.patience import PATIENCE
from tests.server.peer import server


def demo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the demo with `folder` as home and place for temporary files."""
    return subprocess.run(
        [sys.executable, "-m", "client.demo", *arguments],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_again_and_again_and_nothing_is_left_behind(tmp_path: Path) -> None:
    for _ in range(2):
        done = demo(tmp_path)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        assert done.stderr == ""
        assert "easy bot 1 draws" in done.stdout
        assert "The game is over." in done.stdout
        assert not list(tmp_path.iterdir())


def test_the_record_is_kept_where_it_is_wanted(tmp_path: Path) -> None:
    record = tmp_path / "kept.ra"
    assert demo(tmp_path, "--record", str(record)).returncode == 0
    assert record.read_bytes()[1:6] == b"RAREC"


def test_games_differ(tmp_path: Path) -> None:
    assert demo(tmp_path).stdout != demo(tmp_path).stdout


def printed(folder: Path, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the demo as `$@` of a line of shell; what came out of that, and was said."""
    return subprocess.run(
        ["/bin/bash", "-c", command, "sh", sys.executable, "-m", "client.demo", *arguments],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("lines", [1, 100])
def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path, lines: int) -> None:
    seen = f"head -{lines}"
    done = printed(tmp_path, f'set -o pipefail; "$@" | {seen}')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == lines
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_said_at_once(tmp_path: Path, output: str) -> None:
    done = printed(tmp_path, f'exec "$@" {output}')
    assert done.returncode == 1
    assert done.stderr.startswith("demo: standard output ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("where", ["nowhere/x", ".", "/dev/full"])
def test_a_record_that_cannot_be_kept_is_said(tmp_path: Path, where: str) -> None:
    done = demo(tmp_path, "--record", str(tmp_path / where))
    assert done.returncode == 1
    assert done.stderr.startswith(f"demo: {tmp_path / where} cannot be written: ")
    assert done.stderr.count("\n") == 1
    # What nobody can know before it is tried is said after the game, not after six of them.
    assert done.stdout.count("Table ") == (1 if where == "/dev/full" else 0)
    assert not list(tmp_path.iterdir())


def test_a_record_that_was_there_is_not_lost_to_a_game_that_is_broken_off(tmp_path: Path) -> None:
    record = tmp_path / "kept.ra"
    record.write_bytes(b"an older one")
    assert printed(tmp_path, '"$@" | head -1', "--record", str(record)).returncode == 0
    assert record.read_bytes() == b"an older one"
    record.unlink()
    assert printed(tmp_path, '"$@" | head -1', "--record", str(record)).returncode == 0
    assert not list(tmp_path.iterdir())


async def test_a_connection_that_breaks_does_not_begin_another_game(tmp_path: Path) -> None:
    told: list[str] = []
    record = tmp_path / "kept.ra"
    async with server() as app, proxy(app.port) as between:
        conversation = Conversation(Identity("demo", "Demo"))
        link = Link(Address("127.0.0.1", between.port), conversation, QUICK)

        def tell(line: str) -> None:
            told.append(line)
            if len(told) in (3, 30):
                between.cut()

        conversation.listeners.append(Spectator(conversation, link, record, tell).hear)
        async with asyncio.timeout(PATIENCE):
            await link.run()
        assert between.connections == 3
    assert len([line for line in told if line.startswith("Table ")]) == 1
    assert "The game is over." in told[-1]
    assert record.exists()

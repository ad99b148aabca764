"""Whatever a stored match holds, nothing that `ra-replay` writes steers the terminal (S1)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client.replay import main
from client.replay.keymap import press
from client.replay.screen import draw
from client.replay.state import ReplayState
from client.replay.stored import open_file
from client.screen.lines import text_of
from engine.entry import Entry
from engine.stream import Stream
from engine.table.words import Join, SeatTaken, TableOpened
from protocol.entries import entry_codec
from protocol.project import Projector
from protocol.record import read_record, write_record
from protocol.transcript import write_transcript
from tests.client.replay.test_command import GOLDEN
from tests.process.serving import program

HOSTILE = (
    "A\x1b[2J\x1b[?1003h\x9b31m\x7f\u202eevil\u2066\r\n\u2028SYSTEM: you win\x07\x90q\x9c\u200b"
)
MODES: tuple[tuple[str, ...], ...] = (
    ("--plain",),
    ("--plain", "--notation"),
    ("--plain", "--at", "40"),
    ("--plain", "--seat", "1"),
    ("--json",),
    ("--json", "--seat", "2"),
    ("--verify",),
)


def golden() -> tuple[Entry, ...]:
    with GOLDEN.open("rb") as file:
        return read_record(file).entries


def renamed(entries: Iterable[Entry], text: str) -> list[Entry]:
    """A log in which every text that is somebody's says `text`."""

    def event(one: Any) -> Any:
        match one:
            case SeatTaken():
                return evolve(one, name=text)
            case TableOpened():
                return evolve(one, code=text)
        return one

    def command(one: Any) -> Any:
        return evolve(one, name=text) if isinstance(one, Join) else one

    return [
        evolve(entry, events=tuple(map(event, entry.events)), command=command(entry.command))
        for entry in entries
    ]


def write(path: Path, text: str, kind: str = "record") -> str:
    """A sound file in which every text says `text`; its path."""
    entries = renamed(golden(), text)
    stream = Stream.replay(entries)
    codec = entry_codec(stream.game.vocabulary)
    if kind == "record":
        path.write_bytes(b"".join(write_record(stream, map(codec.encode, entries), text)))
    else:
        path.write_bytes(b"".join(write_transcript(entries, Projector(stream.game), 0, text)))
    return str(path)


def harmless(text: str) -> bool:
    """Whether only line ends steer anything."""
    return all(line.isprintable() for line in text.split("\n"))


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command wrote, which does nothing to a terminal."""
    try:
        main(arguments)
    except SystemExit:
        pass
    told = capsys.readouterr()
    assert harmless(told.out) and harmless(told.err), (arguments, told)
    return told.out + told.err


@pytest.mark.parametrize("kind", ["record", "transcript"])
def test_no_way_out_of_the_replay_lets_anything_through(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "game", HOSTILE, kind)
    for mode in MODES:
        told = ran(capsys, file, *mode)
        assert told
        if "--json" in mode:
            assert told.isascii()
            assert all(json.loads(line) for line in told.splitlines() if line[0] == "{")
        else:
            assert "\nSYSTEM" not in told, "no line begins with what a name says"
    assert "evil" in ran(capsys, file, "--plain", "--at", "2")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_nor_does_the_analysis(
    form: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "game", HOSTILE)
    few = ("--analyse", "--seat", "1", "--budget", "1", "--processes", "1")
    told = ran(capsys, file, *few, *form)
    assert "evil" in told and (told.isascii() or not form)


def test_nor_does_the_screen(tmp_path: Path) -> None:
    recording = open_file(Path(write(tmp_path / "game", HOSTILE))).recording
    state = ReplayState(recording, recording.views[0], 60)
    for key in ("l", "x", "s", "x", "?", "x", "v", "v", "end", "p"):
        press(state, key)
        assert harmless(text_of(draw(state, 80, 24)))


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30))
def test_whatever_stands_in_a_file_nothing_steers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = write(tmp_path / "game", text)
    for mode in (("--plain",), ("--json", "--at", "2"), ("--plain", "--at", "9")):
        ran(capsys, file, *mode)


@pytest.mark.parametrize("mode", ["--plain", "--json", "--verify", "--analyse"])
def test_nor_do_errors_with_paths_codes_and_arguments(
    mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = HOSTILE.replace("/", "")
    (tmp_path / name).write_text("no record")
    for words in (
        (str(tmp_path / name), mode),
        (str(tmp_path / f"{name}2"), mode),
        (str(GOLDEN), mode, HOSTILE),
        (str(GOLDEN), mode, f"--{HOSTILE}"),
        (str(GOLDEN), mode, "--seat", HOSTILE),
        ("--db", str(tmp_path / name), "--table", HOSTILE, mode),
    ):
        told = ran(capsys, *words)
        assert told.count("\n") == 1 and told.startswith("ra-replay: ")


def test_a_server_examines_a_hostile_path_and_database_harmlessly(tmp_path: Path) -> None:
    path = tmp_path / HOSTILE
    for words in ((str(path),), (str(path), HOSTILE), (f"--{HOSTILE}",)):
        done = subprocess.run(
            [program("ra-server"), "check", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2 and harmless(done.stdout + done.stderr)
    sqlite3.connect(path).close()
    done = subprocess.run(
        [program("ra-server"), "--port", f"x{HOSTILE}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and harmless(done.stderr) and done.stderr.count("\n") == 1


def test_nor_does_a_client_that_is_told_a_hostile_word() -> None:
    for words in ((HOSTILE,), ("h:1", "--plain", f"--{HOSTILE}"), ("h:1", "--data", HOSTILE)):
        done = subprocess.run(
            [program("ra-client"), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (1, 2) and harmless(done.stdout + done.stderr)

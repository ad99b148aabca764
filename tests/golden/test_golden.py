"""Golden games keep their events, their result and their bytes (README.md beside this)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from engine.entry import Event
from engine.ra.game import RA
from engine.ra.words.commands import COMMANDS
from engine.ra.words.notation import (
    parse_command,
    parse_happening,
    show_command,
    show_happening,
)
from engine.stream import Stream
from engine.table.words import Returned, SatIn, TakenBack, Voted
from engine.verify import Verdict, verify
from protocol.entries import entry_codec
from protocol.record import WholeRecord, read_record, write_record
from tests.golden.write import FOLDER, tell

GAMES = sorted(FOLDER.glob("*.ra"))


@pytest.fixture(params=GAMES, ids=[path.stem for path in GAMES])
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def read(path: Path) -> WholeRecord:
    return read_record(BytesIO(path.read_bytes()))


def test_the_record_verifies(path: Path) -> None:
    record = read(path)
    for finding in verify(record.entries, record.ending.result):
        assert finding.verdict is Verdict.HOLDS, finding


def test_the_record_is_written_again_byte_for_byte(path: Path) -> None:
    record = read(path)
    stream = Stream.replay(record.entries)
    codec = entry_codec(RA.vocabulary)
    bodies = map(codec.encode, record.entries)
    written = b"".join(write_record(stream, bodies, record.header.software))
    assert written == path.read_bytes()


def test_the_game_reads_as_it_did(path: Path) -> None:
    assert tell(read(path)) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_line_of_the_text_can_be_parsed(path: Path) -> None:
    for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if "> " in line:
            command = line.split("> ")[1]
            assert show_command(parse_command(command)) == command
        elif line.startswith("  "):
            happening = line.strip().split("] ")[-1]
            assert show_happening(parse_happening(happening)) == happening


def test_between_them_the_games_hold_every_command_and_event() -> None:
    events: set[type[Event]] = set()
    commands = set()
    for path in GAMES:
        for entry in read(path).entries:
            events.update(map(type, entry.events))
            commands.add(type(entry.command))
    assert set(RA.vocabulary.events.values()) <= events
    assert events >= {TakenBack, Voted, SatIn, Returned}
    assert set(COMMANDS.values()) <= commands


def test_every_game_is_in_the_readme() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in GAMES if f"| `{path.stem}` |" not in readme] == []
    assert GAMES

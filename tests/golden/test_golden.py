"""Golden games keep their events, their result and their bytes (README.md beside this)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from engine.entry import Event
from engine.game import find_game
from engine.stream import Stream
from engine.table.words import Returned, SatIn, TakenBack, Voted
from engine.verify import Verdict, verify
from protocol.entries import entry_codec
from protocol.record import WholeRecord, read_record, write_record
from tests.golden.write import FOLDER, NOTATIONS, tell

GAMES = sorted(FOLDER.rglob("*.ra"))


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
    codec = entry_codec(find_game(record.header.game).vocabulary)
    bodies = map(codec.encode, record.entries)
    written = b"".join(write_record(stream, bodies, record.header.software))
    assert written == path.read_bytes()


def test_the_game_reads_as_it_did(path: Path) -> None:
    assert tell(read(path)) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_line_of_the_text_can_be_parsed(path: Path) -> None:
    words = NOTATIONS[read(path).header.game]
    for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if "> " in line:
            command = line.split("> ")[1]
            assert words.show_command(words.parse_command(command)) == command
        elif line.startswith("  "):
            happening = line.strip().split("] ")[-1]
            assert words.show_happening(words.parse_happening(happening)) == happening


@pytest.mark.parametrize("name", NOTATIONS)
def test_between_them_the_games_hold_every_command_and_event(name: str) -> None:
    vocabulary = find_game(name).vocabulary
    events: set[type[Event]] = set()
    commands = set()
    for path in GAMES:
        record = read(path)
        for entry in record.entries if record.header.game == name else ():
            events.update(map(type, entry.events))
            commands.add(type(entry.command))
    assert set(vocabulary.events.values()) <= events
    assert set(vocabulary.commands.values()) <= commands
    if name == "ra":
        assert events >= {TakenBack, Voted, SatIn, Returned}


def test_every_game_is_in_the_readme() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in GAMES if f"| `{path.stem}` |" not in readme] == []
    assert GAMES

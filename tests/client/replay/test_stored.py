"""What `ra-replay` cannot read it names in one line of plain words, with a word for programs
where they read it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from client.replay import main
from client.replay.keymap import press
from client.replay.state import ReplayState
from client.replay.stored import open_file
from engine.entry import Entry
from engine.ra.deal import RaDeal
from engine.ra.words.happenings import AuctionWon, TileDrawn
from engine.stream import Stream
from engine.table.words import CloseReason, TableClosed
from protocol.entries import entry_codec
from protocol.record import read_record, write_record
from tests.client.replay.test_command import GOLDEN, database, refused, running


def test_what_cannot_be_read_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing")
    assert refused(capsys, missing, "--plain")[0] == 3
    assert refused(capsys, str(tmp_path), "--plain")[0] == 3
    assert refused(capsys, "--db", missing, "--table", "A-1", "--plain")[0] == 3
    assert refused(capsys, "--db", str(GOLDEN), "--table", "A-1", "--plain")[0] == 3


@pytest.mark.parametrize(
    ("made", "told", "coded"),
    [
        ("none", "no such file", "cannot_open"),
        ("text", "the file is not an SQLite database", "not_ours"),
        ("empty", "it is empty: no server has used it yet", "cannot_open"),
        ("folder", "Is a directory", "cannot_open"),
        ("torn", "its pages are damaged", "cannot_open"),
        ("forged", "the log of table KIWI-5 is damaged at entry 3", "changed"),
    ],
)
async def test_what_is_wrong_with_a_database_is_told_in_plain_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, made: str, told: str, coded: str
) -> None:
    played = running("ra", 10)
    path = await database(played, tmp_path)
    spoil(Path(path), made)
    table = played.stream.seating.code
    where = ("--db", path, "--table", table)
    told = told.replace("KIWI-5", table)
    for mode in ("--plain", "--verify"):
        code, line = refused(capsys, *where, mode)
        assert (code, line) == (1 if made == "forged" else 3, f"ra-replay: {path}: {told}\n")
    assert refused(capsys, *where, "--json")[1] == f"ra-replay: {path}: {coded}: {told}\n"


def spoil(path: Path, how: str) -> None:
    if how == "forged":
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE entries SET body = x'00' WHERE number = 3")
    elif how == "torn":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        path.unlink()
        if how == "folder":
            path.mkdir()
        elif how != "none":
            path.write_text("a page of text\n" * 20 if how == "text" else "")


@pytest.mark.parametrize("mode", ["--plain", "--json", "--verify"])
def test_an_unsound_file_is_named_and_nothing_of_it_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mode: str
) -> None:
    whole = GOLDEN.read_bytes()
    middle = len(whole) // 2
    damaged = bytearray(whole)
    damaged[middle] ^= 1
    file = tmp_path / "game.ra"
    for data, word in (
        (whole[:-5], "torn"),
        (whole[:middle], "torn"),
        (bytes(damaged), "damaged"),
        (whole + b"x", "trailing"),
        (whole[:8] + b"\0\7" + whole[10:], "future_format"),
        (b"", "not_ours"),
        (b"a page of text\n" * 100, "not_ours"),
    ):
        file.write_bytes(data)
        code, line = refused(capsys, str(file), mode)
        assert code == 1
        # a word for programs, and for people none that is made for programs
        assert f": {word}: " in line if mode == "--json" else f"{word}:" not in line
        assert "_" not in line.removeprefix(f"ra-replay: {file}: ") or mode == "--json"
        assert file.read_bytes() == data, "the file is left alone"


def test_names_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "\x1b[31mred\nline.ra"
    assert "\x1b" not in refused(capsys, str(file), "--plain")[1]


def crowded() -> bytes:
    """A record that folds, in which one entry draws far more tiles than a track holds."""
    with GOLDEN.open("rb") as file:
        whole = read_record(file).entries
    at = next(n for n, entry in enumerate(whole) if isinstance(entry.events[0], TileDrawn))
    many = evolve(whole[at], events=whole[at].events[:1] * 4096)
    events = (TableClosed(CloseReason.ABANDONED), whole[-1].events[-1])
    last = evolve(whole[-1], number=at + 2, seat=None, id=None, command=None, events=events)
    return stored([*whole[:at], many, last])


def stored(entries: Sequence[Entry], found: Stream | None = None, **bodies: bytes) -> bytes:
    """A record of entries, or of what is said to be `found` in them; `bodies` stand for the
    entries of their numbers (`_3=...`)."""
    stream = Stream.replay(entries) if found is None else found
    encode = entry_codec(stream.game.vocabulary).encode
    parts = [bodies.get(f"_{entry.number}") or encode(entry) for entry in entries]
    return b"".join(write_record(stream, parts, "test"))


def crafted(how: str) -> bytes:
    if how == "crowded":
        return crowded()
    with GOLDEN.open("rb") as file:
        whole = list(read_record(file).entries)
    found = Stream.replay(whole)
    if how == "deep":
        return stored(whole, found, _3=b"\x91" * 5000 + b"\xc0")
    at = next(n for n, entry in enumerate(whole) if entry.sealed and entry.sealed.deal)
    sealed = whole[at].sealed
    assert sealed is not None
    if how == "no deal":
        whole[at] = evolve(whole[at], sealed=evolve(sealed, deal=RaDeal((), ())))
    elif how == "twice":
        again = (*whole[at].events, *whole[at].events)
        whole[at] = evolve(whole[at], events=again)
    else:
        whole[at + 1] = evolve(whole[at + 1], events=(AuctionWon(0, 98, 99, ()),))
    return stored(whole, found)


@pytest.mark.parametrize("mode", ["--plain", "--json"])
@pytest.mark.parametrize("how", ["crowded", "deep", "no deal", "twice", "nonsense"])
def test_a_crafted_record_is_named_with_its_entry_and_in_plain_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, how: str, mode: str
) -> None:
    file = tmp_path / "game.ra"
    file.write_bytes(crafted(how))
    assert main([str(file), mode]) == 1
    line = capsys.readouterr().err
    word = "unreadable" if how == "deep" else "impossible"
    start = f"ra-replay: {file}: " + (f"{word}: " if mode == "--json" else "")
    assert line.startswith(start) and line.count("\n") == 1, line
    assert re.search(r"(entry|part) \d+", line.removeprefix(start)), line
    assert "Error" not in line and "update" not in line, line


def test_the_screen_names_such_a_record_too(tmp_path: Path) -> None:
    file = tmp_path / "game.ra"
    file.write_bytes(crowded())
    recording = open_file(file).recording
    state = ReplayState(recording, recording.views[0], 0, str(file))
    press(state, "end")
    state.tick(0.0)
    assert state.left is not None and state.left.code == 1
    assert state.left.text.startswith(f"{file}: what is stored does not fit together: entry ")


async def test_a_table_that_is_not_there_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = await database(running("ra", 1), tmp_path)
    assert refused(capsys, "--db", path, "--table", "NONE-1", "--plain")[0] == 3

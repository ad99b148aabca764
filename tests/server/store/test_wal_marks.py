"""C06: a write-ahead log that is not the file's own is refused, touching nothing; a database
that has merely crashed never is, however far its log had gone into the file."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.__main__ import main as ra_server
from server.store.port import StoreRefused
from server.store.reader import Reader
from server.store.schema import PAGE_BYTES
from server.store.sqlite import SqliteStore
from tests.server.store.streams import (
    add,
    bodies,
    contents,
    fill,
    log_of,
    other_program,
    quiet,
    until,
)


@contextmanager
def reader_of(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has begun to read: what is written from now on stays in the log."""
    with other_program(path) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()
        yield other


def crashed(path: Path, folder: Path) -> Path:
    """What a kill would leave of a store that is open on `path`, in another folder."""
    folder.mkdir()
    for name in (path.name, path.name + "-wal"):
        shutil.copy(path.with_name(name), folder / name)
    return folder / path.name


async def append(store: SqliteStore, code: str, count: int) -> None:
    for _ in range(count):
        history = await store.read(code)
        await add(store, code, history.position, len(history.rows) + 1)


def check_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever opens it is refused in one line that says what to do, and nothing changes."""
    before = contents(path.parent)
    with pytest.raises(StoreRefused, match="other_log"):
        SqliteStore(path)
    with pytest.raises(StoreRefused, match="other_log"):
        Reader(path)
    for command in ("check", "backup"):
        target = (str(path.parent.parent / "b"),) if command == "backup" else ()
        assert ra_server([command, str(path), *target]) == 2
        output = capsys.readouterr()
        assert output.err.count("\n") == 1 and "move that log away" in output.err, output
    assert contents(path.parent) == before


@pytest.mark.parametrize("taken", ["stopped", "quiet", "backup"])
async def test_c06_a_copy_put_over_a_crashed_database_is_refused_with_its_old_log(
    path: Path, tmp_path: Path, taken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monday = tmp_path / "monday.db"
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 5)
    if taken == "stopped":
        await store.close()
        shutil.copy(path, monday)
        store = SqliteStore(path)
        await append(store, "KIWI-42", 1)
    elif taken == "quiet":
        await quiet(path)
        shutil.copy(path, monday)
        await append(store, "KIWI-42", 1)  # the first in a new log, which goes in at once
        await until(lambda: monday.read_bytes() != path.read_bytes())
    else:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(monday)) as copy:
            source.backup(copy)
        await append(store, "KIWI-42", 1)
        await quiet(path)
    with reader_of(path):
        await append(store, "KIWI-42", 4)
        await fill(store, "FIG-7", 3)
        left = crashed(path, tmp_path / "left")
    await store.close()
    shutil.copy(monday, left)
    check_refused(left, capsys)
    log_of(left).rename(tmp_path / "away")  # as the line says
    store = SqliteStore(left)
    assert len(await bodies(store, "KIWI-42")) == 5
    await store.close()


@pytest.mark.parametrize("log", ["an older one", "another database's"])
async def test_c06_a_log_put_beside_a_database_is_refused(
    path: Path, tmp_path: Path, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = path if log == "an older one" else tmp_path / "other.db"
    store = SqliteStore(source)
    await fill(store, "KIWI-42", 2)
    with reader_of(source):
        await append(store, "KIWI-42", 3)
        old = crashed(source, tmp_path / "old")
    await append(store, "KIWI-42", 3)
    await store.close()
    if source != path:
        store = SqliteStore(path)
        await fill(store, "FIG-7", 3)
        await store.close()
    folder = tmp_path / "put"
    folder.mkdir()
    shutil.copy(path, folder / "ra.db")
    shutil.copy(log_of(old), folder / "ra.db-wal")
    check_refused(folder / "ra.db", capsys)


@pytest.mark.parametrize("there", ["nothing", "an empty file"])
async def test_c06_a_log_without_its_database_is_not_thrown_away(
    path: Path, tmp_path: Path, there: str
) -> None:
    """SQLite would delete it, with all that is in it."""
    store = SqliteStore(path)
    with reader_of(path):
        await fill(store, "KIWI-42", 2)
        left = crashed(path, tmp_path / "left")
    await store.close()
    left.unlink()
    if there == "an empty file":
        left.touch()
    before = contents(left.parent)
    with pytest.raises(StoreRefused, match="other_log"):
        SqliteStore(left)
    assert contents(left.parent) == before


async def test_a_checkpoint_that_was_cut_off_anywhere_is_none_of_that(
    path: Path, tmp_path: Path
) -> None:
    """Any pages of the log may have gone into the file before the kill, or all of them."""
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 5)
    await quiet(path)
    with reader_of(path):
        await append(store, "KIWI-42", 20)
        await fill(store, "FIG-7", 30)
        before = crashed(path, tmp_path / "before")
    await store.close()
    old, log = contents(before.parent).values()
    new = contents(path.parent)["ra.db"]
    rng = random.Random(3)
    for part in (0.0, *[rng.random() for _ in range(12)], 1.0):
        pages = []
        for at in range(0, max(len(old), len(new)), PAGE_BYTES):
            source = new if rng.random() < part or at >= len(old) else old
            pages.append(source[at : at + PAGE_BYTES])
        left = tmp_path / f"cut-{part}"
        left.mkdir()
        (left / "ra.db").write_bytes(b"".join(pages))
        (left / "ra.db-wal").write_bytes(log)
        store = SqliteStore(left / "ra.db")
        assert len(await bodies(store, "KIWI-42")) == 25
        assert len(await bodies(store, "FIG-7")) == 30
        await store.close()


async def test_a_database_from_before_marks_opens_with_the_log_of_its_crash(
    path: Path, tmp_path: Path
) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 2)
    await store.close()
    with other_program(path) as old:
        old.execute("DROP TABLE mark")
    with other_program(path) as old, reader_of(path):
        old.execute("UPDATE directory SET updated = 7777")
        left = crashed(path, tmp_path / "left")
    store = SqliteStore(left)
    found = await store.find("KIWI-42")
    assert found is not None and found.updated == 7777
    await append(store, "KIWI-42", 1)
    await store.close()
    store = SqliteStore(left)
    assert len(await bodies(store, "KIWI-42")) == 3
    await store.close()


async def test_crash_after_crash_goes_on_where_it_was(path: Path, tmp_path: Path) -> None:
    """Each time with a reader that keeps the log from being emptied, and so with a new start
    in the middle of a log."""
    store = SqliteStore(path)
    for turn in range(1, 6):
        with reader_of(path):
            await append(store, "KIWI-42", 2)
            left = crashed(path, tmp_path / f"left-{turn}")
            reading = reader_of(left)
            with reading:
                again = SqliteStore(left)
                await append(again, "KIWI-42", 1)
                twice = crashed(left, tmp_path / f"twice-{turn}")
                await again.close()
        await store.close()
        path = twice
        store = SqliteStore(path)
        assert len(await bodies(store, "KIWI-42")) == 3 * turn
    await store.close()

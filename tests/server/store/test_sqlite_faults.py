"""Faults of the disk, by real means: appends are refused with a code and did not happen,
reads go on, and the same store works again as soon as the cause is gone."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from server.store.port import START, Position, Row, StoreError, Unavailable, Unknown
from server.store.sqlite import SqliteStore
from tests.patience import until
from tests.server.store.streams import add, bodies, body, fill, listed, other_program


async def _refused_then_fine(store: SqliteStore, ends: list[Position], code: str) -> None:
    """Appends to all tables fail with `code`, and nothing of them happened."""
    results = await asyncio.gather(
        *(add(store, f"T-{n}", end, 3) for n, end in enumerate(ends)), return_exceptions=True
    )
    for result in results:
        assert isinstance(result, Unavailable), result
        assert result.code == code
    for n in range(len(ends)):
        assert await bodies(store, f"T-{n}") == [body(f"T-{n}", i) for i in (1, 2)]


async def _all_well(store: SqliteStore, ends: list[Position]) -> None:
    """The same appends succeed now, in the same process, on the same store."""
    results = await asyncio.gather(*(add(store, f"T-{n}", end, 3) for n, end in enumerate(ends)))
    for n, position in enumerate(results):
        assert await bodies(store, f"T-{n}") == [body(f"T-{n}", i) for i in (1, 2, 3)]
        await add(store, f"T-{n}", position, 4)


async def test_a_lock_of_another_program_is_waited_for_a_little_then_refused(
    store: SqliteStore, path: Path
) -> None:
    """B36: while another program holds the write lock, appends are answered at once,
    reads go on, the loop is free; afterwards all is well."""
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    with other_program(path) as other:
        other.execute("BEGIN IMMEDIATE")
        begin = time.monotonic()
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)  # the loop's turns are what is counted
                ticks += 1

        ticking = asyncio.create_task(tick())
        await _refused_then_fine(store, ends, "locked")
        ticking.cancel()
        assert time.monotonic() - begin < 5, "the lock stays as long as we wait"
        assert ticks >= 5
        other.execute("COMMIT")
    await _all_well(store, ends)


async def test_a_short_lock_is_only_a_delay(path: Path) -> None:
    store = SqliteStore(path, busy_ms=20_000)
    end = await fill(store, "KIWI-42", 2)
    with other_program(path) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(add(store, "KIWI-42", end, 3))
        await asyncio.sleep(0.05)  # nothing tells when the writer is at the lock
        assert not waiting.done()
        other.execute("COMMIT")
        await waiting
    await store.close()


async def test_a_full_disk(store: SqliteStore, path: Path) -> None:
    """A file that may not grow, by the limit of the operating system for this process."""
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    wal = path.with_name(path.name + "-wal").stat().st_size
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal + 100, hard))
    try:
        results = await asyncio.gather(
            *(add(store, f"T-{n}", end, 3) for n, end in enumerate(ends)),
            return_exceptions=True,
        )
        assert {type(result) for result in results} == {Unavailable}
        assert {result.code for result in results if isinstance(result, StoreError)} <= {
            "disk_full",
            "io_error",
        }
        for n in range(5):
            assert len(await bodies(store, f"T-{n}")) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await _all_well(store, ends)


async def test_a_database_at_its_limit(path: Path) -> None:
    """SQLite's own "full", met while a row is written and not at the commit."""
    store = SqliteStore(path)
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    connection = store._writer._connection
    assert connection is not None
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    position = await fill(store, "FIG-7", 1)
    with pytest.raises(Unavailable, match="disk_full"):
        await store.append("FIG-7", position, Row(2, bytes(100_000)), listed("FIG-7", 2))
    assert len(await bodies(store, "FIG-7")) == 1
    connection.execute("PRAGMA max_page_count = 1000000")
    await store.append("FIG-7", position, Row(2, bytes(100_000)), listed("FIG-7", 2))
    await _all_well(store, ends)
    await store.close()


async def test_a_database_that_turns_read_only(store: SqliteStore) -> None:
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    connection = store._writer._connection
    assert connection is not None
    connection.execute("PRAGMA query_only = ON")
    await _refused_then_fine(store, ends, "read_only")
    await _all_well(store, ends)


# files that fail


def _descriptors(file: Path) -> list[int]:
    """The numbers of all descriptors of this process that are open on `file`."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if link.readlink() == file:
                found.append(int(link.name))
    return sorted(found)


@contextmanager
def _replaced(file: Path, by: Path, flags: int) -> Iterator[None]:
    """Whatever is open on `file` is open on `by` meanwhile, as a failing device is."""
    numbers = _descriptors(file)
    assert numbers, "nothing is open on it"
    kept = {number: os.dup(number) for number in numbers}
    other = os.open(by, flags)
    try:
        for number in numbers:
            os.dup2(other, number)
        yield
    finally:
        for number, original in kept.items():
            if number in _descriptors(by):
                os.dup2(original, number)
            os.close(original)
        os.close(other)


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc here")


@needs_proc
async def test_a_device_without_room_says_disk_full(store: SqliteStore, path: Path) -> None:
    """The write-ahead log is `/dev/full` for a while: the system's own ENOSPC."""
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    with _replaced(path.with_name(path.name + "-wal"), Path("/dev/full"), os.O_RDWR):
        results = await asyncio.gather(
            *(add(store, f"T-{n}", end, 3) for n, end in enumerate(ends)), return_exceptions=True
        )
    codes = {error.code for error in results if isinstance(error, Unavailable | Unknown)}
    assert len(results) == 5 and codes == {"disk_full"}, results
    for n in range(5):
        assert len(await bodies(store, f"T-{n}")) == 2
    await _all_well(store, ends)


@needs_proc
async def test_writes_that_fail_are_refused_and_got_over(store: SqliteStore, path: Path) -> None:
    """No write to the write-ahead log succeeds for a while."""
    ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
    wal = path.with_name(path.name + "-wal")
    with _replaced(wal, wal, os.O_RDONLY):
        results = await asyncio.gather(
            *(add(store, f"T-{n}", end, 3) for n, end in enumerate(ends)), return_exceptions=True
        )
    codes = {error.code for error in results if isinstance(error, Unavailable | Unknown)}
    assert len(results) == 5 and codes == {"io_error"}, results
    for n in range(5):
        assert len(await bodies(store, f"T-{n}")) == 2
    await _all_well(store, ends)


@needs_proc
@pytest.mark.parametrize("there", ["nothing", "an empty file", "another store", "a folder"])
async def test_nothing_is_acknowledged_into_another_file(
    store: SqliteStore, path: Path, tmp_path: Path, there: str
) -> None:
    """The disk goes away, and something else, or nothing, lies where the database was."""
    end = await fill(store, "T-1", 2)
    wal = path.with_name(path.name + "-wal")
    if there == "another store":
        await SqliteStore(tmp_path / "other.db").close()
    with _replaced(wal, wal, os.O_RDONLY):
        _take_away(path, there)
        with pytest.raises((Unavailable, Unknown)):
            await add(store, "T-1", end, 3)
    before = _names(tmp_path)
    for code, position, number in (("T-1", end, 3), ("NEW-1", START, 1), ("NEW-1", START, 1)):
        with pytest.raises(Unavailable) as refused:
            await add(store, code, position, number)
        assert refused.value.code == "io_error"
    assert _names(tmp_path) == before, "nothing was made"
    _bring_back(path)
    assert await bodies(store, "T-1") == [body("T-1", 1), body("T-1", 2)]
    await add(store, "T-1", end, 3)
    await add(store, "NEW-1", START, 1)
    assert len(await bodies(store, "T-1")) == 3


def _take_away(path: Path, instead: str) -> None:
    """Put a database and what belongs to it elsewhere, and something else in its place."""
    away = path.parent / "away"
    away.mkdir()
    for file in list(path.parent.glob(f"{path.name}*")):
        file.rename(away / file.name)
    match instead:
        case "an empty file":
            path.touch()
        case "another store":
            path.with_name("other.db").rename(path)
        case "a folder":
            path.mkdir()


def _bring_back(path: Path) -> None:
    if path.is_dir():
        path.rmdir()
    for file in list((path.parent / "away").iterdir()):
        file.rename(path.parent / file.name)


def _names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def test_after_a_read_that_failed_the_file_is_opened_anew(
    store: SqliteStore, path: Path
) -> None:
    await fill(store, "T-1", 2)
    store._reader._connection.close()  # as dead as one whose disk was away
    _take_away(path, "an empty file")
    for _ in range(2):
        with pytest.raises(Unavailable):
            await bodies(store, "T-1")
    _bring_back(path)
    assert len(await bodies(store, "T-1")) == 2


# power that fails


def _files(path: Path) -> tuple[bytes, bytes]:
    """The database and its log of writes, as they lie there."""
    return path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()


async def test_a_log_of_writes_that_is_cut_or_torn_anywhere_loses_only_its_end(
    store: SqliteStore, path: Path, tmp_path: Path
) -> None:
    """What the disk had when the power failed, with less and less of the newest writes, or
    with noise in them: every table is a whole beginning of itself, and goes on."""
    for number in range(1, 13):
        for code in ("KIWI-42", "FIG-7"):
            await add(store, code, (await store.read(code)).position, number)
    left, wal = _files(path)
    rng = random.Random(12)
    lengths = set()
    for at in sorted(rng.sample(range(len(wal)), 24)):
        torn = tmp_path / f"torn-{at}.db"
        torn.write_bytes(left)
        noise = b"" if at % 2 else rng.randbytes(len(wal) - at)
        torn.with_name(torn.name + "-wal").write_bytes(wal[:at] + noise)
        again = SqliteStore(torn)
        for code in ("KIWI-42", "FIG-7"):
            found = await bodies(again, code)
            assert found == [body(code, n) for n in range(1, len(found) + 1)]
            row = await again.find(code)
            assert (row.number if row is not None else 0) == len(found)
            await add(again, code, (await again.read(code)).position, len(found) + 1)
            lengths.add(len(found))
        await again.close()
    assert len(lengths) > 5, lengths


# a disk that is really full


async def test_a_small_disk_that_fills_up(tmp_path: Path) -> None:
    """A file system of one megabyte: full, then with room again, in one process."""
    with _small_disk(tmp_path / "disk") as disk:
        store = SqliteStore(disk / "ra.db")
        ends = [await fill(store, f"T-{n}", 2) for n in range(5)]
        # once it is quiet the log is emptied, which would make room again
        await until(lambda: not (disk / "ra.db-wal").stat().st_size)
        ballast = disk / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        await _refused_then_fine(store, ends, "disk_full")
        ballast.unlink()
        await _all_well(store, ends)
        await store.close()


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder))
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(("umount", "-l", str(folder)), check=True)

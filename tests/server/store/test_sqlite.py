"""What the SQLite store owes to its file: one server, one schema, nothing half, nothing
changed behind its back, and getting over every fault of the disk without a restart."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.store.port import (
    START,
    Conflict,
    Damaged,
    StoreRefused,
    Unavailable,
)
from server.store.reader import Reader
from server.store.schema import APPLICATION_ID, SCHEMA_VERSION
from server.store.sqlite import SqliteStore
from tests.server.store.streams import add, bodies, body, fill, listed, other_program


def _python(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# what is kept


async def test_everything_is_there_after_a_new_start(path: Path) -> None:
    store = SqliteStore(path)
    end = await fill(store, "KIWI-42", 10, deadline=5)
    await fill(store, "FIG-7", 3)
    await store.close()
    again = SqliteStore(path)
    history = await again.read("KIWI-42")
    assert [row.body for row in history.rows] == [body("KIWI-42", n) for n in range(1, 11)]
    assert history.position == end
    assert await again.find("KIWI-42") == listed("KIWI-42", 10, deadline=5)
    await add(again, "KIWI-42", history.position, 11)
    with pytest.raises(Conflict):
        await add(again, "FIG-7", START, 1)
    await again.close()


async def test_a_closed_database_is_one_file(path: Path, tmp_path: Path) -> None:
    """Whoever copies it has everything."""
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 10)
    await store.read("KIWI-42")
    await store.close()
    assert not path.with_name(path.name + "-wal").exists()
    shutil.copy(path, tmp_path / "copy.db")
    with Reader(tmp_path / "copy.db") as reader:
        assert len(reader.read("KIWI-42").rows) == 10


async def test_an_answered_append_outlives_kill_9(path: Path) -> None:
    program = (
        "import asyncio, os, signal, sys\n"
        "from pathlib import Path\n"
        "from server.store.sqlite import SqliteStore\n"
        "from tests.server.store.streams import fill\n"
        "async def main():\n"
        "    store = SqliteStore(Path(sys.argv[1]))\n"
        "    await asyncio.gather(*(fill(store, f'T-{n}', n + 1) for n in range(8)))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = await asyncio.to_thread(_python, program, path)
    assert done.returncode == -9
    store = SqliteStore(path)
    for n in range(8):
        assert await bodies(store, f"T-{n}") == [body(f"T-{n}", i) for i in range(1, n + 2)]
    await store.close()


async def test_ten_kills_at_any_moment_lose_no_answered_append(path: Path) -> None:
    """A program appends to many tables as fast as it can and says what was answered; it
    is killed at a random moment, ten times, on one database."""
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from server.store.sqlite import SqliteStore\n"
        "from tests.server.store.streams import add\n"
        "async def one(store, code):\n"
        "    history = await store.read(code)\n"
        "    position, number = history.position, len(history.rows)\n"
        "    while True:\n"
        "        number += 1\n"
        "        position = await add(store, code, position, number)\n"
        "        print(code, number, flush=True)\n"
        "async def main():\n"
        "    store = SqliteStore(Path(sys.argv[1]))\n"
        "    await asyncio.gather(*(one(store, f'T-{n}') for n in range(20)))\n"
        "asyncio.run(main())\n"
    )
    rng = random.Random(9)
    answered: dict[str, int] = {}
    for _ in range(10):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program, str(path)), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        first = await process.stdout.readline()
        await asyncio.sleep(rng.random() * 0.05)  # any moment of its work is meant
        process.kill()
        rest = await process.stdout.read()
        await process.wait()
        for line in (first + rest).decode().splitlines(keepends=True):
            if line.endswith("\n"):
                code, number = line.split()
                answered[code] = max(answered.get(code, 0), int(number))
        with Reader(path) as reader:
            for code, least in answered.items():
                history = reader.read(code)
                assert len(history.rows) >= least
                assert [row.body for row in history.rows] == [
                    body(code, row.number) for row in history.rows
                ]
                assert reader.find(code) == listed(code, len(history.rows))
    assert len(answered) == 20


async def test_what_waits_at_one_moment_is_one_transaction(store: SqliteStore, path: Path) -> None:
    positions = [await fill(store, f"T-{n}", 1) for n in range(40)]
    before = _wal_frames(path)
    await asyncio.gather(*(add(store, f"T-{n}", positions[n], 2) for n in range(40)))
    # Alone, each append writes at least the pages of its entry, index and directory row.
    assert _wal_frames(path) - before < 40


def _wal_frames(path: Path) -> int:
    return path.with_name(path.name + "-wal").stat().st_size // 2072


async def test_the_schema_itself_refuses_a_second_entry_of_one_number(
    store: SqliteStore, path: Path
) -> None:
    """B36: unique (table, number), whoever writes."""
    await fill(store, "KIWI-42", 3)
    with other_program(path) as other, pytest.raises(sqlite3.IntegrityError):
        other.execute("INSERT INTO entries SELECT stream, number, x'00', x'00' FROM entries")


async def test_what_another_program_appended_is_a_conflict_not_a_double(
    store: SqliteStore, path: Path
) -> None:
    ends = [await fill(store, f"T-{n}", 3) for n in range(3)]
    with other_program(path) as other:
        other.execute(
            "INSERT INTO entries SELECT stream, 4, x'00', x'00' FROM entries"
            " JOIN streams ON id = stream WHERE code = 'T-1' AND number = 3"
        )
    results = await asyncio.gather(
        *(add(store, f"T-{n}", ends[n], 4) for n in range(3)), return_exceptions=True
    )
    assert [isinstance(result, Conflict) for result in results] == [False, True, False]
    for n in (0, 2):
        assert len(await bodies(store, f"T-{n}")) == 4


# files that are not ours


def _copy_is_untouched(path: Path, before: bytes) -> bool:
    left = {entry.name for entry in path.parent.iterdir()}
    return path.read_bytes() == before and left == {path.name}


def test_a_database_of_a_later_version_is_refused_and_not_touched(path: Path) -> None:
    """B15: a future version is named, with ours, and the file stays as it is."""
    with closing(sqlite3.connect(path)) as made:
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        made.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        made.execute("CREATE TABLE of_the_future (x)")
        made.execute("PRAGMA journal_mode = WAL")
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match=r"later_version\(found=3, known=2\)"):
        SqliteStore(path)
    assert _copy_is_untouched(path, before)


@pytest.mark.parametrize("content", [b"hello\n", b"x" * 5000, b"SQLite format 3\x00"])
def test_a_file_that_is_no_database_is_refused_and_not_touched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreRefused, match="not_ours"):
        SqliteStore(path)
    assert _copy_is_untouched(path, content)


def test_another_programs_database_is_refused_and_not_touched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA user_version = 1")
        made.execute("CREATE TABLE sessions (x)")
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="not_ours"):
        SqliteStore(path)
    assert _copy_is_untouched(path, before)


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match=r"cannot_open\(reason=No such file or directory\)"):
        SqliteStore(tmp_path / "none" / "ra.db")


async def test_a_creation_that_was_cut_off_is_done_again(path: Path) -> None:
    sqlite3.connect(path).close()
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 1)
    await store.close()


# changed behind our back


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("UPDATE entries SET body = x'00' WHERE number = 2", "changed"),
        ("UPDATE entries SET chain = x'00' WHERE number = 2", "changed"),
        ("DELETE FROM entries WHERE number = 2", "missing"),
        ("DELETE FROM entries WHERE number = 3", "missing"),
        ("DELETE FROM entries WHERE number = 1", "missing"),
        ("DELETE FROM entries", "missing"),
        ("UPDATE entries SET number = 7 - number WHERE number IN (3, 4)", "changed"),
    ],
)
async def test_tampering_shows_and_other_tables_go_on(path: Path, sql: str, code: str) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 3)
    await store.close()
    with other_program(path) as other:
        if "7 -" in sql:  # Two rows swapped: by way of numbers that are free.
            other.execute("UPDATE entries SET number = 12 WHERE number = 2")
            other.execute("UPDATE entries SET number = 2 WHERE number = 3")
            other.execute("UPDATE entries SET number = 3 WHERE number = 12")
        else:
            other.execute(sql)
    store = SqliteStore(path)
    with pytest.raises(Damaged) as caught:
        await store.read("KIWI-42")
    assert caught.value.code == code
    assert caught.value.facts["table"] == "KIWI-42"
    await fill(store, "FIG-7", 2)
    assert len(await bodies(store, "FIG-7")) == 2
    await store.close()


# waiting and closing


async def test_more_than_may_wait_is_refused_at_once(path: Path) -> None:
    store = SqliteStore(path, queue=10)
    results = await asyncio.gather(
        *(add(store, f"T-{n}", START, 1) for n in range(25)), return_exceptions=True
    )
    refused = [result for result in results if isinstance(result, Unavailable)]
    assert len(refused) == 15
    assert {error.code for error in refused} == {"queue_full"}
    assert len(await store.tables()) == 10
    await asyncio.gather(*(add(store, f"T-{n}", START, 1) for n in range(10, 20)))
    await store.close()


async def test_closing_finishes_what_is_under_way(path: Path) -> None:
    store = SqliteStore(path)
    waiting = [asyncio.ensure_future(add(store, f"T-{n}", START, 1)) for n in range(20)]
    await asyncio.sleep(0)  # all have begun, none is answered
    await store.close()
    await asyncio.gather(*waiting)
    again = SqliteStore(path)
    assert len(await again.tables()) == 20
    await again.close()


async def test_a_caller_that_gave_up_harms_nobody(store: SqliteStore) -> None:
    positions = [await fill(store, f"T-{n}", 1) for n in range(3)]
    waiting = [asyncio.ensure_future(add(store, f"T-{n}", positions[n], 2)) for n in range(3)]
    await asyncio.sleep(0)  # all have begun, none is answered
    waiting[1].cancel()
    await asyncio.gather(waiting[0], waiting[2])
    history = await store.read("T-1")
    await add(store, "T-1", history.position, len(history.rows) + 1)


# readers beside the server


async def test_a_command_reads_beside_a_running_server(store: SqliteStore, path: Path) -> None:
    """B36: a reader never meets half an entry and never stops the writer."""
    position = await fill(store, "KIWI-42", 1)
    with Reader(path) as reader:
        for number in range(2, 60):
            waiting = asyncio.ensure_future(add(store, "KIWI-42", position, number))
            history = await asyncio.to_thread(reader.read, "KIWI-42")
            position = await waiting
            assert len(history.rows) in (number - 1, number)
        assert reader.tables() == ["KIWI-42"]
        assert reader.find("KIWI-42") == listed("KIWI-42", 59)


async def test_a_command_reads_what_a_killed_server_left(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 5)
    left = tmp_path / "left"
    left.mkdir()
    for name in (path.name, path.name + "-wal"):
        shutil.copy(path.with_name(name), left / name)
    await store.close()
    with Reader(left / path.name) as reader:
        assert len(reader.read("KIWI-42").rows) == 5


async def test_a_command_reads_a_database_at_rest(path: Path) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 5)
    await store.close()
    with Reader(path) as reader:
        assert len(reader.read("KIWI-42", 2).rows) == 3


_WRITE = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0).execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_reader_that_is_not_alone_takes_no_lock_from_others_of_its_process(path: Path) -> None:
    """To close any descriptor of a file ends all locks that a process has of it."""
    with other_program(path) as ours:
        ours.execute("CREATE TABLE t (x)")
        ours.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreRefused):
            Reader(path, busy_ms=0, alone=False)
        assert _python(_WRITE, path).stdout == "database is locked\n"


def test_a_command_without_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="no such file"):
        Reader(tmp_path / "ra.db")
    (tmp_path / "ra.db").write_bytes(b"hello")
    with pytest.raises(StoreRefused, match="not_ours"):
        Reader(tmp_path / "ra.db")


async def test_few_statements_are_kept_whatever_the_number_of_those_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has room for all of its values, and some systems take only 32,766 of these."""
    store = SqliteStore(tmp_path / "ra.db")
    asked: set[str] = set()
    rows = store._reader.rows

    def note(sql: str, values: tuple[Any, ...]) -> Any:
        asked.add(sql)
        return rows(sql, values)

    monkeypatch.setattr(store._reader, "rows", note)
    for count in range(0, 2000, 41):
        assert await store.held([n.to_bytes(2, "big") for n in range(count)]) == {}
    assert len(asked) <= 4 and max(sql.count("?") for sql in asked) <= 1024
    await store.close()

"""What the tests of stores have in common: rows, directory rows, filling a stream, and
another program with the same file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve

from server.store.memory import MemoryStore
from server.store.port import START, DirectoryRow, Position, Row, Seated, Store
from server.store.sqlite import SqliteStore

SEATED = (Seated(0, b"ann", "Ann"), Seated(1, None, "easy bot"), Seated(2, b"bob", "Bob"))


def listed(code: str, number: int, **changes: Any) -> DirectoryRow:
    """The directory row of a table after entry `number`."""
    row = DirectoryRow(
        code=code,
        game="ra",
        phase=1,
        listed=True,
        number=number,
        deadline=None,
        creator=b"creator of " + code.encode(),
        create_id=b"id of " + code.encode(),
        updated=1000 + number,
        ruleset="standard",
        seats=3,
    )
    return evolve(row, **changes)


def body(code: str, number: int) -> bytes:
    return f"{code} entry {number}".encode()


async def add(store: Store, code: str, expect: Position, number: int, **changes: Any) -> Position:
    """Append entry `number` of `code`."""
    row = Row(number, body(code, number))
    return await store.append(code, expect, row, listed(code, number, **changes))


async def fill(store: Store, code: str, count: int, **changes: Any) -> Position:
    """A stream of `count` entries."""
    position = START
    for number in range(1, count + 1):
        position = await add(store, code, position, number, **changes)
    return position


async def bodies(store: Store, code: str, after: int = 0) -> list[bytes]:
    return [row.body for row in (await store.read(code, after)).rows]


@contextmanager
def other_program(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program with the database open."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as connection:
        yield connection


def log_of(path: Path) -> Path:
    """The write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


async def quiet(path: Path) -> None:
    """Wait until the store has emptied its log."""
    await until(lambda: not log_of(path).stat().st_size)


async def until(true: Callable[[], bool]) -> None:
    """Wait for what nothing tells of."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def contents(folder: Path) -> dict[str, bytes]:
    """By name, in order, what is in the files."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


async def lose(store: Store, sql: str) -> None:
    """Take rows out of a store's directory behind its back."""
    if isinstance(store, MemoryStore):
        gone = [code for code, row in store._directory.items() if row.number < 3]
        for code in gone:
            del store._directory[code]
        return
    assert isinstance(store, SqliteStore)
    with other_program(store._reader._path) as connection:
        assert connection.execute(sql).rowcount
        connection.execute("DELETE FROM seats WHERE stream NOT IN (SELECT stream FROM directory)")

"""The durable store: SQLite with a write-ahead log, a thread that writes, a thread that reads,
and a lock against a second server.

It runs on the event loop and never blocks it; `writer` and `reader` block in their threads.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from sys import maxsize
from typing import Any, TypeVar

from server.store import retired_tables
from server.store.batch_writer import Append, Change, Result
from server.store.directory_queries import DirectoryQueries, Slice
from server.store.directory_rows import fill
from server.store.lock import FileLock
from server.store.port import (
    FORGET_AT_ONCE,
    DirectoryRow,
    Held,
    History,
    Position,
    Retired,
    Row,
    SessionRow,
    StoreError,
    StoreRefused,
    Unavailable,
)
from server.store.private_files import make_private
from server.store.reader import Reader
from server.store.schema import inspect
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import check_log
from server.store.writer import StoreWriter

T = TypeVar("T")

BUSY_MS = 400
"""How long a write waits for another program's lock before it fails: short, because all tables
wait until then."""
QUEUE = 4096
"""How many appends and other changes may wait at one moment."""
_BEGIN = (-1, 0)
"""An age and a stream's id that come before all others."""


class SqliteStore:
    """Implements `server.store.port.Store`."""

    def __init__(self, path: Path, *, busy_ms: int = BUSY_MS, queue: int = QUEUE) -> None:
        """Open or make the database; raises StoreRefused without having touched anything."""
        self._limit = queue
        self._waiting = 0
        self._gathered: list[Append | Change] = []
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = FileLock(path)
        try:
            self._lock.guard()
            inspect(path)
            check_log(path)
            _make(path)
            self._lock.guard()
            try:
                self._writer = StoreWriter(path, busy_ms, self._deliver_from_thread)
            except ERRORS as error:
                raise StoreRefused("cannot_open", reason=classify(error).code) from None
            try:
                self._reader = Reader(path, alone=False)
            except BaseException:
                self._writer.put(None)
                self._writer.join()
                raise
        except BaseException:
            self._lock.abandon()
            raise
        self._directory_queries = DirectoryQueries(self._reader)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-read")

    # writing

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        loop = self._loop or self._bind()
        future: asyncio.Future[Position] = loop.create_future()
        self._submit(Append(table, expect, row, directory, future), future, loop)
        return future

    def _change(
        self, run: Callable[[sqlite3.Connection], T], *, directory: bool = False
    ) -> asyncio.Future[T]:
        loop = self._loop or self._bind()
        future: asyncio.Future[T] = loop.create_future()
        self._submit(Change(run, future, directory), future, loop)
        return future

    def _submit(
        self, item: Append | Change, future: asyncio.Future[Any], loop: asyncio.AbstractEventLoop
    ) -> None:
        if self._closed:
            future.set_exception(Unavailable("closed"))
        elif self._waiting >= self._limit:
            future.set_exception(Unavailable("queue_full", limit=self._limit))
        else:
            self._waiting += 1
            if not self._gathered:
                # all appends of the loop's current iteration go to the thread as one batch
                loop.call_soon(self._hand_over)
            self._gathered.append(item)

    def _hand_over(self) -> None:
        if self._gathered:
            self._writer.put(self._gathered)
            self._gathered = []

    def _deliver_from_thread(self, results: list[Result]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._deliver, results)
        except RuntimeError:
            pass  # the loop is closed, and nothing awaits the results

    def _deliver(self, results: list[Result]) -> None:
        self._waiting -= len(results)
        for future, result in results:
            if future.done():
                continue
            if isinstance(result, StoreError):
                future.set_exception(result)
            else:
                future.set_result(result)

    def _bind(self) -> asyncio.AbstractEventLoop:
        self._loop = asyncio.get_running_loop()
        return self._loop

    # reading

    async def _read(self, call: Callable[..., T], *args: Any) -> T:
        if self._closed:
            raise Unavailable("closed")
        loop = self._loop or self._bind()
        return await loop.run_in_executor(self._reading, call, *args)

    async def read(self, table: str, after: int = 0) -> History:
        return await self._read(self._reader.read, table, after)

    async def find(self, code: str) -> DirectoryRow | None:
        return await self._read(self._reader.find, code)

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        return await self._read(self._reader.find_created, creator, create_id)

    async def directory(self, phases: Collection[int] | None = None) -> list[DirectoryRow]:
        return await self._read(self._reader.directory, phases)

    async def tables(self) -> list[str]:
        return await self._read(self._reader.tables)

    async def listed(self, most: int) -> list[DirectoryRow]:
        return await self._read(self._directory_queries.listed, most)

    async def seats_of(self, person: bytes) -> list[DirectoryRow]:
        return await self._read(self._directory_queries.seats_of, person)

    async def count_open(self, creator: bytes | None = None) -> int:
        return await self._read(self._directory_queries.count_open, creator)

    async def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        return await self._read(self._directory_queries.held, people)

    async def taken(self, codes: Collection[str]) -> set[str]:
        return await self._read(self._directory_queries.taken, codes)

    def due(self) -> AsyncIterator[list[DirectoryRow]]:
        return self._slices(self._directory_queries.due, 0)

    def unsaved(self) -> AsyncIterator[list[DirectoryRow]]:
        return self._slices(self._directory_queries.unsaved, 0)

    def unseated(self) -> AsyncIterator[list[str]]:
        return self._slices(self._directory_queries.unseated, maxsize)

    def missing(self) -> AsyncIterator[list[str]]:
        return self._slices(self._directory_queries.missing, 0)

    async def _slices(self, read: Callable[[int], Slice[T]], begin: int) -> AsyncIterator[list[T]]:
        at, ascending = begin, begin == 0
        while True:
            found, after = await self._read(read, at)
            if found:
                yield found
            if after == at or (after > at) is not ascending:
                return  # the end, or a torn file, whose rows are in no order
            at = after

    async def idle(self, phase: int, until: int) -> AsyncIterator[list[DirectoryRow]]:
        at = _BEGIN
        while True:
            rows, after = await self._read(self._directory_queries.idle, phase, until, at)
            if rows:
                yield rows
            if after <= at:
                return  # the end, or a torn file, whose rows are in no order
            at = after

    async def relist(self, rows: Sequence[DirectoryRow]) -> None:
        await self._change(lambda connection: fill(connection, rows), directory=True)

    async def mark_saved(self, codes: Collection[str]) -> None:
        values = [(code,) for code in codes]
        await self._change(lambda connection: connection.executemany(_SAVED, values))

    # retired tables

    async def retire(self, table: Retired, ran: int) -> None:
        await self._change(partial(retired_tables.retire, table=table, ran=ran), directory=True)

    async def sweep_retired(self) -> bool:
        return await self._change(retired_tables.sweep)

    async def retired(self, code: str) -> Retired | None:
        return await self._read(self._directory_queries.retired, code)

    async def long_retired(self, until: int, most: int) -> list[Retired]:
        return await self._read(self._directory_queries.long_retired, until, most)

    async def release(self, codes: Collection[str]) -> None:
        await self._change(partial(retired_tables.release, codes=codes))

    # how long servers have run

    async def age(self) -> int:
        return await self._read(self._directory_queries.age)

    async def keep_age(self, age: int) -> None:
        await self._change(lambda connection: connection.execute(_AGE, (age,)))

    # sessions

    async def put_session(self, session: SessionRow) -> None:
        values = (
            session.token_hash,
            session.public,
            session.name,
            session.created,
            session.seen,
            session.used,
        )
        await self._change(lambda connection: connection.execute(_SESSION, values))

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        return await self._read(self._reader.get_session, token_hash)

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        row = await self._change(lambda connection: _move(connection, public, token_hash))
        return None if row is None else SessionRow(*row)

    async def forget_sessions(self, used_before: int) -> int:
        values = (used_before, FORGET_AT_ONCE)
        return await self._change(lambda c: c.execute(_FORGET, values).rowcount)

    # the end

    async def close(self) -> None:
        if self._closed:
            return
        self._hand_over()
        self._closed = True
        loop = self._loop or self._bind()
        await loop.run_in_executor(None, self._end_reading)
        self._writer.put(None)
        await loop.run_in_executor(None, self._writer.join)
        self._lock.release()

    def _end_reading(self) -> None:
        # before the writer ends: the last connection to close moves the write-ahead log into
        # the database, which only a writer can do, so that a single file is left
        self._reading.shutdown()
        self._reader.close()


def _make(path: Path) -> None:
    """Make an empty database, unless there is one, that only its owner may read; SQLite gives
    the files that it makes beside it (`-wal`, `-shm`) the same mode. Raises StoreRefused."""
    try:
        make_private(path)
    except OSError as error:
        raise StoreRefused("cannot_open", reason=error.strerror or "unusable") from None


_SAVED = (
    "UPDATE directory SET saved = 1"
    " WHERE stream = (SELECT id FROM streams WHERE code = ?) AND phase >= 3"
)
_AGE = "UPDATE clock SET ran = max(ran, ?)"
_SESSION = (
    "INSERT INTO sessions (token_hash, public, name, created, seen, used)"
    " VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (token_hash) DO UPDATE SET name = excluded.name, seen = excluded.seen,"
    " used = excluded.used"
)
_FORGET = (
    "DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE used < ?"
    " AND NOT EXISTS (SELECT 1 FROM seats WHERE person = public) LIMIT ?)"
)


def _move(connection: sqlite3.Connection, public: bytes, token_hash: bytes) -> Any:
    connection.execute("UPDATE sessions SET token_hash = ? WHERE public = ?", (token_hash, public))
    return connection.execute(
        "SELECT token_hash, public, name, created, seen, used FROM sessions WHERE public = ?",
        (public,),
    ).fetchone()

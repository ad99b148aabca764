"""The writing side of the SQLite store: a thread with a connection of its own, which
puts all appends that wait at one moment into one transaction.

Blocking; knows nothing of the event loop but the function that results are handed to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from attrs import define, frozen

from server.store.faults import classify
from server.store.port import (
    Conflict,
    DirectoryRow,
    Position,
    Row,
    StoreError,
    Unavailable,
    Unknown,
)
from server.store.schema import connect, first_chain, next_chain, prepare

T = TypeVar("T")

MAX_BATCH = 128
_MAX_TAILS = 20_000

_ENTRY_MARKS = "(?, ?, ?, ?)"
_DIRECTORY_MARKS = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ENTRY = "INSERT INTO entries (stream, number, body, chain) VALUES "
_LISTED = (
    "INSERT INTO directory (stream, game, phase, listed, number, deadline, creator,"
    " create_id, updated) VALUES "
)
_RELISTED = (
    " ON CONFLICT (stream) DO UPDATE SET phase = excluded.phase, listed = excluded.listed,"
    " number = excluded.number, deadline = excluded.deadline, updated = excluded.updated"
)


@define(eq=False)
class Append:
    """One append, and whose it is. Never changed; not frozen, because that costs half a
    microsecond more to make."""

    table: str
    expect: Position
    row: Row
    directory: DirectoryRow
    ticket: Any
    """Handed back with the result."""


@frozen
class Job:
    """Any other change, in a savepoint of its own."""

    run: Callable[[sqlite3.Connection], Any]
    ticket: Any


Result = tuple[Any, Any]
"""A ticket and what it got: a position, a job's result, or a StoreError."""


class _Tail:
    """Where a stream ends."""

    __slots__ = ("chain", "number", "stream")

    def __init__(self, stream: int | None, number: int, chain: bytes) -> None:
        self.stream = stream
        self.number = number
        self.chain = chain


class Writer:
    """Starts its thread at once; `put` batches, then None to end it."""

    def __init__(self, path: Path, busy_ms: int, deliver: Callable[[list[Result]], None]) -> None:
        """Raises sqlite3.Error or StoreError if the database cannot be made ready."""
        self._path = path
        self._busy_ms = busy_ms
        self._deliver = deliver
        self._tails: dict[str, _Tail] = {}
        self._inbox: SimpleQueue[list[Append | Job] | None] = SimpleQueue()
        self._connection: sqlite3.Connection | None = self._open()
        self._thread = Thread(target=self._run, name="store-write", daemon=True)
        self._thread.start()
        self.put = self._inbox.put

    def join(self) -> None:
        """Wait until the thread has ended (after `put(None)`)."""
        self._thread.join()

    # the thread

    def _run(self) -> None:
        batch: list[Append | Job] | None
        while (batch := self._inbox.get()) is not None:
            last = False
            while not self._inbox.empty() and len(batch) < MAX_BATCH:
                more = self._inbox.get()
                if more is None:
                    last = True
                    break
                batch += more
            for at in range(0, len(batch), MAX_BATCH):
                self._write(batch[at : at + MAX_BATCH])
            if last:
                break
        if self._connection is not None:
            self._connection.close()

    def _write(self, batch: list[Append | Job]) -> None:
        try:
            results = self._transaction(batch)
        except Exception as error:
            # Nothing is expected here; but whatever it is, nobody may wait for ever.
            self._reopen_later()
            unknown = Unknown("failed", error=type(error).__name__)
            results = [(item.ticket, unknown) for item in batch]
        self._deliver(results)

    def _transaction(self, batch: list[Append | Job]) -> list[Result]:
        committing = False
        try:
            connection = self._connection
            if connection is None:
                connection = self._connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                results, tails = self._together(connection, batch)
            except sqlite3.IntegrityError:
                connection.execute("ROLLBACK")
                self._tails.clear()
                connection.execute("BEGIN IMMEDIATE")
                results, tails = self._one_by_one(connection, batch)
            committing = True
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            return self._failed(batch, classify(error), committing)
        except StoreError as error:
            return self._failed(batch, error, committing)
        if len(self._tails) > _MAX_TAILS:
            self._tails.clear()
        self._tails.update(tails)
        return results

    # writing

    def _together(
        self, connection: sqlite3.Connection, batch: list[Append | Job]
    ) -> tuple[list[Result], dict[str, _Tail]]:
        """All of `batch` with two statements. An error of integrity means that some
        append is a loser that only the database knows: then one by one."""
        results: list[Result] = []
        tails: dict[str, _Tail] = {}
        entries: list[Any] = []
        listed: list[Any] = []
        count = 0
        for item in batch:
            if isinstance(item, Job):
                results.append((item.ticket, _savepoint(connection, item.run)))
                continue
            tail = self._claim(connection, item, tails)
            if isinstance(tail, Conflict):
                results.append((item.ticket, tail))
                continue
            tails[item.table] = tail
            count += 1
            entries += (tail.stream, tail.number, item.row.body, tail.chain)
            listed += _directory_values(tail, item.directory)
            results.append((item.ticket, tail.number))
        if count:
            connection.execute(_ENTRY + ",".join([_ENTRY_MARKS] * count), entries)
            marks = ",".join([_DIRECTORY_MARKS] * count)
            connection.execute(_LISTED + marks + _RELISTED, listed)
        return results, tails

    def _one_by_one(
        self, connection: sqlite3.Connection, batch: list[Append | Job]
    ) -> tuple[list[Result], dict[str, _Tail]]:
        results: list[Result] = []
        tails: dict[str, _Tail] = {}
        for item in batch:
            if isinstance(item, Job):
                results.append((item.ticket, _savepoint(connection, item.run)))
                continue
            done = _savepoint(connection, partial(self._alone, item=item, new=tails))
            if isinstance(done, _Tail):
                tails[item.table] = done
                results.append((item.ticket, done.number))
            else:
                results.append((item.ticket, done))
        return results, tails

    def _alone(
        self, connection: sqlite3.Connection, item: Append, new: dict[str, _Tail]
    ) -> _Tail | Conflict:
        tail = self._claim(connection, item, new)
        if isinstance(tail, Conflict):
            return tail
        connection.execute(
            _ENTRY + _ENTRY_MARKS, (tail.stream, tail.number, item.row.body, tail.chain)
        )
        try:
            connection.execute(
                _LISTED + _DIRECTORY_MARKS + _RELISTED, _directory_values(tail, item.directory)
            )
        except sqlite3.IntegrityError:
            raise Conflict("created", table=_created(connection, item.directory)) from None
        return tail

    def _claim(
        self, connection: sqlite3.Connection, item: Append, new: dict[str, _Tail]
    ) -> _Tail | Conflict:
        """The tail after `item`, or the proof that it comes too late."""
        table = item.table
        tail = new.get(table) or self._tails.get(table)
        if tail is None or (tail.number != item.expect and table not in new):
            tail = _load(connection, table)
        if tail.number != item.expect:
            return Conflict("moved", table=table, number=tail.number)
        number = tail.number + 1
        if item.row.number != number or item.directory.number != number:
            return Conflict("out_of_order", table=table, number=tail.number)
        stream = tail.stream
        if stream is None:
            made = connection.execute("INSERT INTO streams (code) VALUES (?)", (table,))
            stream = made.lastrowid
        return _Tail(stream, number, next_chain(tail.chain, item.row.body))

    # faults

    def _failed(
        self, batch: list[Append | Job], error: StoreError, committing: bool
    ) -> list[Result]:
        """The batch is not written, unless a failed commit was one after all."""
        self._tails.clear()
        if not isinstance(error, Unavailable):
            error = Unavailable(error.code, **error.facts)
        if committing and error.code != "locked":
            self._reopen_later()
            return [(item.ticket, self._outcome(item, error)) for item in batch]
        connection = self._connection
        try:
            if connection is not None and connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._reopen_later()
        if error.code not in ("locked", "disk_full"):
            self._reopen_later()
        return [(item.ticket, error) for item in batch]

    def _outcome(self, item: Append | Job, error: StoreError) -> Any:
        """What a commit that reported `error` did to `item`, read back."""
        if isinstance(item, Job):
            return Unknown(error.code, **error.facts)
        try:
            if self._connection is None:
                self._connection = self._open()
            found = self._connection.execute(
                "SELECT body FROM entries WHERE number = ?"
                " AND stream = (SELECT id FROM streams WHERE code = ?)",
                (item.row.number, item.table),
            ).fetchone()
        except (sqlite3.Error, StoreError):
            self._reopen_later()
            return Unknown(error.code, **error.facts)
        if found is not None and found[0] == item.row.body:
            return item.row.number
        return error

    def _open(self) -> sqlite3.Connection:
        connection = connect(self._path, self._busy_ms)
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _reopen_later(self) -> None:
        # A connection that met an error of its file may hold on to it; a new one
        # starts from what is there.
        connection, self._connection = self._connection, None
        self._tails.clear()
        if connection is not None:
            connection.close()


def _load(connection: sqlite3.Connection, table: str) -> _Tail:
    found = connection.execute(
        "SELECT id, number, chain FROM streams LEFT JOIN entries ON stream = id"
        " WHERE code = ? ORDER BY number DESC LIMIT 1",
        (table,),
    ).fetchone()
    if found is None:
        return _Tail(None, 0, first_chain(table))
    stream, number, chain = found
    return _Tail(stream, number or 0, chain or first_chain(table))


def _created(connection: sqlite3.Connection, row: DirectoryRow) -> str:
    """The code of the table that was opened by the same command."""
    (code,) = connection.execute(
        "SELECT code FROM streams JOIN directory ON id = stream"
        " WHERE creator = ? AND create_id = ?",
        (row.creator, row.create_id),
    ).fetchone()
    return str(code)


def _directory_values(tail: _Tail, row: DirectoryRow) -> tuple[Any, ...]:
    return (
        tail.stream,
        row.game,
        row.phase,
        row.listed,
        row.number,
        row.deadline,
        row.creator,
        row.create_id,
        row.updated,
    )


def _savepoint(connection: sqlite3.Connection, run: Callable[[sqlite3.Connection], T]) -> Any:
    """The result of `run`, or the StoreError that it came to: then it changed nothing."""
    connection.execute("SAVEPOINT one")
    try:
        result: Any = run(connection)
    except (sqlite3.IntegrityError, Conflict) as error:
        connection.execute("ROLLBACK TO one")
        result = error if isinstance(error, Conflict) else Conflict("not_unique")
    connection.execute("RELEASE one")
    return result

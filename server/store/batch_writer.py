"""How a batch of appends and other changes is written: the statements within a transaction that
the caller begins and ends.

Blocks. Knows where each stream ends, from the last transaction or from the database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from attrs import define, frozen

from server.store.directory_rows import INSERT, SEAT, UNSEAT, WIDTH, columns, seats
from server.store.port import ENDED, Conflict, DirectoryRow, Position, Row, Seated
from server.store.schema import first_chain, next_chain

T = TypeVar("T")

MAX_BATCH = 128
_MAX_TAILS = 20_000

_ENTRY = "INSERT INTO entries (stream, number, body, chain) VALUES "
_LISTED = INSERT + "VALUES "
_RELISTED = (
    " ON CONFLICT (stream) DO UPDATE SET phase = excluded.phase, listed = excluded.listed,"
    " number = excluded.number, deadline = excluded.deadline, updated = excluded.updated,"
    " ruleset = excluded.ruleset, seats = excluded.seats, ran = excluded.ran"
)
_MOVED_ON = (
    "UPDATE directory SET number = column2, deadline = column3, updated = column4 FROM (VALUES ",
    ") WHERE stream = column1",
)
"""For tables for which only this is new: it uses no index except the key."""

_MARKS = {
    width: [",".join([f"({','.join('?' * width)})"] * count) for count in range(MAX_BATCH + 1)]
    for width in (4, WIDTH)
}


@define(eq=False)
class Append:
    """One append. It is never changed; it is not frozen, because making it would then take half
    a microsecond longer."""

    table: str
    expect: Position
    row: Row
    directory: DirectoryRow
    ticket: Any
    """Returned with the result."""


@frozen
class Change:
    """Any other change; it is made in a savepoint of its own."""

    run: Callable[[sqlite3.Connection], Any]
    ticket: Any
    directory: bool = False
    """Whether it changes the directory."""


Shown = tuple[int, bool, int, tuple[Seated, ...]]
"""The part of a directory row that few entries change: phase, whether it is listed, how long
servers had run, who sits there."""

Result = tuple[Any, Any]
"""A ticket and its outcome: a position, the result of a change, or a StoreError."""


class Tail:
    """Where a stream ends."""

    __slots__ = ("chain", "number", "shown", "stream")

    def __init__(self, stream: int | None, number: int, chain: bytes, shown: Shown | None) -> None:
        self.stream = stream
        self.number = number
        self.chain = chain
        self.shown = shown
        """What the directory shows; None if it is not known."""


Tails = dict[str, Tail]


class BatchWriter:
    """Writes batches, and remembers where the streams end that were written to lately."""

    def __init__(self) -> None:
        self._tails: Tails = {}

    def forget(self) -> None:
        """Forget all ends of streams; the database has them."""
        self._tails.clear()

    def adopt(self, tails: Tails) -> None:
        """Remember the ends of streams that were written and are now committed."""
        if len(self._tails) > _MAX_TAILS:
            self._tails.clear()
        self._tails.update(tails)
        for table, tail in tails.items():
            if tail.shown is not None and tail.shown[0] >= ENDED:
                del self._tails[table]  # nothing will be written to it again

    def write_together(
        self, connection: sqlite3.Connection, batch: Sequence[Append | Change]
    ) -> tuple[list[Result], Tails]:
        """Write all of `batch` with a few statements; returns its results and the new tails.

        Raises sqlite3.IntegrityError if only the database can tell that some append comes too
        late: then roll back and call `write_one_by_one`.
        """
        results: list[Result] = []
        tails: Tails = {}
        entries: list[Any] = []
        moved_on: list[Any] = []
        listed: list[Any] = []
        seated: dict[int | None, DirectoryRow] = {}
        for item in batch:
            if isinstance(item, Change):
                results.append((item.ticket, _savepoint(connection, item.run)))
                continue
            table, row = item.table, item.directory
            before = None if table in tails else self._tails.get(table)
            tail = self._claim(connection, item, tails)
            if isinstance(tail, Conflict):
                results.append((item.ticket, tail))
                continue
            tails[table] = tail
            entries += (tail.stream, tail.number, item.row.body, tail.chain)
            if before is not None and before.shown == tail.shown:
                moved_on += (tail.stream, row.number, row.deadline, row.updated)
            else:
                listed += (tail.stream, *columns(row))
                if before is None or before.shown is None or before.shown[3] != row.seated:
                    seated[tail.stream] = row
            results.append((item.ticket, tail.number))
        if entries:
            connection.execute(_ENTRY + _marks(4, entries), entries)
        if moved_on:
            connection.execute(_MOVED_ON[0] + _marks(4, moved_on) + _MOVED_ON[1], moved_on)
        if listed:
            connection.execute(_LISTED + _marks(WIDTH, listed) + _RELISTED, listed)
        for stream, row in seated.items():
            _seat(connection, stream, row)
        return results, tails

    def write_one_by_one(
        self, connection: sqlite3.Connection, batch: Sequence[Append | Change]
    ) -> tuple[list[Result], Tails]:
        """Write `batch` so that an append that comes too late fails alone."""
        results: list[Result] = []
        tails: Tails = {}
        for item in batch:
            if isinstance(item, Change):
                results.append((item.ticket, _savepoint(connection, item.run)))
                continue
            done = _savepoint(connection, partial(self._alone, item=item, new=tails))
            if isinstance(done, Tail):
                tails[item.table] = done
                results.append((item.ticket, done.number))
            else:
                results.append((item.ticket, done))
        return results, tails

    def _alone(self, connection: sqlite3.Connection, item: Append, new: Tails) -> Tail | Conflict:
        tail = self._claim(connection, item, new)
        if isinstance(tail, Conflict):
            return tail
        entry = (tail.stream, tail.number, item.row.body, tail.chain)
        connection.execute(_ENTRY + _marks(4, entry), entry)
        listed = (tail.stream, *columns(item.directory))
        try:
            connection.execute(_LISTED + _marks(WIDTH, listed) + _RELISTED, listed)
        except sqlite3.IntegrityError:
            raise Conflict("created", table=_created(connection, item.directory)) from None
        _seat(connection, tail.stream, item.directory)
        return tail

    def _claim(self, connection: sqlite3.Connection, item: Append, new: Tails) -> Tail | Conflict:
        """The tail after `item`, or the Conflict that it comes too late."""
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
            if is_retired(connection, table):
                return Conflict("retired", table=table)
            made = connection.execute("INSERT INTO streams (code) VALUES (?)", (table,))
            stream = made.lastrowid
        row = item.directory
        shown = (row.phase, row.listed, row.ran, row.seated)
        return Tail(stream, number, next_chain(tail.chain, item.row.body), shown)


def _marks(width: int, values: Sequence[Any]) -> str:
    """The parameter marks of as many rows of `width` columns as `values` fill."""
    return _MARKS[width][len(values) // width]


def _seat(connection: sqlite3.Connection, stream: int | None, row: DirectoryRow) -> None:
    """Write who sits at a table."""
    assert stream is not None
    connection.execute(UNSEAT, (stream,))
    if row.seated:
        connection.executemany(SEAT, seats(stream, row))


def _load(connection: sqlite3.Connection, table: str) -> Tail:
    found = connection.execute(
        "SELECT id, number, chain FROM streams LEFT JOIN entries ON stream = id"
        " WHERE code = ? ORDER BY number DESC LIMIT 1",
        (table,),
    ).fetchone()
    if found is None:
        return Tail(None, 0, first_chain(table), None)
    stream, number, chain = found
    return Tail(stream, number or 0, chain or first_chain(table), None)


def is_retired(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a retired table had this code; raises sqlite3.Error."""
    found = connection.execute("SELECT 1 FROM retired WHERE code = ?", (table,))
    return found.fetchone() is not None


def _created(connection: sqlite3.Connection, row: DirectoryRow) -> str:
    """The code of the table that the same command opened."""
    (code,) = connection.execute(
        "SELECT code FROM streams JOIN directory ON id = stream"
        " WHERE creator = ? AND create_id = ?",
        (row.creator, row.create_id),
    ).fetchone()
    return str(code)


def _savepoint(connection: sqlite3.Connection, run: Callable[[sqlite3.Connection], T]) -> Any:
    """The result of `run`, or the Conflict that it raised; then nothing was changed."""
    connection.execute("SAVEPOINT one")
    try:
        result: Any = run(connection)
    except (sqlite3.IntegrityError, Conflict) as error:
        connection.execute("ROLLBACK TO one")
        result = error if isinstance(error, Conflict) else Conflict("not_unique")
    connection.execute("RELEASE one")
    return result

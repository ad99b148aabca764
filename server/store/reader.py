"""Reading a SQLite store: for the server's reading thread, and for commands that look into a
database beside a running server.

Blocks and never writes. Checks on the way that no entry was changed after it was written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Self

from attrs import frozen

from server.store.directory_rows import directory_rows, selection
from server.store.lock import in_use, in_use_elsewhere
from server.store.port import (
    START,
    Damaged,
    DirectoryRow,
    History,
    Position,
    Row,
    SessionRow,
    StoreRefused,
    Unavailable,
)
from server.store.schema import (
    SCHEMA_VERSION,
    check_version,
    connect,
    first_chain,
    has_tables,
    identity,
    inspect,
    is_file,
    next_chain,
)
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import check_log, log_of

BUSY_MS = 5000

_PIECE = 1000
"""Pages that are copied at once."""
_READ_ONLY_PLACES = (
    sqlite3.SQLITE_READONLY_DIRECTORY,
    sqlite3.SQLITE_READONLY_CANTINIT,
    sqlite3.SQLITE_READONLY_RECOVERY,
)


_ENTRIES = (
    "SELECT number, body, chain FROM entries"
    " WHERE stream = (SELECT id FROM streams WHERE code = ?) AND number >= ?"
    " ORDER BY number"
)
_LAST = "SELECT max(number) FROM entries WHERE stream = (SELECT id FROM streams WHERE code = ?)"


class Reader:
    """A read-only connection. Every method raises what `sqlite_errors.classify` returns."""

    def __init__(self, path: Path, busy_ms: int = BUSY_MS, *, alone: bool = True) -> None:
        """Open an existing database; raises StoreRefused. `alone`: nothing else in this process
        has it open, and it is refused for the same reasons as by a server."""
        if not is_file(path):
            inspect(path)
            raise StoreRefused("cannot_open", reason="no such file")
        if alone:
            _check_beside(path)
        self._path = path
        self._log = log_of(path)
        self._alone = alone
        self._still: _FileState | None = None
        """The state of the file when it was opened as one that nobody writes to; None if it was
        not opened so."""
        self._busy_ms = busy_ms
        self._identity = identity(path)
        self.version = SCHEMA_VERSION
        """The schema version of the file."""
        self._broken = False
        """Whether the connection met an error that it may keep reporting."""
        try:
            self._connection = self._open()
        except StoreRefused:
            if alone:  # otherwise `inspect` would end the locks of this process's connections
                inspect(path)
            raise

    def _open(self) -> sqlite3.Connection:
        """A connection that makes no file beside a database that is at rest, which may lie where
        no file can be made."""
        self._still = None
        if self._alone:
            state = _file_state(self._path, self._log)
            if state is not None and state.at_rest and not in_use(self._path):
                self._still = state
                return self._connected(alone=True)
        try:
            return self._connected()
        except StoreRefused as refused:
            state = _file_state(self._path, self._log)
            if refused.facts.get("reason") == "no_room" and state and not state.at_rest:
                raise StoreRefused("cannot_open", reason="log_unread") from None
            raise

    def _connected(self, *, alone: bool = False) -> sqlite3.Connection:
        with ExitStack() as undone:
            try:
                connection = undone.enter_context(
                    closing(connect(self._path, self._busy_ms, read_only=True, alone=alone))
                )
                (application,) = connection.execute("PRAGMA application_id").fetchone()
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                empty = not has_tables(connection)
            except ERRORS as error:
                reason = "no_room" if _needs_room(error) else classify(error).code
                raise StoreRefused("cannot_open", reason=reason) from None
            if application == version == 0 and empty:
                raise StoreRefused("cannot_open", reason="it is empty: no server has used it yet")
            check_version(application, version)
            self.version = version
            undone.pop_all()
        return connection

    def _reopen(self) -> None:
        """Open the same file again; raises Unavailable."""
        self._connection.close()
        if identity(self._path) != self._identity:
            raise Unavailable("io_error", reason="another file")
        try:
            self._connection = self._open()
        except StoreRefused as error:
            raise Unavailable("io_error", reason=error.code) from None
        self._broken = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def read(self, table: str, after: int = 0) -> History:
        """The rows with numbers above `after`; raises Damaged where the chain does not hold."""
        try:
            rows, listed, last = self._stream(table, after)
        except Unavailable as error:
            if error.code != "written":
                raise
            rows, listed, last = self._stream(table, after)
        if listed is not None and (last or 0) < listed.number:
            raise Damaged("missing", table=table, number=(last or 0) + 1)
        checked = _checked(table, after, rows)
        return History(checked, START if last is None else Position(last))

    def _stream(self, table: str, after: int) -> tuple[list[Any], DirectoryRow | None, int | None]:
        # in one transaction: a server may append between two statements
        self.rows("BEGIN", ())
        try:
            rows = self.rows(_ENTRIES, (table, after))
            listed = self.find(table)
            ((last,),) = self.rows(_LAST, (table,))
        finally:
            self._end_transaction()
        return rows, listed, last

    def find(self, code: str) -> DirectoryRow | None:
        return _one(self._select("WHERE code = ?", (code,)))

    def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        return _one(self._select("WHERE creator = ? AND create_id = ?", (creator, create_id)))

    def directory(self, phases: Collection[int] | None = None) -> list[DirectoryRow]:
        if phases is None:
            return self._select("", ())
        marks = ", ".join("?" * len(phases))
        return self._select(f"WHERE phase IN ({marks})", (*phases,))

    def _select(self, which: str, values: tuple[Any, ...]) -> list[DirectoryRow]:
        """The directory rows that a WHERE clause selects, by code."""
        return directory_rows(self.rows(selection(which, "code", self.version), values))

    def tables(self) -> list[str]:
        return [code for (code,) in self.rows("SELECT code FROM streams ORDER BY code", ())]

    def get_session(self, token_hash: bytes) -> SessionRow | None:
        rows = self.rows(
            "SELECT token_hash, public, name, created, seen, used FROM sessions"
            " WHERE token_hash = ?",
            (token_hash,),
        )
        return SessionRow(*rows[0]) if rows else None

    def copy_into(self, other: sqlite3.Connection) -> None:
        """Copy the whole database, as of one moment, into an empty one."""
        self.rows("BEGIN", ())
        try:
            self.rows("SELECT 1 FROM sqlite_master LIMIT 1", ())  # takes the snapshot
            # in pieces, so that the copy can be interrupted
            self._connection.backup(other, pages=_PIECE)
            self.rows("SELECT 1 FROM sqlite_master LIMIT 1", ())
        except ERRORS as error:
            raise classify(error) from error
        finally:
            self._end_transaction()

    def _end_transaction(self) -> None:
        # whatever failed in it, the next read must not find it open
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def rows(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        """The rows that a query finds."""
        if self._broken:
            self._reopen()
        try:
            rows = self._connection.execute(sql, values).fetchall()
        except ERRORS as error:
            found = classify(error)
            self._broken = found.code != "locked"
            raise found from error
        if self._still is not None and _file_state(self._path, self._log) != self._still:
            whole = not self._connection.in_transaction
            self._reopen()  # beside the server that has started since
            if not whole:
                raise Unavailable("written")
            rows = self.rows(sql, values)
        return rows


def _check_beside(path: Path) -> None:
    """Raise StoreRefused if a reader would miss what a server has written, running or crashed:
    under another name, or into a log that belongs to another file."""
    if not in_use(path):
        check_log(path)
    elif in_use_elsewhere(path) and not log_of(path).exists():
        raise StoreRefused("other_name")


def _needs_room(error: Exception) -> bool:
    """Whether SQLite cannot make the files that it needs to read a database."""
    number = getattr(error, "sqlite_errorcode", None)
    return number in (sqlite3.SQLITE_CANTOPEN, *_READ_ONLY_PLACES)


@frozen
class _FileState:
    """What shows whether a database, or a file beside it, was written to."""

    file: tuple[int, ...]
    log: int
    """The length of the write-ahead log in bytes."""
    journal: bool
    """Whether there is a transaction to roll back."""

    @property
    def at_rest(self) -> bool:
        """Whether the file itself holds everything."""
        return not self.log and not self.journal


def _file_state(path: Path, log: Path) -> _FileState | None:
    try:
        found = path.stat()
        grown = log.stat().st_size if log.exists() else 0
        journal = log.with_name(log.name.removesuffix("-wal") + "-journal").exists()
    except OSError:
        return None
    return _FileState((found.st_ino, found.st_size, found.st_mtime_ns), grown, journal)


def _checked(table: str, after: int, rows: list[Any]) -> tuple[Row, ...]:
    """The rows with numbers above `after`; the row at `after`, if any, begins the chain."""
    chain = first_chain(table)
    if after and rows and rows[0][0] == after:
        chain = rows.pop(0)[2]
    for expected, (number, body, stored) in enumerate(rows, after + 1):
        if number != expected:
            raise Damaged("missing", table=table, number=expected)
        chain = next_chain(chain, body)
        if chain != stored:
            raise Damaged("changed", table=table, number=number)
    return tuple([Row(number, body) for number, body, _ in rows])


def _one(rows: list[DirectoryRow]) -> DirectoryRow | None:
    return rows[0] if rows else None

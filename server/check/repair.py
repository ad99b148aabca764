"""Rewriting directory rows in a database that no server uses.

Blocks, and holds the server's lock while it writes. Does not know what the rows mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from server.store.directory_rows import put
from server.store.lock import FileLock
from server.store.port import DirectoryRow
from server.store.schema import connect, prepare
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import WalMarks

_BUSY_MS = 5000
_STRAYS = "DELETE FROM directory WHERE stream NOT IN (SELECT id FROM streams)"
_STRAY_SEATS = (
    "DELETE FROM seats WHERE stream NOT IN (SELECT stream FROM directory WHERE phase < 3)"
)
_DROP = "DELETE FROM directory WHERE stream = (SELECT id FROM streams WHERE code = ?)"


class DirectoryRepair:
    """The lock of a database, and the rewriting of its directory. A context manager; raises
    StoreRefused if a server holds the lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(path)
        try:
            self._lock.guard()
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> DirectoryRepair:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def write(self, rows: Sequence[DirectoryRow]) -> None:
        """Replace the rows of these tables, and drop rows that belong to no table: all or
        nothing. A database of an older version first becomes one of this version, as when a
        server starts. Raises what `sqlite_errors.classify` returns."""
        try:
            with closing(connect(self._path, _BUSY_MS)) as connection:
                prepare(connection, create=True)
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("REINDEX directory")
                connection.execute("REINDEX seats")
                connection.execute(_STRAYS)
                # drop all old rows first: two rows may have changed places
                connection.executemany(_DROP, [(row.code,) for row in rows])
                put(connection, rows)
                connection.execute(_STRAY_SEATS)
                WalMarks().step(connection)
                connection.execute("COMMIT")
        except ERRORS as error:
            raise classify(error) from error

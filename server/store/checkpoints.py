"""When the write-ahead log goes into the database: as soon as it is quiet, so that the
database is then one file, also after the process was killed, and the log is empty.

Blocking, in the thread that writes; knows nothing of what is written.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from time import monotonic

from attrs import frozen

from server.store.sqlite_errors import ERRORS
from server.store.wal_marks import WalMarks

_QUIET_SECONDS = 0.01
"""Without anything to write: then it is quiet. Under load it never is, and SQLite itself
folds the log in when it has grown long."""
_BUSY_SECONDS = 0.05
"""The same under load, where a pause of a few milliseconds between two batches is no quiet."""
_BUSY_BATCHES, _BUSY_WITHIN_SECONDS = 64, 2.0
"""Load: so many batches within this time. A few quick games are none: whoever copies the file
the moment they pause finds everything in it."""
_SLOW_SECONDS = 0.04
"""The same where the disk is so slow that the log cannot be folded in within this time: what
is written next has to wait for that."""
_MOST_SECONDS = 5.0
"""Between two tries while somebody else reads the log, or the disk is full."""


class Checkpoints:
    """What is in the log only, and when to try again."""

    def __init__(self, marks: WalMarks) -> None:
        self.due = False
        """Whether something was written since the log was last emptied."""
        self._marks = marks
        self._first = True
        """Whether the file has taken in nothing since the log was last emptied."""
        self._quiet = _QUIET_SECONDS
        self._wait = _QUIET_SECONDS
        self._written: deque[float] = deque(maxlen=_BUSY_BATCHES)
        """When the last batches were written."""

    def begin(self, connection: sqlite3.Connection) -> None:
        """After opening: take in what a crash has left, and give the file a mark that no
        copy of it has. Where that cannot be done now, all goes on with the mark there is.
        Raises sqlite3.Error where the connection is of no use."""
        try:
            if fold(connection, "TRUNCATE").emptied:
                connection.execute("BEGIN IMMEDIATE")
                self._marks.step(connection, new_line=True)
                connection.execute("COMMIT")
        except ERRORS:
            self._marks.forget()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        self.due = True
        self.quiet(connection)

    def patience(self) -> float | None:
        """How many seconds without anything to write are quiet; None if nothing is due."""
        return self._wait if self.due else None

    def written(self, connection: sqlite3.Connection | None) -> None:
        """Something was written and nothing else waits. The first time after the log was
        emptied the file takes it in at once: from then on it differs from every copy that
        was taken while it was quiet, and this log fits none of them."""
        if self._first:
            self._try(connection, "PASSIVE")
        self._written.append(monotonic())
        self._wait = _BUSY_SECONDS if self._busy else self._quiet

    @property
    def _busy(self) -> bool:
        """Whether writing goes on and on."""
        written = self._written
        return len(written) == _BUSY_BATCHES and written[-1] - written[0] < _BUSY_WITHIN_SECONDS

    def quiet(self, connection: sqlite3.Connection | None) -> None:
        """It is quiet: empty the log, or wait longer before the next try."""
        begin = monotonic()
        if self._try(connection, "TRUNCATE"):
            self.due = False
            self._first = True
            self._quiet = min(max(_QUIET_SECONDS, monotonic() - begin), _SLOW_SECONDS)
        else:
            self._wait = min(2 * self._wait, _MOST_SECONDS)

    def _try(self, connection: sqlite3.Connection | None, how: str) -> bool:
        """Whether the log is empty now."""
        if connection is None:
            return False
        try:
            folded = fold(connection, how)
        except ERRORS:
            return False  # the log keeps everything; what is written next tells what is wrong
        if folded.whole:
            self._first = False
            self._marks.folded()
        return folded.emptied


@frozen
class Folded:
    """What became of a log."""

    whole: bool
    """All of it is in the database."""
    emptied: bool
    """And nothing is left of it."""


def fold(connection: sqlite3.Connection, how: str) -> Folded:
    """Move what is in the log into the database, as far as nobody reads it, waiting for
    nobody; `how` is SQLite's. Raises sqlite3.Error."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        busy, pages, moved = connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    return Folded(whole=pages == moved, emptied=not busy and how == "TRUNCATE")

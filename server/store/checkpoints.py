"""When the write-ahead log is moved into the database: as soon as no more writing comes, so that
the database is then a single file and its log is empty, even after the process was killed.

Blocks, in the thread that writes. Does not know what is written.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from time import monotonic

from attrs import frozen

from server.store.sqlite_errors import ERRORS
from server.store.wal_marks import WalMarks

_QUIET_SECONDS = 0.01
"""How long nothing is written before the store counts as quiet. Under load it never is, and SQLite
itself makes a checkpoint when the log has grown long."""
_BUSY_SECONDS = 0.05
"""The same under load, when a pause of a few milliseconds between two batches means nothing."""
_BUSY_BATCHES, _BUSY_WITHIN_SECONDS = 64, 2.0
"""There is load when so many batches were written within this time. A few quick games do not make
that many: a copy of the file has everything in it the moment they pause."""
_SLOW_SECONDS = 0.04
"""The most of the same on a slow disk, where a checkpoint may take this long: what is written next
has to wait for it."""
_MOST_SECONDS = 5.0
"""The most time between two tries while another process reads the log, or the disk is full."""


class Checkpoints:
    """Whether the log holds anything that the file lacks, and when to try again."""

    def __init__(self, marks: WalMarks) -> None:
        self.due = False
        """Whether something was written since the log was last emptied."""
        self._marks = marks
        self._first = True
        """Whether no checkpoint was completed since the log was last emptied."""
        self._quiet = _QUIET_SECONDS
        self._wait = _QUIET_SECONDS
        self._written: deque[float] = deque(maxlen=_BUSY_BATCHES)
        """When the last batches were written."""

    def begin(self, connection: sqlite3.Connection) -> None:
        """After opening: move what a crash has left in the log into the file, and give the file
        a mark that no copy of it has. If that cannot be done now, the mark there is stays in
        use. Raises sqlite3.Error if the connection cannot be used."""
        try:
            if checkpoint(connection, "TRUNCATE").emptied:
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
        """After how many seconds without anything to write to call `quiet`; None if nothing is
        due."""
        return self._wait if self.due else None

    def written(self, connection: sqlite3.Connection | None) -> None:
        """Something was written and nothing else waits. The first time after the log was emptied
        there is a checkpoint at once: from then on the file differs from every copy that was
        made while the store was quiet, so that this log fits none of them."""
        if self._first:
            self._try(connection, "PASSIVE")
        self._written.append(monotonic())
        self._wait = _BUSY_SECONDS if self._busy else self._quiet

    @property
    def _busy(self) -> bool:
        """Whether there is load."""
        written = self._written
        return len(written) == _BUSY_BATCHES and written[-1] - written[0] < _BUSY_WITHIN_SECONDS

    def quiet(self, connection: sqlite3.Connection | None) -> None:
        """The store is quiet: empty the log, or wait longer before the next try."""
        begin = monotonic()
        if self._try(connection, "TRUNCATE"):
            self.due = False
            self._first = True
            self._quiet = min(max(_QUIET_SECONDS, monotonic() - begin), _SLOW_SECONDS)
        else:
            self._wait = min(2 * self._wait, _MOST_SECONDS)

    def _try(self, connection: sqlite3.Connection | None, mode: str) -> bool:
        """Try a checkpoint; whether the log is empty now."""
        if connection is None:
            return False
        try:
            outcome = checkpoint(connection, mode)
        except ERRORS:
            return False  # the log keeps everything; the next write reports what is wrong
        if outcome.complete:
            self._first = False
            self._marks.checkpointed()
        return outcome.emptied


@frozen
class CheckpointOutcome:
    """What a checkpoint did to the log."""

    complete: bool
    """All of it is in the database."""
    emptied: bool
    """All of it is in the database, and the log is empty."""


def checkpoint(connection: sqlite3.Connection, mode: str) -> CheckpointOutcome:
    """Move what is in the log into the database, except for what others still read, without
    waiting for them; `mode` is SQLite's. Raises sqlite3.Error."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        busy, pages, moved = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    emptied = not busy and mode == "TRUNCATE"
    return CheckpointOutcome(complete=pages == moved, emptied=emptied)

"""The writing side of the SQLite store: a thread with a connection of its own, which writes
everything that waits at one moment in one transaction and recovers from faults of the disk.

Blocks. Knows nothing of the event loop except the function that takes the results.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from server.store.batch_writer import MAX_BATCH, Append, BatchWriter, Change, Result
from server.store.checkpoints import Checkpoints
from server.store.port import StoreError, StoreRefused, Unavailable, Unknown
from server.store.schema import connect, identity, prepare
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import WalMarks

Batch = list[Append | Change]


class StoreWriter:
    """Starts its thread at once; `put` takes batches, then None to end it."""

    def __init__(self, path: Path, busy_ms: int, deliver: Callable[[list[Result]], None]) -> None:
        """Raises sqlite3.Error or StoreError if the database cannot be prepared."""
        self._path = path
        self._busy_ms = busy_ms
        self._deliver = deliver
        self._batch_writer = BatchWriter()
        self._marks = WalMarks()
        self._checkpoints = Checkpoints(self._marks)
        self._inbox: SimpleQueue[Batch | None] = SimpleQueue()
        self._identity = identity(path)
        self._thread = Thread(target=self._run, name="store-write", daemon=True)
        with ExitStack() as undone:
            connection = undone.enter_context(closing(self._open(create=True)))
            self._connection: sqlite3.Connection | None = connection
            self._checkpoints.begin(connection)
            try:
                self._thread.start()
            except RuntimeError:
                raise StoreRefused("cannot_open", reason="the system gives no thread") from None
            undone.pop_all()
        self.put = self._inbox.put

    def join(self) -> None:
        """Wait until the thread has ended (after `put(None)`)."""
        self._thread.join()

    # in the thread

    def _run(self) -> None:
        batch: Batch | None
        last = False
        while not last and (batch := self._next()) is not None:
            while not self._inbox.empty() and len(batch) < MAX_BATCH:
                more = self._inbox.get()
                if more is None:
                    last = True
                    break
                batch += more
            for at in range(0, len(batch), MAX_BATCH):
                self._write(batch[at : at + MAX_BATCH])
            if self._inbox.empty():
                self._checkpoints.written(self._connection)
        if self._connection is not None:
            self._connection.close()

    def _next(self) -> Batch | None:
        """The next batch; while none comes, the log is moved into the database."""
        while True:
            try:
                return self._inbox.get(timeout=self._checkpoints.patience())
            except Empty:
                self._checkpoints.quiet(self._connection)

    def _write(self, batch: Batch) -> None:
        try:
            results = self._transaction(batch)
        except Exception as error:
            # no error is expected here, but whatever it is, no caller may wait for ever
            self._reopen_later()
            unknown = Unknown("failed", error=type(error).__name__)
            results = [(item.ticket, unknown) for item in batch]
        self._deliver(results)

    def _transaction(self, batch: Batch) -> list[Result]:
        committing = False
        try:
            connection = self._connection
            if connection is None:
                connection = self._connection = self._open()
            self._check_place()
            connection.execute("BEGIN IMMEDIATE")
            try:
                results, tails = self._batch_writer.write_together(connection, batch)
            except sqlite3.IntegrityError:
                connection.execute("ROLLBACK")
                self._batch_writer.forget()
                connection.execute("BEGIN IMMEDIATE")
                results, tails = self._batch_writer.write_one_by_one(connection, batch)
            self._marks.step(connection)
            committing = True
            connection.execute("COMMIT")
        except ERRORS as error:
            return self._failed(batch, classify(error), committing)
        except StoreError as error:
            return self._failed(batch, error, committing)
        self._checkpoints.due = True
        self._batch_writer.adopt(tails)
        if any(isinstance(item, Change) and item.directory for item in batch):
            self._batch_writer.forget()
        return results

    # faults

    def _failed(self, batch: Batch, error: StoreError, committing: bool) -> list[Result]:
        """The results of a batch that was not written, unless the commit succeeded after all."""
        self._batch_writer.forget()
        self._marks.forget()
        if not isinstance(error, Unavailable):
            error = Unavailable(error.code, **error.facts)
        if committing and error.code != "locked":
            self._reopen_later()
            return [(item.ticket, self._outcome(item, error)) for item in batch]
        connection = self._connection
        try:
            if connection is not None and connection.in_transaction:
                connection.execute("ROLLBACK")
        except ERRORS:
            self._reopen_later()
        if error.code not in ("locked", "disk_full"):
            self._reopen_later()
        return [(item.ticket, error) for item in batch]

    def _outcome(self, item: Append | Change, error: StoreError) -> Any:
        """What a commit that reported `error` made of `item`, read back from the database."""
        if isinstance(item, Change):
            return Unknown(error.code, **error.facts)
        try:
            if self._connection is None:
                self._connection = self._open()
            found = self._connection.execute(
                "SELECT body FROM entries WHERE number = ?"
                " AND stream = (SELECT id FROM streams WHERE code = ?)",
                (item.row.number, item.table),
            ).fetchone()
        except (*ERRORS, StoreError):
            self._reopen_later()
            return Unknown(error.code, **error.facts)
        if found is not None and found[0] == item.row.body:
            return item.row.number
        return error

    def _check_place(self) -> None:
        # no append may be acknowledged when the file cannot be found, or when another is in its
        # place (a disk that came back empty, a backup that was put there)
        if identity(self._path) != self._identity:
            raise Unavailable("io_error", reason="another file")

    def _open(self, *, create: bool = False) -> sqlite3.Connection:
        self._check_place()
        connection = connect(self._path, self._busy_ms)
        try:
            prepare(connection, create=create)
        except BaseException:
            connection.close()
            raise
        return connection

    def _reopen_later(self) -> None:
        # a connection that met an error of its file may keep reporting it; a new one starts
        # from what is there
        connection, self._connection = self._connection, None
        self._batch_writer.forget()
        self._marks.forget()
        if connection is not None:
            connection.close()

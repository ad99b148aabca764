"""A check of a database beside the server that uses it: whether the file's structure is sound, as
far as a bounded time shows.

Blocks, on a connection of its own, and never writes. It does not look into the rows: reading them
shows whether they are sound, and so does `ra-server check`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

from server.store.port import Damaged, StoreRefused
from server.store.schema import connect
from server.store.sqlite_errors import ERRORS, classify

_AGAIN_SECONDS = 0.01
"""Between two interrupts: one that arrives between two statements stops neither."""


class QuickCheck:
    """One check, which another thread may end."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._wake = Event()
        self._cut = False
        """Whether the check was cut short."""

    def end(self) -> None:
        """Let `damaged` return soon."""
        self._wake.set()

    def damaged(self) -> bool:
        """Whether there is damage; False also if the time was too short, or if the file could
        not be checked now. Returns soon after its time is over, unless the disk does not
        answer. Can be called only once."""
        try:
            with (
                closing(connect(self._path, 0, read_only=True)) as connection,
                self._bounded(connection),
            ):
                rows = connection.execute("PRAGMA quick_check(1)").fetchall()
        except (StoreRefused, RuntimeError):  # the file is gone, or the system gives no thread
            return False
        except ERRORS as error:
            return isinstance(classify(error), Damaged)
        # some versions of SQLite report what an interrupt kept them from reading as damage
        return not self._cut and [tuple(row) for row in rows] != [("ok",)]

    @contextmanager
    def _bounded(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Interrupt `connection` when the time is over. A progress handler would not do: the
        walk over all pages is one instruction of SQLite, which does not call it."""
        done = Event()

        def watch() -> None:
            self._wake.wait(self._seconds)
            while not done.is_set():
                self._cut = True
                connection.interrupt()
                done.wait(_AGAIN_SECONDS)

        watcher = Thread(target=watch, name="quick-check-end", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            self._wake.set()
            watcher.join()  # before the connection is closed

"""A glance over a database beside the server that uses it: is the file's structure sound, as
far as can be seen in a bounded time.

Blocking, on a connection of its own; never writes. What is in the rows is not looked at:
that is seen when they are read, and by `ra-server check`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

from server.store.faults import ERRORS, classify
from server.store.port import Damaged, StoreRefused
from server.store.schema import connect

_AGAIN_SECONDS = 0.01
"""Between two interrupts: one that comes between two statements stops neither."""


class QuickCheck:
    """One look, which another thread may end."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._wake = Event()
        self._cut = False
        """Whether the look was cut short."""

    def end(self) -> None:
        """Let `damaged` come back soon."""
        self._wake.set()

    def damaged(self) -> bool:
        """Whether damage was seen; False as well if the time was too short, or the file
        could not be looked at now. Comes back soon after its time, unless the disk does
        not answer. Not to be called again."""
        try:
            with (
                closing(connect(self._path, 0, read_only=True)) as connection,
                self._bounded(connection),
            ):
                rows = connection.execute("PRAGMA quick_check(1)").fetchall()
        except (StoreRefused, RuntimeError):  # it is gone; or the system gives no thread
            return False
        except ERRORS as error:
            return isinstance(classify(error), Damaged)
        # some versions of SQLite take for damage what an interrupt kept them from seeing
        return not self._cut and [tuple(row) for row in rows] != [("ok",)]

    @contextmanager
    def _bounded(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Interrupt what `connection` does when the time is over. No progress handler: the
        walk over all pages is one instruction of SQLite's, which calls none."""
        done = Event()

        def watch() -> None:
            self._wake.wait(self._seconds)
            while not done.is_set():
                self._cut = True
                connection.interrupt()
                done.wait(_AGAIN_SECONDS)

        watcher = Thread(target=watch, name="glance-end", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            self._wake.set()
            watcher.join()  # before the connection is closed

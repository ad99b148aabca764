"""A glance over a database beside the server that uses it: is the file's structure sound, as
far as can be seen in a bounded time.

Blocking, on a connection of its own; never writes. What is in the rows is not looked at:
that is seen when they are read, and by `ra-server check`.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic

from server.store.faults import ERRORS, classify
from server.store.port import Damaged, Refused
from server.store.schema import connect

_STEPS = 20_000
"""Instructions of SQLite's between two looks at the time."""


class Glance:
    """One look, which another thread may end."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._ended = Event()

    def end(self) -> None:
        """Let `damaged` come back soon."""
        self._ended.set()

    def damaged(self) -> bool:
        """Whether damage was seen; False as well if the time was too short, or the file
        could not be looked at now."""
        end = monotonic() + self._seconds
        try:
            with closing(connect(self._path, 0, read_only=True)) as connection:
                connection.set_progress_handler(
                    lambda: self._ended.is_set() or monotonic() > end, _STEPS
                )
                rows = connection.execute("PRAGMA quick_check(1)").fetchall()
        except Refused:
            return False
        except ERRORS as error:
            return isinstance(classify(error), Damaged)
        return [tuple(row) for row in rows] != [("ok",)]

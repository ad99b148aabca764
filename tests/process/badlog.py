"""What a server's log may meet where it is written: descriptors for the stderr of a process."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def gone() -> Iterator[int]:
    """Whoever read it is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        yield writing
    finally:
        os.close(writing)


@contextmanager
def full() -> Iterator[int]:
    """A disk without room."""
    writing = os.open("/dev/full", os.O_WRONLY)
    try:
        yield writing
    finally:
        os.close(writing)


class Stuck:
    """A pipe that is full, and that nobody reads before `read` is called."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.writing, False)
        with suppress(BlockingIOError):
            while True:
                os.write(self.writing, b"." * 4096)
        os.set_blocking(self.writing, True)

    def read(self) -> str:
        """What is in it now."""
        size = fcntl.fcntl(self.reading, fcntl.F_GETPIPE_SZ)
        return os.read(self.reading, size).decode()

    def close(self) -> None:
        os.close(self.reading)
        os.close(self.writing)


@contextmanager
def unread() -> Iterator[int]:
    """A pipe that is full and that nobody reads."""
    stuck = Stuck()
    try:
        yield stuck.writing
    finally:
        stuck.close()

"""The progress of long work: one line on a terminal's stderr, overwritten as the work goes on and
erased when it is done. Does not know what the work is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, Protocol, TextIO

FIRST_SECONDS = 0.5
"""Work that takes less than this shows no line."""
AGAIN_SECONDS = 0.1


class Progress(Protocol):
    """Called when something has got to `done` of `whole`."""

    def __call__(self, what: str, done: int, whole: int) -> None: ...


def nobody(what: str, done: int, whole: int) -> None:
    """Progress that is shown to nobody."""


class ProgressLine:
    """Progress on a stream, if it is a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        stream = sys.stderr if stream is None else stream
        self._stream = stream if stream is not None and stream.isatty() else None
        self._due = time.monotonic() + FIRST_SECONDS
        self._shown = 0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """Show how far something is, now and then."""
        if self._stream is None or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + AGAIN_SECONDS
        line = f"{what}: {100 * done // max(whole, 1)} % (Ctrl-C ends it)"
        self._write(line)
        self._shown = len(line)

    def clear(self) -> None:
        """Erase the line from the terminal."""
        if self._shown:
            self._write("")
            self._shown = 0

    def _write(self, line: str) -> None:
        with suppress(OSError):
            assert self._stream is not None
            self._stream.write(f"\r{line.ljust(self._shown)}\r{line}")
            self._stream.flush()


class Watched:
    """A file that calls `watch` with the number of bytes read so far."""

    def __init__(self, file: BinaryIO, watch: Callable[[int], None]) -> None:
        self._file = file
        self._watch = watch
        self._read = 0

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes."""
        data = self._file.read(size)
        self._read += len(data)
        self._watch(self._read)
        return data

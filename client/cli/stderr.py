"""A stderr that never blocks: if its reader has no room, a line waits briefly and is then dropped,
as is what cannot be written at all. Nothing is left for the interpreter to try again at its end,
which would change the exit code. Does not know what is written."""

from __future__ import annotations

import io
import os
import select
import sys
from contextlib import suppress

_PATIENCE_MS = 1000
_PIECE = 512
"""Bytes that always fit where there is any room."""


class _Patient(io.RawIOBase):
    """A descriptor that is written in pieces, each when there is room."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._patience = _PATIENCE_MS

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        whole = bytes(data)  # type: ignore[call-overload]
        with suppress(OSError):
            left = memoryview(whole)
            while left and self._has_room():
                left = left[os.write(self._descriptor, left[:_PIECE]) :]
        return len(whole)

    def _has_room(self) -> bool:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        room = bool(poll.poll(self._patience))
        self._patience = _PATIENCE_MS if room else 0  # do not wait again for each line
        return room


def never_block() -> None:
    """Make stderr such a stream, if it is a stream of the system."""
    stream = sys.stderr
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return
    raw = _Patient(descriptor)
    sys.stderr = io.TextIOWrapper(
        raw,
        stream.encoding,
        "backslashreplace",
        line_buffering=True,
        write_through=True,
    )

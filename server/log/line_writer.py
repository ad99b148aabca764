"""Lines on their way to a descriptor that may be full, stuck, or gone.

A thread of its own writes them, so that no other waits for a disk or a reader.
What waits is bounded; what cannot be kept or written is counted, and the count is said as
soon as something can be written again. Knows nothing of what the lines say.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

_MOST_BYTES = 1 << 18
"""What may wait to be written."""
_FIRST_SECONDS = 1.0
"""Until the count of lost lines is tried again, when no line comes that could follow it;
then twice as long each time."""
_MOST_SECONDS = 60.0


class _QueuedLine(NamedTuple):
    data: bytes
    dropped: int
    """How many lines had been dropped when this one came."""


class LineWriter:
    """Writes lines in their order. `put` and `drop` never block and never raise. They may be
    called in any thread, and in the midst of each other (by what the garbage collector
    calls)."""

    def __init__(self, descriptor: int, notice: Callable[[int], bytes]) -> None:
        """`notice` makes the line that tells how many lines were lost."""
        self._descriptor = descriptor
        self._notice = notice
        self._queue: SimpleQueue[_QueuedLine | None] = SimpleQueue()
        """None: look around."""
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._waiting = 0
        """Bytes of the lines that wait."""
        self._closed = False
        self._dropped = 0
        self._woken = False
        """Whether the thread knows that there is something to tell of."""
        self._failed = 0
        """Lines that could not be written. The thread's own, as are the following."""
        self._told = 0
        """Lost lines that were told of."""
        self._seconds = _FIRST_SECONDS
        self._torn = False
        """Whether the last line that came out is not whole."""

    @property
    def lost(self) -> int:
        """How many lines were dropped, or could not be written."""
        return self._dropped + self._failed

    def put(self, data: bytes) -> None:
        """Write a line, which includes its end, when its turn comes."""
        with self._lock:
            full = self._waiting + len(data) > _MOST_BYTES
            if self._closed or full or not self._started():
                self._dropped += 1
                return
            self._waiting += len(data)
            self._queue.put(_QueuedLine(data, self._dropped))

    def drop(self) -> None:
        """A line is not even to be put: it is counted with the lost ones."""
        with self._lock:
            self._dropped += 1
            if not self._woken and self._started():
                self._woken = True
                self._queue.put(None)

    def close(self, seconds: float) -> None:
        """Write what waits, for at most `seconds`; what is put from now on is dropped."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._queue.put(None)
        if thread is not None:
            thread.join(seconds)

    def _started(self) -> bool:
        if self._thread is not None:
            return True
        # a daemon: what is stuck in it never holds up the end of the process
        thread = threading.Thread(target=self._work, name="log", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False  # the system gives none just now
        self._thread = thread
        return True

    # in the thread

    def _work(self) -> None:
        while True:
            if self.lost == self._told:
                self._woken = False  # a line that is lost from here on wakes it
            seconds = self._seconds if self.lost > self._told else None
            try:
                line = self._queue.get(timeout=seconds)
            except Empty:
                self._tell(self._dropped)
                continue
            if line is not None:
                self._write_line(line)
            elif self._closed and self._queue.empty():
                self._tell(self._dropped)
                return

    def _write_line(self, line: _QueuedLine) -> None:
        if not (self._tell(line.dropped) and self._write(line.data)):
            self._failed += 1
        with self._lock:
            self._waiting -= len(line.data)

    def _tell(self, dropped: int) -> bool:
        """Say how many lines were lost, of those dropped only so many; whether all that is
        to be said is said."""
        lost = dropped + self._failed - self._told
        if lost <= 0:
            return True
        if not self._write(self._notice(lost)):
            self._seconds = min(2 * self._seconds, _MOST_SECONDS)
            return False
        self._seconds = _FIRST_SECONDS
        self._told += lost
        return True

    def _write(self, data: bytes) -> bool:
        """Whether all of it came out."""
        left = memoryview(b"\n" + data if self._torn else data)
        try:
            while left:
                count = self._write_some(left)
                self._torn = bytes(left[count - 1 : count]) != b"\n"
                left = left[count:]
        except OSError:
            return False
        return True

    def _write_some(self, data: memoryview) -> int:
        """How many bytes were written; waits, also where others made the descriptor
        non-blocking."""
        while True:
            try:
                return os.write(self._descriptor, data)
            except BlockingIOError:
                select.select((), (self._descriptor,), ())

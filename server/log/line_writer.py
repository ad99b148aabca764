"""Writing lines to a descriptor that may be full, stuck or gone.

A thread of its own writes them, so that no other thread waits for a disk or a reader. The lines
that wait are bounded; those that cannot be kept or written are counted, and the count is written as
soon as writing works again. Does not know what the lines say.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

_MOST_BYTES = 1 << 18
"""Bytes that may wait to be written."""
_FIRST_SECONDS = 1.0
"""Time until the count of lost lines is tried again if no line comes before that; it doubles with
each failure."""
_MOST_SECONDS = 60.0


class _QueuedLine(NamedTuple):
    data: bytes
    dropped: int
    """How many lines had been dropped when this one was put."""


class LineWriter:
    """Writes lines in order. `put` and `drop` never block and never raise. They may be called in
    any thread, and re-entered (by a finalizer that the garbage collector calls)."""

    def __init__(self, descriptor: int, notice: Callable[[int], bytes]) -> None:
        """`notice` makes the line that says how many lines were lost."""
        self._descriptor = descriptor
        self._notice = notice
        self._queue: SimpleQueue[_QueuedLine | None] = SimpleQueue()
        """None wakes the thread without a line."""
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._waiting = 0
        """Bytes of the lines that wait."""
        self._closed = False
        self._dropped = 0
        self._woken = False
        """Whether the thread was woken to report dropped lines."""
        self._failed = 0
        """Lines that could not be written. Only the thread uses this and the following."""
        self._reported = 0
        """Lost lines that were reported."""
        self._seconds = _FIRST_SECONDS
        self._torn = False
        """Whether the last line was written only in part."""

    @property
    def lost(self) -> int:
        """How many lines were dropped, or could not be written."""
        return self._dropped + self._failed

    def put(self, data: bytes) -> None:
        """Write a line, which includes its line end, when its turn comes."""
        with self._lock:
            full = self._waiting + len(data) > _MOST_BYTES
            if self._closed or full or not self._started():
                self._dropped += 1
                return
            self._waiting += len(data)
            self._queue.put(_QueuedLine(data, self._dropped))

    def drop(self) -> None:
        """Count a line that its caller drops as lost."""
        with self._lock:
            self._dropped += 1
            if not self._woken and self._started():
                self._woken = True
                self._queue.put(None)

    def close(self, seconds: float) -> None:
        """Write the lines that wait, for at most `seconds`; lines put from now on are dropped."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._queue.put(None)
        if thread is not None:
            thread.join(seconds)

    def _started(self) -> bool:
        if self._thread is not None:
            return True
        # a daemon, so that a stuck write does not hold up the end of the process
        thread = threading.Thread(target=self._work, name="log", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False  # the system has no thread left just now
        self._thread = thread
        return True

    # in the thread

    def _work(self) -> None:
        while True:
            if self.lost == self._reported:
                self._woken = False  # a line that is lost from here on wakes the thread
            seconds = self._seconds if self.lost > self._reported else None
            try:
                line = self._queue.get(timeout=seconds)
            except Empty:
                self._report(self._dropped)
                continue
            if line is not None:
                self._write_line(line)
            elif self._closed and self._queue.empty():
                self._report(self._dropped)
                return

    def _write_line(self, line: _QueuedLine) -> None:
        if not (self._report(line.dropped) and self._write(line.data)):
            self._failed += 1
        with self._lock:
            self._waiting -= len(line.data)

    def _report(self, dropped: int) -> bool:
        """Write how many lines were lost, counting only the first `dropped` that were dropped;
        whether nothing is left to report."""
        lost = dropped + self._failed - self._reported
        if lost <= 0:
            return True
        if not self._write(self._notice(lost)):
            self._seconds = min(2 * self._seconds, _MOST_SECONDS)
            return False
        self._seconds = _FIRST_SECONDS
        self._reported += lost
        return True

    def _write(self, data: bytes) -> bool:
        """Whether all of it was written."""
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
        """Write some of it and return how many bytes; waits, even if another process made the
        descriptor non-blocking."""
        while True:
            try:
                return os.write(self._descriptor, data)
            except BlockingIOError:
                select.select((), (self._descriptor,), ())

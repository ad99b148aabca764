"""Reads lines from standard input without blocking the loop: from a terminal, a pipe or a file.

Does not know what the lines mean.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque

LONGEST = 4_096
"""The most bytes of a line; a longer one is cut."""


class Lines:
    """The lines of a file descriptor, each decoded and without its line end.

    A thread reads, because the loop cannot wait for regular files. It reads the descriptor
    directly, so that it holds none of Python's locks when the program ends.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: deque[tuple[float, str]] = deque()
        """Each with the loop's time at which it came."""
        self._came = asyncio.Event()
        self._thread = threading.Thread(target=self._read, daemon=True, name="stdin")
        self.ended = False
        """Whether no more lines will come beyond those waiting."""

    @property
    def over(self) -> bool:
        """Whether no line is waiting and none will come."""
        return self.ended and not self._lines

    def start(self) -> None:
        self._thread.start()

    async def wait(self) -> bool:
        """Wait until a line can be taken; False at the end of the input."""
        while not self._lines:
            if self.ended:
                return False
            self._came.clear()
            await self._came.wait()
        return True

    def take(self) -> str:
        """The next line; one must be waiting."""
        return self._lines.popleft()[1]

    def since(self, moment: float) -> tuple[str, ...]:
        """The waiting lines that came after a moment of the loop's time."""
        return tuple([line for came, line in self._lines if came > moment])

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._descriptor, 65_536)
            except OSError:
                data = b""
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[:LONGEST]
            if lines and not self._hand_over(lines, ended=False):
                return
        self._hand_over([rest] if rest else [], ended=True)

    def _hand_over(self, lines: list[bytes], *, ended: bool) -> bool:
        texts = [line[:LONGEST].decode("utf-8", "replace").rstrip("\r") for line in lines]
        try:
            self._loop.call_soon_threadsafe(self._take, texts, ended)
        except RuntimeError:
            return False
        return True

    def _take(self, lines: list[str], ended: bool) -> None:
        now = self._loop.time()
        self._lines.extend((now, line) for line in lines)
        self.ended = self.ended or ended
        self._came.set()

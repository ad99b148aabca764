"""Flushes all sockets with something to send once per turn of the loop. Does not know what a socket
is, nor what it sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.log import Log
from server.metrics import Counters


class FlushScheduler:
    """The sockets of one server that have something to send in this turn of the loop.

    Each is flushed once, at the end of the turn, whatever it was given in that turn: one
    system call for each peer. What many tables say in one turn leaves in one burst, so the
    receivers are woken once and not between every two tables.
    """

    __slots__ = ("_counters", "_due", "_log")

    def __init__(self, log: Log, counters: Counters) -> None:
        self._log = log
        self._counters = counters
        self._due: list[Callable[[], None]] = []

    def put(self, flush: Callable[[], None]) -> None:
        """Call `flush` once this turn of the loop is over."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._flush_all)
        self._due.append(flush)

    def _flush_all(self) -> None:
        due, self._due = self._due, []
        faults = []
        for flush in due:
            try:
                flush()
            except Exception as error:  # a fault with one peer's socket affects no other
                faults.append(error)
        self._counters.faults += len(faults)
        for fault in faults:
            self._log.error("send_fault", error=fault)

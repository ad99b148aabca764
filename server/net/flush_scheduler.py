"""When what was said goes out: at the end of the loop's turn, with one system call for
each peer, whatever it was told in that turn.

What many tables say in one turn leaves in one burst: the receivers are woken once, not
between every two tables. Knows no message and no socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.log import Log
from server.metrics import Counters


class FlushScheduler:
    """The senders of one server that have something to send in this turn."""

    __slots__ = ("_counters", "_due", "_log")

    def __init__(self, log: Log, counters: Counters) -> None:
        self._log = log
        self._counters = counters
        self._due: list[Callable[[], None]] = []

    def put(self, send: Callable[[], None]) -> None:
        """Call `send` once this turn of the loop is over."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._send_all)
        self._due.append(send)

    def _send_all(self) -> None:
        due, self._due = self._due, []
        faults = []
        for send in due:
            try:
                send()
            except Exception as error:  # one peer's socket is no other's
                faults.append(error)
        self._counters.faults += len(faults)
        for fault in faults:
            self._log.error("send_fault", error=fault)

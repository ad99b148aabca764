"""What goes out to clients: the outbox of each connection, and the scheduler that flushes all
outboxes with something to send once per turn of the loop.

Sending never waits: a peer that does not read is dropped. Does not know about tables, nor
what a frame means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from websockets.protocol import State

from protocol.session import CloseCode
from server.log import Log
from server.metrics import Counters
from server.net.sockets import Socket
from server.refusals import DisconnectReason
from server.settings import Settings

_NO_FAULT = (DisconnectReason.RESTART, DisconnectReason.TAKEN_OVER, DisconnectReason.MOVED)
"""Reasons for closing that break no limit."""


class FlushScheduler:
    """The outboxes of one server that have something to send in this turn of the loop.

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


class Outbox:
    """The frames on their way to one client, and the close of its connection."""

    __slots__ = (
        "_close_seconds",
        "_closing",
        "_counters",
        "_gone",
        "_limit",
        "_scheduled",
        "_scheduler",
        "_socket",
        "ended",
    )

    def __init__(
        self,
        socket: Socket,
        scheduler: FlushScheduler,
        settings: Settings,
        counters: Counters,
        gone: Callable[[], None],
    ) -> None:
        """`gone` is called when the connection is dropped: nothing is sent from then on."""
        self._socket = socket
        self._scheduler = scheduler
        self._limit = settings.outbox_bytes
        """How many bytes may wait for the peer to read."""
        self._close_seconds = settings.close_seconds
        self._counters = counters
        self._gone = gone
        self._closing: asyncio.Task[None] | None = None
        self._scheduled = False
        """Whether frames wait for the end of the loop's turn."""
        self.ended = False
        """Whether nothing is sent any more."""

    @property
    def open(self) -> bool:
        """Whether what is pushed now is sent."""
        return not self.ended and self._socket.protocol.state is State.OPEN

    def push(self, frame: bytes) -> None:
        """Send a frame at the end of this turn of the loop. Never waits: the system sends
        later what it cannot send at once."""
        socket = self._socket
        if self.ended or socket.protocol.state is not State.OPEN:
            return
        socket.put(frame)
        if not self._scheduled:
            self._scheduled = True
            self._scheduler.put(self._flush)

    def _flush(self) -> None:
        """Give all waiting frames to the system; drop a peer that does not read."""
        self._scheduled = False
        if self._socket.flush() > self._limit:
            self.drop(CloseCode.TOO_SLOW, DisconnectReason.TOO_SLOW)

    def drop(self, code: CloseCode, reason: DisconnectReason) -> None:
        """Send nothing more, and close the connection in the background (`closed`)."""
        self.ended = True
        if reason not in _NO_FAULT:
            self._counters.dropped += 1
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(code, reason))
        self._gone()

    async def _close(self, code: CloseCode, reason: DisconnectReason) -> None:
        # The library starts its time for closing when the peer has read what came before:
        # never, if the peer reads nothing.
        try:
            async with asyncio.timeout(self._close_seconds):
                await self._socket.close(int(code), str(reason))
        except TimeoutError:
            self._socket.transport.abort()

    async def closed(self) -> None:
        """Wait until the close that `drop` began, if it was called, is done."""
        if self._closing is not None:
            await self._closing

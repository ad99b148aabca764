"""The sending half of a connection: frames that go out at the end of the loop's turn or
are given up.

Sends never wait: a peer that does not read is dropped. Knows no table and no message's
meaning.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from websockets.protocol import State

from protocol.messages import Closing, FromServer
from protocol.session import CloseCode, ServerSession
from server.config import Settings
from server.metrics import Counters
from server.refusals import Goodbye

if TYPE_CHECKING:
    from server.net.flush_scheduler import FlushScheduler
    from server.net.sockets import Socket

_NO_FAULT = (Goodbye.RESTART, Goodbye.TAKEN_OVER, Goodbye.MOVED)
"""Ends that break no limit."""


class Outbox:
    """What is sent to one client, and how its connection ends."""

    __slots__ = (
        "_close_seconds",
        "_closing",
        "_counters",
        "_flush_scheduler",
        "_limit",
        "_session",
        "_socket",
        "_unsent",
        "ended",
    )

    def __init__(
        self,
        socket: Socket,
        flush_scheduler: FlushScheduler,
        settings: Settings,
        counters: Counters,
    ) -> None:
        self._socket = socket
        self._flush_scheduler = flush_scheduler
        self._session = ServerSession()
        self._limit = settings.outbox_bytes
        """How many bytes may wait for the peer to read."""
        self._close_seconds = settings.close_seconds
        self._counters = counters
        self._closing: asyncio.Task[None] | None = None
        self._unsent = False
        """Whether frames wait for the end of the loop's turn."""
        self.ended = False
        """Whether nothing is sent any more."""

    def update(self, number: int, frame: bytes) -> None:
        """Send a ready update of the table attended."""
        ready = self._session.send_update(number, frame)
        if ready is not None:
            self.push(ready)

    def accepted(self, id: bytes, number: int) -> None:
        """Say that a command was carried out."""
        if not self.ended:
            self.push(self._session.send_accepted(id, number))

    def tell(self, message: FromServer) -> None:
        """Send any other message."""
        if not self.ended:
            self.push(self._session.send(message))

    def push(self, frame: bytes) -> None:
        """Send a frame with this turn of the loop, or let the system send it later: never
        waits."""
        socket = self._socket
        if self.ended or socket.protocol.state is not State.OPEN:
            return
        socket.put(frame)
        if not self._unsent:
            self._unsent = True
            self._flush_scheduler.put(self._flush)

    def _flush(self) -> None:
        """Give the system all that is to be sent; drop a peer that does not read."""
        self._unsent = False
        if self._socket.flush() > self._limit:
            self._drop(CloseCode.TOO_SLOW, Goodbye.TOO_SLOW)

    def end(self, code: CloseCode, word: Goodbye, detail: str, retry: int = 0) -> None:
        """Say why, and close; `retry` in milliseconds, 0: do not come back."""
        if self.ended:
            return
        self.tell(Closing(str(word), detail, retry))
        self._drop(code, word)

    def _drop(self, code: CloseCode, word: Goodbye) -> None:
        self.ended = True
        if word not in _NO_FAULT:
            self._counters.dropped += 1
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(code, word))
        self._gone()

    async def _close(self, code: CloseCode, word: Goodbye) -> None:
        # The library's time for closing begins when the peer has read what came before:
        # of one that reads nothing, never.
        try:
            async with asyncio.timeout(self._close_seconds):
                await self._socket.close(int(code), str(word))
        except TimeoutError:
            self._socket.transport.abort()

    def _gone(self) -> None:
        """Called once nothing is sent any more."""

    async def closed(self) -> None:
        """Wait until the closing that was begun, if any, is done."""
        if self._closing is not None:
            await self._closing

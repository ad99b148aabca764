"""The sending half of a connection: frames that go out at once or are given up.

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
    from server.edge.sockets import Socket

_NO_FAULT = (Goodbye.RESTART, Goodbye.TAKEN_OVER, Goodbye.MOVED)
"""Ends that break no limit."""


class Outgoing:
    """What is sent to one client, and how its connection ends."""

    __slots__ = (
        "_close_seconds",
        "_closing",
        "_counters",
        "_held",
        "_limit",
        "_session",
        "_socket",
        "ended",
    )

    def __init__(self, socket: Socket, settings: Settings, counters: Counters) -> None:
        self._socket = socket
        self._session = ServerSession()
        self._limit = settings.outbox_bytes
        """How many bytes may wait for the peer to read."""
        self._close_seconds = settings.close_seconds
        self._counters = counters
        self._closing: asyncio.Task[None] | None = None
        self._held = False
        """Whether frames are kept while one step has more to say."""
        self.ended = False
        """Whether nothing is sent any more."""

    def update(self, number: int, frame: bytes) -> None:
        """Send a ready update of the table attended."""
        ready = self._session.send_update(number, frame)
        if ready is not None:
            self.push(ready)

    def tell(self, message: FromServer) -> None:
        """Send any other message."""
        if not self.ended:
            self.push(self._session.send(message))

    def push(self, frame: bytes) -> None:
        """Send a frame now, or let the system send it later: never waits."""
        if self.ended or self._socket.state is not State.OPEN:
            return
        # The library's protocol makes the frame and keeps its own state right; only its
        # waiting for the peer, and its one system call for each message, are left out.
        self._socket.protocol.send_binary(frame)
        if not self._held:
            self._flush()

    def hold(self) -> None:
        """Keep what is sent from now on, until `release`."""
        self._held = True

    def release(self) -> None:
        """Send what was kept, as one."""
        self._held = False
        self._flush()

    def _flush(self) -> None:
        """Give the system all that is to be sent; drop a peer that does not read."""
        socket = self._socket
        if socket.state is not State.OPEN:
            return  # closing: the library sends what is left
        data = socket.protocol.data_to_send()
        if not data:
            return
        transport = socket.transport
        if transport.is_closing():
            return  # the peer is gone; its handler is about to learn of it
        transport.write(data[0] if len(data) == 1 else b"".join(data))
        if transport.get_write_buffer_size() > self._limit:
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

"""One socket, from before its handshake to its close: counts itself with the admission, enforces
limits that the library lacks, and takes a fast path for frequent frames in both directions.

The limits here are on what costs the server before it is a message: fragments, and pings, each of
which is answered. Sending never waits: what a peer does not read waits in its outbox, up to a
limit. Does not know about messages.

Much of this overrides or calls parts of websockets and asyncio that their documentation does
not promise. docs/architecture.md lists them ("What is used of websockets"), each with the
test that fails when the library changes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.protocol import State
from websockets.typing import Data

from protocol.session import CloseCode
from server.metrics import Counters
from server.net.admission import Admission, RemoteAddress
from server.net.flush_scheduler import FlushScheduler
from server.rate_limit import TokenBucket
from server.refusals import DisconnectReason
from server.settings import Settings

_SYSTEM_BYTES = 1 << 17
"""What the system buffers for a peer before the outbox begins to fill: its default is
megabytes, for each of thousands that do not read."""
_READ_BYTES = 4096
"""What is read at once: asyncio's default is 256 KB, in which a flood has tens of thousands
of frames, and nobody else would be served until all of them are parsed."""
_NO_FAULT = (DisconnectReason.RESTART, DisconnectReason.TAKEN_OVER, DisconnectReason.MOVED)
"""Reasons for closing that break no limit."""


class Socket(ServerConnection):
    """A `ServerConnection` with limits and an outbox of its own."""

    def __init__(
        self,
        *arguments: Any,
        admission: Admission,
        scheduler: FlushScheduler,
        settings: Settings,
        counters: Counters,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._admission = admission
        self._scheduler = scheduler
        self._settings = settings
        self._counters = counters
        self._most_unsent = settings.outbox_bytes
        """How many bytes may wait for the peer to read."""
        self._host = ""
        self._fragments = 0
        self._control = TokenBucket(settings.control_rate, settings.control_rate * 10)
        self.address: RemoteAddress | None = None
        """The address it comes from, once it is connected."""
        self._waiting = False
        """Whether the reader waits for a message, and none is queued."""
        self._patient = self._was_patient = False
        """Whether answers to pings may be late now, or were allowed to be since `keepalive`
        last looked."""
        self.on_message: Callable[[bytes], bool] | None = None
        """Called with each message that comes while the reader waits. True: the message was
        taken, and the reader is not woken for it."""
        self.on_breach: Callable[[DisconnectReason, str], None] | None = None
        """Called with the limit that this peer has broken; if None, the peer is cut off."""
        self.on_drop: Callable[[], None] | None = None
        """Called when the connection is dropped: nothing is sent from then on."""
        self._unsent: list[bytes] = []
        """Frames that wait for the end of the loop's turn, or for the library to send something
        after them."""
        self._scheduled = False
        """Whether `_flush` is called at the end of the loop's turn."""
        self.ended = False
        """Whether nothing is sent any more."""
        self._dropping: asyncio.Task[None] | None = None
        """Closes the connection, once it is dropped."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        self._host = str(peer[0]) if isinstance(peer, tuple) else ""
        self.address = self._admission.arrive(self._host)
        system = transport.get_extra_info("socket")
        if system is not None:
            system.setsockopt(SOL_SOCKET, SO_SNDBUF, _SYSTEM_BYTES)
        if hasattr(transport, "max_size"):
            transport.max_size = _READ_BYTES
        super().connection_made(transport)
        if self._admission.hopeless(self.address):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._admission.leave(self._host)
        super().connection_lost(exc)

    # what goes out

    @property
    def is_open(self) -> bool:
        """Whether what is put now is sent."""
        return not self.ended and self.protocol.state is State.OPEN

    def put(self, message: bytes) -> None:
        """Send a binary message at the end of this turn of the loop, unless the connection is
        closing. Never waits, unlike the library's `send`: the system sends later what it cannot
        send at once."""
        if self.ended or self.protocol.state is not State.OPEN:
            return
        if self.protocol.extensions:
            frame = Frame(Opcode.BINARY, message)
            self._unsent.append(frame.serialize(mask=False, extensions=self.protocol.extensions))
        else:
            # the same bytes that the library would make, at less cost
            size = len(message)
            self._unsent.append((_HEADERS[size] if size < 126 else header(size)) + message)
        if not self._scheduled:
            self._scheduled = True
            self._scheduler.put(self._flush)

    def _flush(self) -> None:
        """Give the system all that waits; drop a peer that does not read."""
        self._scheduled = False
        self._write()
        if self.transport.get_write_buffer_size() > self._most_unsent:
            self.drop(CloseCode.TOO_SLOW, DisconnectReason.TOO_SLOW)

    def _write(self) -> None:
        """Give the system what was `put`, in one call."""
        unsent, transport = self._unsent, self.transport
        if unsent:  # else it went out before something of the library's
            if not transport.is_closing():
                transport.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))
            unsent.clear()

    def send_data(self) -> None:
        """Give the system all that the library has to send (mostly answers to pings, and
        closes) in one write, after what was `put`; and nothing once the peer is gone, because
        asyncio logs every write after that.

        In place of the library's, which writes piece by piece. `client.dial.dialler` has the
        same for a client, which has nothing of its own to put first: client and server may
        not import each other, and the protocol may not import the library.
        """
        sent = self.protocol.data_to_send()
        if not sent:
            return
        self._write()
        if self.transport.is_closing():
            return
        if data := b"".join(sent):
            self.transport.write(data)
        if sent[-1]:
            return
        # an empty piece, always the last one, means the end of the stream
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    def drop(self, code: CloseCode, reason: DisconnectReason) -> None:
        """Send nothing more, and close the connection in the background (`dropped`)."""
        self.ended = True
        if reason not in _NO_FAULT:
            self._counters.dropped += 1
        if self._dropping is None:
            self._dropping = asyncio.get_running_loop().create_task(self._drop(code, reason))
        if self.on_drop is not None:
            self.on_drop()

    async def _drop(self, code: CloseCode, reason: DisconnectReason) -> None:
        # The library starts its time for closing when the peer has read what came before:
        # never, if the peer reads nothing.
        try:
            async with asyncio.timeout(self._settings.close_seconds):
                await self.close(int(code), str(reason))
        except TimeoutError:
            self.transport.abort()

    async def dropped(self) -> None:
        """Wait until the close that `drop` began, if it was called, is done."""
        if self._dropping is not None:
            await self._dropping

    # what comes in

    def be_patient(self, patient: bool) -> None:
        """Allow or no longer allow late answers to pings. While a peer is not read because of
        what it sent, its answers to pings are not read either; it is not dropped for that,
        since it would only shake hands again."""
        self._patient = patient
        self._was_patient |= patient

    async def keepalive(self) -> None:
        """Send pings, and drop a peer that leaves one unanswered: in place of the library's,
        which also counts the time in which the peer was not read."""
        seconds = self._settings.ping_seconds
        while True:
            await asyncio.sleep(seconds)
            answer = asyncio.ensure_future(await self.ping())
            while not answer.done():
                self._was_patient = self._patient
                await asyncio.wait([answer], timeout=seconds)
                if not (answer.done() or self._was_patient):
                    async with self.send_context():
                        self.protocol.fail(CloseCode.FAULT, "keepalive ping timeout")

    async def next(self) -> Data:
        """The next message that `on_message` did not take."""
        self._waiting = True
        try:
            return await self.recv()
        finally:
            self._waiting = False

    def process_event(self, event: Any) -> None:
        """Take what the library has parsed: a handshake or a frame."""
        if type(event) is Frame:
            if event.opcode is Opcode.BINARY and event.fin:
                if (
                    self._waiting
                    and self.on_message is not None
                    and self.on_message(bytes(event.data))
                ):
                    return
            elif not self._allowed(event):
                return
            if event.opcode in DATA_OPCODES:
                self._waiting = False  # what comes next queues behind this
        super().process_event(event)

    def _allowed(self, frame: Frame) -> bool:
        """Whether a frame that is no whole binary message keeps within the limits."""
        if frame.opcode in (Opcode.PING, Opcode.PONG):
            if not self._control.take():
                self._tell_breach(DisconnectReason.FLOOD, "far more pings than the rate allows")
                return False
            if self.transport.get_write_buffer_size() > self._settings.outbox_bytes:
                self._tell_breach(DisconnectReason.TOO_SLOW, "the answers to pings are not read")
                return False
            return True
        self._fragments = 0 if frame.fin else self._fragments + 1
        if self._fragments < self._settings.message_fragments:
            return True
        self._tell_breach(DisconnectReason.FRAGMENTS, "a message in too many fragments")
        return False

    def _tell_breach(self, reason: DisconnectReason, detail: str) -> None:
        if self.on_breach is None:
            self.transport.abort()
        else:
            self.on_breach(reason, detail)


_BINARY = 0x80 | Opcode.BINARY
_HEADERS = tuple(bytes((_BINARY, length)) for length in range(126))


def header(length: int) -> bytes:
    """The header of a server's frame that holds a whole binary message of `length` bytes:
    https://www.rfc-editor.org/rfc/rfc6455#section-5.2"""
    if length < 126:
        return _HEADERS[length]
    if length < 1 << 16:
        return bytes((_BINARY, 126)) + length.to_bytes(2)
    return bytes((_BINARY, 127)) + length.to_bytes(8)


def library_log() -> logging.Logger:
    """A logger for the library that passes on only faults of the server: a handshake that
    fails is the peer's."""
    logger = logging.getLogger(__name__)
    logger.setLevel(logging.ERROR)
    logger.addFilter(_is_ours)
    return logger


def _is_ours(record: logging.LogRecord) -> bool:
    return record.msg != "opening handshake failed"

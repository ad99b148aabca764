"""One connection, from its first message to its close: admits messages, and hands each to its
handler in turn.

Nothing that a peer sends ends anything but its own connection. A peer learns nothing of the
server's inside but codes and short sentences. Does not know about tables or what a message asks
for (`server.net.handlers` does).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import NoReturn

from websockets.exceptions import ConnectionClosed

from engine.errors import IllegalAction
from protocol.codec import ProtocolError
from protocol.frames import ACT_HEAD
from protocol.messages import Act, Beat, FromClient
from protocol.session import CloseCode, OutOfPlace
from server.net.connected_client import RETRY_MS, ConnectedClient, Disconnected
from server.net.handlers import HANDLERS
from server.net.server_parts import ServerParts
from server.net.sockets import Socket
from server.net.table_handlers import act
from server.refusals import Denied, DisconnectReason, RefusalCode, Unsure
from server.store.port import StoreError, Unknown

_PAUSE_SECONDS = 0.002
"""After a message that came too fast, before the next one."""


class Connection:
    """Reads one client's messages, within their limits, until its end."""

    __slots__ = ("_flood", "_last_heard", "_number", "_server", "_socket", "_too_fast", "client")

    def __init__(self, server: ServerParts, socket: Socket) -> None:
        self._server = server
        self._socket = socket
        self.client = ConnectedClient(server, socket)
        self._number = 1
        """The number of the message that comes next."""
        self._flood = 0
        """Counts messages refused by the limits here, less those admitted since."""
        self._too_fast = False
        """Whether the last message came too fast."""
        self._last_heard = monotonic()
        """When the last message other than a Beat came."""
        socket.on_breach = self._on_breach

    async def serve(self) -> None:
        """Serve this client until its socket is closed."""
        client = self.client
        try:
            async with asyncio.timeout(self._server.settings.hello_seconds):
                await self._greet()
            message = await self._receive()
            await self._confirm()
            await self._handle(message)
            self._socket.on_message = self._on_message
            while True:
                await self._handle(await self._receive())
        except (ConnectionClosed, Disconnected):
            pass
        except TimeoutError:
            client.end(CloseCode.LIMIT, DisconnectReason.HELLO_TIMEOUT, "no Hello in time")
        except Exception as error:
            client.fault(error)
        finally:
            client.leave()
        await client.socket.dropped()

    async def _greet(self) -> None:
        """Read Hellos until one is accepted."""
        for _ in range(self._server.settings.hello_tries):
            await self._handle(await self._receive())
            if self.client.greeting is not None:
                return
        self.client.end(CloseCode.LIMIT, DisconnectReason.FLOOD, "too many Hellos")
        raise Disconnected

    async def _confirm(self) -> None:
        """Note that a client from another device has its token, because it sent something after
        the welcome."""
        client = self.client
        greeting = client.greeting
        if greeting is None or greeting.moving is None:
            return
        try:
            await self._server.sessions.confirm(greeting, client)
        except Unsure:
            client.end(
                CloseCode.TOO_SLOW, DisconnectReason.UNSURE, "say the new token again", RETRY_MS
            )
            raise Disconnected from None

    # from bytes to a message

    async def _receive(self) -> FromClient:
        """The next message that is to be handled."""
        client = self.client
        while True:
            if client.read_pause:
                await self._pause_reading()
            data = await self._socket.next()
            if self._too_fast:
                self._too_fast = False
                await asyncio.sleep(_PAUSE_SECONDS)  # more messages wait in the peer's own system
            elif not self._number & 7:
                await asyncio.sleep(0)  # let others in between, if a client sends much at once
            if client.socket.ended:
                raise Disconnected
            message = self._admit(data)
            if message is not None:
                return message

    async def _pause_reading(self) -> None:
        """Read nothing for as long as the last message cost (`ConnectedClient.read_pause`), so that
        more messages wait in the peer's own system."""
        seconds, self.client.read_pause = self.client.read_pause, 0.0
        self._socket.be_patient(True)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._socket.wait_closed()
        self._socket.be_patient(False)

    def _on_message(self, data: bytes) -> bool:
        """Handle an action as it arrives, without waking the reader: most messages are actions, and
        handling one never waits. Returns False to leave the message to the reader (`_receive`):
        anything else, every eighth message, and the one after a message that came too fast."""
        client = self.client
        if client.socket.ended or self._too_fast or not self._number & 7:
            return False
        if not data.startswith(ACT_HEAD):
            return False
        try:
            message = self._admit(data)
            if type(message) is Act:
                try:
                    act(client, message)
                except (IllegalAction, Denied) as why:
                    client.refuse(message.id, why)
        except Disconnected:
            pass
        except Exception as error:
            client.fault(error)
        return True

    def _admit(self, data: str | bytes) -> FromClient | None:
        """The message in `data`, if it may be handled; None if it was refused. Raises
        Disconnected if the connection ends because of it."""
        client = self.client
        self._number += 1
        self._server.counters.messages += 1
        if type(data) is not bytes:
            client.end(CloseCode.TEXT, DisconnectReason.TEXT_MESSAGE, "all messages are binary")
            raise Disconnected
        try:
            message = client.protocol.receive(data)
        except OutOfPlace as why:
            if why.fatal:
                self._malformed(why)
            client.tell(why.refusal())
            self._count_flood()
            return None
        except ProtocolError as why:
            self._malformed(why)
        if message is None:  # answered by the protocol itself: the client is too old
            for frame in client.protocol.outgoing():
                client.socket.put(frame)
            client.socket.drop(CloseCode.TOO_OLD, DisconnectReason.TOO_OLD)
            raise Disconnected
        greeting = client.greeting
        # the session's own budget first: what it may not say costs its neighbours nothing
        if not (
            (greeting is None or greeting.session.messages.take())
            and client.address.messages.take()
        ):
            denied = Denied(RefusalCode.TOO_FAST, "more messages than the rate allows")
            client.refuse(getattr(message, "id", None), denied)
            self._too_fast = True
            self._count_flood()
            return None
        if self._flood:
            self._flood -= 1
        return message

    def _malformed(self, why: ProtocolError) -> NoReturn:
        self.client.end(CloseCode.MALFORMED, DisconnectReason.MALFORMED, str(why)[:100])
        raise Disconnected

    def _count_flood(self) -> None:
        self._flood += 1
        if self._flood >= self._server.settings.flood_messages:
            detail = "far more messages than the rate allows"
            self.client.end(CloseCode.LIMIT, DisconnectReason.FLOOD, detail)
            raise Disconnected

    # from a message to its handler

    async def _handle(self, message: FromClient) -> None:
        """Handle one message, and tell its sender if it is refused. Raises Disconnected."""
        client = self.client
        if type(message) is not Beat:
            self._last_heard = monotonic()
        try:
            handled = HANDLERS[type(message)](client, message)
            if handled is not None:
                await handled
        except (Unsure, Unknown):
            # not a refusal, which would say that nothing happened
            client.end(
                CloseCode.TOO_SLOW, DisconnectReason.UNSURE, "ask again with the same id", RETRY_MS
            )
            raise Disconnected from None
        except (IllegalAction, Denied, StoreError) as why:
            client.refuse(getattr(message, "id", None), why)

    # limits other than those on messages

    def _on_breach(self, reason: DisconnectReason, detail: str) -> None:
        """The peer broke a limit of the socket."""
        if reason is not DisconnectReason.TOO_SLOW:
            self.client.end(CloseCode.LIMIT, reason, detail)
        elif not self.client.socket.ended:
            self.client.socket.drop(CloseCode.TOO_SLOW, reason)

    def check_idle(self, now: float) -> None:
        """Close if nothing was said for too long and no table is attended."""
        client = self.client
        idle = now - self._last_heard > self._server.settings.idle_seconds
        if idle and client.table is None and client.greeting is not None:
            client.end(CloseCode.LIMIT, DisconnectReason.IDLE, "nothing was said for very long")

"""The receiving half of a connection: from bytes to messages that are to be handled, and
the limits on how much may come.

Knows no table, and of a message only whether it may come now.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING

from websockets.exceptions import ConnectionClosed

from engine.errors import IllegalAction
from protocol.codec import ProtocolError
from protocol.frames import is_act
from protocol.messages import (
    Act,
    FromClient,
)
from protocol.session import CloseCode, OutOfPlace
from server.accounts.sessions import Person
from server.net.outbox import Outbox
from server.refusals import Denied, Goodbye, Refusal
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.net.services import Services
    from server.net.sockets import Socket

RETRY_MS = 1000
"""Milliseconds after which a client may come back that was sent away by no fault of its own."""
_PAUSE_SECONDS = 0.002
"""After a message that came too fast."""


class Over(Exception):
    """This connection is at its end."""


class Incoming(Outbox, ABC):
    """What is heard from one client."""

    __slots__ = ("_address", "_deaf", "_flood", "_services", "_turn", "_who")

    def __init__(self, services: Services, socket: Socket) -> None:
        super().__init__(socket, services.flush_scheduler, services.settings, services.counters)
        assert socket.address is not None
        socket.breach = self._break
        self._services = services
        self._address = socket.address
        self._who: Person | None = None
        self._flood = self._turn = 0
        self._deaf = 0.0
        """Seconds for which nothing more is read, because of what was said last."""

    @abstractmethod
    async def _handle(self, message: FromClient) -> None:
        """Carry out one message."""

    @abstractmethod
    def _act(self, message: Act) -> None:
        """Carry out the one message that comes often."""

    @abstractmethod
    def _refuse(self, id: bytes | None, why: IllegalAction | Denied | StoreError) -> None:
        """Tell why a message is not carried out."""

    @abstractmethod
    def _ended(self) -> None:
        """Nothing is heard any more."""

    async def serve(self) -> None:
        """Serve this client until its socket is closed."""
        try:
            async with asyncio.timeout(self._services.settings.hello_seconds):
                await self._greet()
            message = await self._receive()
            await self._confirm()
            await self._handle(message)
            self._socket.taker = self._take_act
            while True:
                message = await self._receive()
                if type(message) is Act:
                    self._act(message)
                else:
                    await self._handle(message)
        except (ConnectionClosed, Over):
            pass
        except TimeoutError:
            self.end(CloseCode.LIMIT, Goodbye.HELLO_TIMEOUT, "no Hello in time")
        except Exception as error:
            self._fault(error)
        finally:
            self.ended = True
            self._ended()
        await self.closed()

    def _fault(self, error: Exception) -> None:
        self._services.counters.faults += 1
        self._services.log.error("connection_fault", error=error)
        self.end(CloseCode.FAULT, Goodbye.FAULT, "a fault of the server's own", RETRY_MS)

    @abstractmethod
    async def _confirm(self) -> None:
        """The client has its token: it said something after the welcome."""

    async def _greet(self) -> None:
        """Hear Hellos until one is granted."""
        for _ in range(self._services.settings.hello_tries):
            await self._handle(await self._receive())
            if self._who is not None:
                return
        self.end(CloseCode.LIMIT, Goodbye.FLOOD, "too many Hellos")
        raise Over

    async def _receive(self) -> FromClient:
        """The next message that is to be handled."""
        while True:
            seconds, self._deaf = self._deaf, 0.0
            self._socket.be_patient(seconds > 0)
            if seconds:  # what comes waits in the peer's own system
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._socket.wait_closed()
            data = await self._socket.next()
            if self.ended:
                raise Over
            self._services.counters.messages += 1
            self._turn += 1
            if not self._turn & 7:
                await asyncio.sleep(0)  # a client that sent much at once lets others in between
            if type(data) is not bytes:
                self.end(CloseCode.TEXT, Goodbye.TEXT_MESSAGE, "all messages are binary")
                raise Over
            try:
                message = self._session.receive(data)
            except OutOfPlace as why:
                if why.fatal:
                    self._malformed(why)
                self.tell(why.refusal())
                self._count_flood()
                continue
            except ProtocolError as why:
                self._malformed(why)
            if message is None:
                for frame in self._session.outgoing():
                    self.push(frame)
                self._drop(CloseCode.TOO_OLD, Goodbye.TOO_OLD)
                raise Over
            who = self._who
            # the session's own first: what it may not say takes nothing from its neighbours
            if not ((who is None or who.messages.take()) and self._address.messages.take()):
                denied = Denied(Refusal.TOO_FAST, "more messages than the rate allows")
                self._refuse(getattr(message, "id", None), denied)
                self._count_flood()
                # what comes next waits in the peer's own system meanwhile
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if self._flood:
                self._flood -= 1
            return message

    def _take_act(self, data: bytes) -> bool:
        """Carry out a message at once if it is an action that may come now: that is what is
        said most, and it waits for nothing. Everything else is left to `_receive`, as is
        every eighth, so that a client that says much at once lets others in between."""
        if self.ended or not (self._turn + 1) & 7 or not is_act(data):
            return False
        try:
            message = self._session.receive(data)
        except ProtocolError:
            return False
        who = self._who
        if type(message) is not Act or who is None:
            return False
        if not (who.messages.take() and self._address.messages.take()):
            return False
        self._turn += 1
        self._services.counters.messages += 1
        if self._flood:
            self._flood -= 1
        try:
            self._act(message)
        except Exception as error:
            self._fault(error)
        return True

    def _malformed(self, why: ProtocolError) -> None:
        self.end(CloseCode.MALFORMED, Goodbye.MALFORMED, str(why)[:100])
        raise Over

    def _break(self, word: Goodbye, detail: str) -> None:
        if word is not Goodbye.TOO_SLOW:
            self.end(CloseCode.LIMIT, word, detail)
        elif not self.ended:
            self._drop(CloseCode.TOO_SLOW, word)

    def _count_flood(self) -> None:
        self._flood += 1
        if self._flood >= self._services.settings.flood_messages:
            self.end(CloseCode.LIMIT, Goodbye.FLOOD, "far more messages than the rate allows")
            raise Over

"""The connection of the conversation: made, kept alive, made again. Moves bytes and knows the
clock. How a server is reached is in `client.dial`; what the bytes mean, in
`client.net.conversation`."""

from __future__ import annotations

import asyncio
import os
import random
import time
from contextlib import suppress

from attrs import frozen
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from client.address import Address
from client.dial.dialler import Dialler, NotReached, hang_up
from client.net.conversation import Conversation
from client.net.endings import Dismissed, TryLater
from client.refusal_texts import closing_text
from client.text import clean, cut
from protocol.codec import ProtocolError
from protocol.session import CloseCode


class LinkLost(Exception):
    """The server cannot be reached, understood, or had any longer; one line says why."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
        """The server's word for it, where the server ended the conversation."""

    @property
    def wished(self) -> bool:
        """Whether it is what the person wanted: the seat was carried elsewhere."""
        return self.code == "moved"

    def with_way_back(self, command: str) -> LinkLost:
        """The same, with the command line to go on by where another client took over."""
        if self.code != "taken_over" or not command:
            return self
        return LinkLost(f"{self}. To go on here: {command}", self.code)


class _Broken(Exception):
    """The connection is gone, or was never had; one line says why. Made of what the socket
    raises and of nothing else: what our own listeners raise is no trouble of a connection."""


@frozen
class Patience:
    """How long is waited for what."""

    connect: float = 10.0
    """Seconds for one try to connect, handshake included."""
    first: float = 0.25
    """Seconds before the first retry; each further wait is twice the one before."""
    cap: float = 10.0
    """Seconds between two tries at the most."""
    polite: float = 60.0
    """Seconds that a server may ask us to wait at the most."""
    whole: float = 900.0
    """Seconds without a connection after which the link gives up."""
    silence: float = 2.0
    """Heartbeats that may fail to come before the connection is held for dead."""

    def wait(self, tries: int, chance: float, asked: float | None = None) -> float:
        """Seconds to wait after `tries` failures in a row; `chance` (0 to 1) spreads
        clients that lost the same server over the upper half of the span, and over half
        as long again as the server asked them to wait."""
        span = min(self.cap, self.first * 2.0 ** min(tries, 16))
        wait = span * (0.5 + chance / 2)
        if asked is None:
            return wait
        return max(wait, min(asked, self.polite) * (1 + chance / 2))


class Link:
    """Keeps one conversation connected. `run` until it ends; `stop` ends it."""

    def __init__(
        self, address: Address, conversation: Conversation, patience: Patience | None = None
    ) -> None:
        self.address = address
        self.conversation = conversation
        self.patience = patience or Patience()
        self._dialler = Dialler(address)
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        conversation.wake = self._wake.set

    def stop(self) -> None:
        """End the conversation: what is to be said is still sent."""
        self._stop.set()
        self._wake.set()

    async def knock(self) -> None:
        """Find out whether a server is there, and say nothing. Raises LinkLost."""
        try:
            await hang_up(await self._dial())
        except _Broken as error:
            raise LinkLost(f"cannot connect to {self.address}: {error}") from None

    async def run(self) -> None:
        """Connect, and reconnect, until `stop`. Raises LinkLost; the first try to
        connect has to succeed, so that a mistyped address is told at once."""
        tries, lost_at, ever = 0, time.monotonic(), False
        try:
            while not self._stop.is_set():
                self.conversation.connecting()
                why = await self._once()
                if self._stop.is_set():
                    break
                if self.conversation.misnamed:
                    await self._another_name()
                    lost_at = time.monotonic()
                    continue
                if self.conversation.model.session is None and not ever:
                    raise LinkLost(f"cannot connect to {self.address}: {why}")
                if self._welcome_seen:
                    tries, lost_at, ever = 0, time.monotonic(), True
                if time.monotonic() - lost_at > self.patience.whole:
                    raise LinkLost(f"could not reconnect to {self.address}: {why}")
                # What the server asks for holds for one wait: it may be back after it.
                asked, self.conversation.retry = self.conversation.retry, None
                wait = self.patience.wait(tries, random.random(), asked)
                tries += 1
                self.conversation.broken(why, wait)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._stop.wait()
        except LinkLost as error:
            self.conversation.ended(str(error))
            raise
        self.conversation.ended()

    async def _another_name(self) -> None:
        """Wait for a name, as long as that takes to type; or for the end."""
        while self.conversation.misnamed and not self._stop.is_set():
            self._wake.clear()
            await self._wake.wait()

    _welcome_seen = False

    async def _once(self) -> str:
        """One connection from beginning to end; why it ended."""
        self._welcome_seen = False
        try:
            socket = await self._dial()
            try:
                return await self._converse(socket)
            finally:
                await hang_up(socket)
        except _Broken as error:
            return str(error)

    async def _dial(self) -> ClientConnection:
        try:
            return await self._dialler.dial(self.patience.connect)
        except NotReached as error:
            raise _Broken(str(error)) from None

    async def _converse(self, socket: ClientConnection) -> str:
        conversation = self.conversation
        conversation.opened()
        heard = time.monotonic()
        said = heard
        reading = asyncio.ensure_future(socket.recv())
        waking = asyncio.ensure_future(self._wake.wait())
        try:
            while True:
                for frame in conversation.outgoing():
                    await self._send(socket, frame)
                    said = time.monotonic()
                if self._stop.is_set():
                    return "stopped"
                now = time.monotonic()
                beat = conversation.heartbeat
                # Nobody has told us yet how often a server that greets nobody would speak.
                bound = (
                    beat * self.patience.silence if conversation.online else self.patience.connect
                )
                if now - heard > bound:
                    # Whoever is silent would not answer a farewell either.
                    socket.transport.abort()
                    return "the server is silent"
                if now - said >= beat / 2 and conversation.online:
                    conversation.beat()
                    continue
                until = heard + bound - now
                if conversation.online:
                    until = min(until, said + beat / 2 - now)
                await asyncio.wait(
                    (reading, waking),
                    timeout=max(until, 0.02),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if waking.done():
                    self._wake.clear()
                    waking = asyncio.ensure_future(self._wake.wait())
                if reading.done():
                    heard = time.monotonic()
                    await self._take(socket, self._read(reading))
                    conversation.tell()
                    self._welcome_seen = self._welcome_seen or conversation.online
                    if conversation.misnamed:
                        # A server does not keep who says no hello; nobody types that fast.
                        return "another name is needed"
                    reading = asyncio.ensure_future(socket.recv())
        finally:
            for task in (reading, waking):
                task.cancel()
            await asyncio.gather(reading, waking, return_exceptions=True)

    async def _send(self, socket: ClientConnection, frame: bytes) -> None:
        try:
            async with asyncio.timeout(self.patience.connect):
                await socket.send(frame)
        except ConnectionClosed as error:
            raise _Broken(self._closed(error)) from None
        except OSError as error:
            raise _Broken(_line(_reason(error))) from None

    def _read(self, reading: asyncio.Future[str | bytes]) -> str | bytes:
        try:
            return reading.result()
        except ConnectionClosed as error:
            raise _Broken(self._closed(error)) from None
        except OSError as error:
            raise _Broken(_line(_reason(error))) from None

    async def _take(self, socket: ClientConnection, data: str | bytes) -> None:
        """Take in what was read; nobody is told of it yet."""
        try:
            if isinstance(data, str):
                raise ProtocolError("a text message")
            self.conversation.take(data)
        except TryLater as error:
            raise _Broken(_line(str(error))) from None
        except Dismissed as error:
            raise LinkLost(_line(str(error)), error.code) from None
        except ProtocolError as error:
            with suppress(Exception):
                await socket.close(CloseCode.MALFORMED)
            raise LinkLost(_line(f"the server broke the protocol: {error}")) from None

    def _closed(self, closed: ConnectionClosed) -> str:
        if closed.rcvd is None:
            return "the connection broke"
        code, reason = closed.rcvd.code, closed.rcvd.reason
        if code == CloseCode.REPLACED:
            # Its Closing was lost on the way; the reason is the same word.
            raise LinkLost(closing_text(reason or "taken_over"), reason or "taken_over")
        line = _line(closing_text("restart" if code == CloseCode.RESTART else reason, str(code)))
        if code in (CloseCode.MALFORMED, CloseCode.TEXT, CloseCode.TOO_OLD):
            raise LinkLost(line)
        return line


def _reason(error: OSError) -> str:
    """Why a connection that stood is gone."""
    if isinstance(error, TimeoutError):
        return "no answer"
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno).lower()
    return "the connection broke off"


def _line(text: str) -> str:
    return cut(clean(text), 300)

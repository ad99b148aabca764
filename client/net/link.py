"""Keeps a conversation connected: connects, keeps the connection alive, and reconnects. Moves
frames and keeps the time. `client.dial` knows how a server is reached, `client.net.conversation`
what the frames mean."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import deque
from contextlib import suppress

from attrs import frozen
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from client.dial.address import Address
from client.dial.dialler import Dialler, NotReached, hang_up
from client.net.conversation import Conversation
from client.net.endings import Dismissed, TryLater
from client.refusal_texts import closing_text
from client.text import clean, cut
from protocol.codec import ProtocolError
from protocol.session import CloseCode


class LinkLost(Exception):
    """The server cannot be reached or understood, or does not want us; one line says why."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
        """The server's reason, where the server ended the conversation."""

    @property
    def wanted(self) -> bool:
        """Whether the person wanted this: the seat was carried to another device."""
        return self.code == "moved"

    def with_way_back(self, command: str) -> LinkLost:
        """The same, with the command line that goes on here if another client took over."""
        if self.code != "taken_over" or not command:
            return self
        return LinkLost(f"{self}. To go on here: {command}", self.code)


class _Broken(Exception):
    """The connection is gone; one line says why. Raised only for errors of the socket: a fault of
    our own listeners must not look like a lost connection."""


@frozen
class Patience:
    """How long to wait for what."""

    connect: float = 10.0
    """Seconds for one try to connect, handshake included."""
    first: float = 0.25
    """Seconds before the first retry; each further wait is twice the one before."""
    cap: float = 10.0
    """The longest time between two tries, in seconds."""
    polite: float = 60.0
    """The longest time that a server may ask us to wait, in seconds."""
    whole: float = 900.0
    """Seconds without a connection after which the link gives up."""
    silence: float = 2.0
    """Heartbeats that may be missing before the connection is considered dead."""

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
    """Keeps one conversation connected. `run` goes on until it ends; `stop` ends it."""

    def __init__(
        self, address: Address, conversation: Conversation, patience: Patience | None = None
    ) -> None:
        self.address = address
        self.conversation = conversation
        self.patience = patience or Patience()
        self._dialler = Dialler(address)
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._welcomed = False
        """Whether the server greeted us on this connection, or on the last one."""
        conversation.wake = self._wake.set

    def stop(self) -> None:
        """End the conversation; what is waiting to be sent is still sent."""
        self._stop.set()
        self._wake.set()

    async def knock(self) -> None:
        """Find out whether a server is there, without saying anything. Raises LinkLost."""
        try:
            await hang_up(await self._dialler.dial(self.patience.connect))
        except NotReached as error:
            raise LinkLost(f"cannot connect to {self.address}: {error}") from None

    async def run(self) -> None:
        """Connect, and reconnect, until `stop`. Raises LinkLost; the first try to
        connect has to succeed, so that a mistyped address is told at once."""
        tries, lost_at, ever = 0, time.monotonic(), False
        try:
            while not self._stop.is_set():
                self.conversation.connecting()
                why = await self._connect()
                if self._stop.is_set():
                    break
                if self.conversation.misnamed:
                    await self._another_name()
                    lost_at = time.monotonic()
                    continue
                if self.conversation.model.session is None and not ever:
                    raise LinkLost(f"cannot connect to {self.address}: {why}")
                if self._welcomed:
                    tries, lost_at, ever = 0, time.monotonic(), True
                if time.monotonic() - lost_at > self.patience.whole:
                    raise LinkLost(f"could not reconnect to {self.address}: {why}")
                # The server asks for one wait: it may be back after it.
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
        """Wait until another name is typed, or for the end."""
        while self.conversation.misnamed and not self._stop.is_set():
            self._wake.clear()
            await self._wake.wait()

    async def _connect(self) -> str:
        """One connection from beginning to end; why it ended."""
        self._welcomed = False
        try:
            socket = await self._dialler.dial(self.patience.connect)
        except NotReached as error:
            return str(error)
        try:
            return await self._converse(socket)
        except _Broken as error:
            return str(error)
        finally:
            await hang_up(socket)

    async def _converse(self, socket: ClientConnection) -> str:
        conversation = self.conversation
        frames: deque[bytes] = deque()

        def put(frame: bytes) -> None:
            frames.append(frame)
            self._wake.set()

        conversation.opened(put)
        heard = time.monotonic()
        sent = heard
        reading = asyncio.ensure_future(socket.recv())
        waking = asyncio.ensure_future(self._wake.wait())
        try:
            while True:
                while frames:
                    await self._send(socket, frames.popleft())
                    sent = time.monotonic()
                if self._stop.is_set():
                    return "stopped"
                now = time.monotonic()
                beat = conversation.heartbeat
                # Before the greeting we do not know how often the server sends something.
                bound = (
                    beat * self.patience.silence if conversation.online else self.patience.connect
                )
                if now - heard > bound:
                    # A silent server would not answer a farewell either.
                    socket.transport.abort()
                    return "the server is silent"
                if now - sent >= beat / 2 and conversation.online:
                    conversation.beat()
                    continue
                until = heard + bound - now
                if conversation.online:
                    until = min(until, sent + beat / 2 - now)
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
                    await self._take(socket, reading)
                    self._welcomed = self._welcomed or conversation.online
                    if conversation.misnamed:
                        # A server does not wait long for a hello, and nobody types that fast.
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
        except (ConnectionClosed, OSError) as error:
            raise self._gone(error) from None

    async def _take(self, socket: ClientConnection, reading: asyncio.Future[str | bytes]) -> None:
        """Hand over what was read."""
        try:
            data = reading.result()
        except (ConnectionClosed, OSError) as error:
            raise self._gone(error) from None
        if isinstance(data, str):
            end: Dismissed | TryLater | ProtocolError | None = ProtocolError("a text message")
        else:
            end = self.conversation.take(data)
        match end:
            case TryLater():
                raise _Broken(_line(str(end)))
            case Dismissed():
                raise LinkLost(_line(str(end)), end.code)
            case ProtocolError():
                with suppress(Exception):
                    await socket.close(CloseCode.MALFORMED)
                raise LinkLost(_line(f"the server broke the protocol: {end}"))

    def _gone(self, error: ConnectionClosed | OSError) -> _Broken | LinkLost:
        """What the end of a connection means: LinkLost where no other should be made."""
        if isinstance(error, OSError):
            return _Broken(_line(_reason(error)))
        if error.rcvd is None:
            return _Broken("the connection broke")
        code, reason = error.rcvd.code, error.rcvd.reason
        if code == CloseCode.REPLACED:
            # Its Closing was lost on the way; the reason says the same.
            return LinkLost(closing_text(reason or "taken_over"), reason or "taken_over")
        line = _line(closing_text("restart" if code == CloseCode.RESTART else reason, str(code)))
        if code in (CloseCode.MALFORMED, CloseCode.TEXT, CloseCode.TOO_OLD):
            return LinkLost(line)
        return _Broken(line)


def _reason(error: OSError) -> str:
    """Why a connection that stood is gone."""
    if isinstance(error, TimeoutError):
        return "no answer"
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno).lower()
    return "the connection broke off"


def _line(text: str) -> str:
    return cut(clean(text), 300)

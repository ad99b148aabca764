"""Sessions: their tokens, names and budgets.

Only the hash of a token is kept. Streams hold a session's public id only; this is the one
place that leads from a token to it. A session has one connection, the newest. Its age counts
only the time that a server runs, not the time on the wall, and it never expires while it has a
seat. Does not know about tables.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from time import time_ns
from typing import Protocol

from attrs import define, evolve, field, frozen

from server.accounts.move_codes import LONGEST, MoveCodes
from server.accounts.names import clean_name
from server.age import Age
from server.net.admission import RemoteAddress
from server.rate_limit import TokenBucket
from server.refusals import Denied, DisconnectReason, RefusalCode, Unsure
from server.settings import Settings
from server.store.port import Conflict, SessionRow, Store, StoreError

TOKEN_BYTES = 24
"""192 bits from the operating system's random source."""
PUBLIC_BYTES = 12
_DAY_MS = 86_400_000
_PAUSE_SECONDS = 0.02
"""Between two batches of sessions that are dropped."""
_MAX_IDLE = 10_000
"""How many sessions that are not connected have their budgets remembered."""


class SessionConnection(Protocol):
    """The one connection of a session."""

    address: RemoteAddress
    """Where it comes from."""

    def greeted(self, greeting: Greeting) -> None:
        """It has this session now; raises if it is gone meanwhile."""

    def replace(self, reason: DisconnectReason) -> None:
        """Close the connection, because another one has the session now."""


@define(eq=False)
class Session:
    """A session that is connected, or was recently, and its budgets.

    `RemoteAddress` has budgets of the same names, and says what takes from them.
    """

    public: bytes
    name: str
    messages: TokenBucket
    chat: TokenBucket
    costly_requests: TokenBucket
    creates: TokenBucket
    wakes: TokenBucket
    created: int
    """When the session began: milliseconds since 1970 UTC."""
    address: RemoteAddress
    """The address its connection comes from, or came from last."""
    token_hash: bytes = field(repr=False)
    """The hash of the token that is valid now."""
    moved_hash: bytes | None = field(default=None, repr=False)
    """The hash of a token that may be the valid one: nobody knows whether the move happened."""
    connection: SessionConnection | None = None


@frozen
class Greeting:
    """The outcome of a hello."""

    session: Session
    token: bytes | None = field(repr=False)
    """The new token; None if the client has one already."""
    address: RemoteAddress
    moving: bytes | None = field(default=None, repr=False)
    """If the session comes from another device: the hash of its new token, which replaces the old
    one once this device has shown that it received it."""


class Sessions:
    """All sessions, of which those connected now are in memory."""

    def __init__(self, settings: Settings, store: Store, age: Age) -> None:
        self._settings = settings
        self._store = store
        self._age = age
        self._connected: dict[bytes, Session] = {}
        self._idle: OrderedDict[bytes, Session] = OrderedDict()
        per_minute = settings.new_sessions
        self._new = TokenBucket(per_minute / 60, per_minute)
        tries = settings.move_tries_of_all
        self._tries = TokenBucket(tries / 60, tries)
        self._codes: MoveCodes[Session] = MoveCodes(settings.move_seconds)

    @property
    def connected(self) -> int:
        """How many sessions are connected."""
        return len(self._connected)

    async def forget_old(self) -> int:
        """Drop the sessions that were not used for too long, a few at a time; returns how many.
        Sessions that are connected count as used, and those that have a seat stay. Raises
        StoreError."""
        for session in tuple(self._connected.values()):
            await self._renew(session)
        forgotten = 0
        while some := await self.forget_some():
            forgotten += some
            await asyncio.sleep(_PAUSE_SECONDS)  # others have to use the store too
        return forgotten

    async def forget_some(self) -> int:
        """Drop a few such sessions; returns how many. Raises StoreError."""
        return await self._store.forget_sessions(self._age.now() - self._old_ms)

    async def _renew(self, session: Session) -> None:
        """Note that a connected session is in use, if that was not noted within a day."""
        row = await self._store.get_session(session.token_hash)
        if row is not None and self._age.now() - row.used > _DAY_MS:
            with suppress(Conflict):  # it was moved meanwhile: noted the next time
                await self._store.put_session(evolve(row, seen=_now(), used=self._age.now()))

    @property
    def _old_ms(self) -> int:
        return int(self._settings.session_days * _DAY_MS)

    # saying hello

    async def enter(
        self, token: bytes | None, name: str, connection: SessionConnection
    ) -> Greeting:
        """Give the connection of a client that says hello its session; the connection that the
        session had is told so and closed. Without a token, or with one that is unknown or
        forgotten, it is a new session with a new token. A code of `move_code` in place of a
        token moves the session that asked for the code here, with a new token, once that is
        confirmed.

        Raises Denied(BAD_NAME, TOO_FAST, NO_MOVE_CODE) and StoreError, and what
        `SessionConnection.greeted` raises: a connection that is gone takes over no session.
        """
        greeting = await self._greeting(token, name, connection.address)
        connection.greeted(greeting)
        if greeting.moving is None:  # else once it is confirmed
            self._attach(greeting, connection, DisconnectReason.TAKEN_OVER)
        return greeting

    async def _greeting(self, token: bytes | None, name: str, address: RemoteAddress) -> Greeting:
        if token is not None and len(token) <= LONGEST:
            return await self._carry(token, address)
        cleaned = clean_name(name, self._settings.name_cells)
        if token is not None:
            resumed = await self._resume(token, name, cleaned, address)
            if resumed is not None:
                return resumed
        return await self._begin(cleaned, address)

    async def _begin(self, cleaned: str | None, address: RemoteAddress) -> Greeting:
        """A new session."""
        if cleaned is None:
            raise Denied(RefusalCode.BAD_NAME, _BAD_NAME)
        if not (address.new_sessions.take() and self._new.take()):
            raise Denied(RefusalCode.TOO_FAST, "too many new sessions; try again later")
        token = secrets.token_bytes(TOKEN_BYTES)
        public = secrets.token_bytes(PUBLIC_BYTES)
        now = _now()
        row = SessionRow(sha256(token).digest(), public, cleaned, now, now, self._age.now())
        await self._store.put_session(row)
        return Greeting(self._session(row, address), token, address)

    async def _resume(
        self, token: bytes, name: str, cleaned: str | None, address: RemoteAddress
    ) -> Greeting | None:
        """The session of a token, under a new name if one is given; None if the token is void."""
        hash = sha256(token).digest()
        moved = self._codes.whose(hash)
        if moved is not None:
            return Greeting(moved, None, address, moving=hash)
        row = await self._known(token)
        if row is None:
            return None
        if name and cleaned is None:
            raise Denied(RefusalCode.BAD_NAME, _BAD_NAME)
        changed = cleaned is not None and cleaned != row.name
        if changed or self._age.now() - row.used > _DAY_MS:
            used = self._age.now()
            row = evolve(row, name=cleaned or row.name, seen=_now(), used=used)
            await self._store.put_session(row)
        session = self._session(row, address)
        if session.moved_hash is not None and compare_digest(session.moved_hash, hash):
            session.token_hash, session.moved_hash = hash, None  # the move happened
        if compare_digest(session.token_hash, hash):
            return Greeting(session, None, address)
        return None  # the session was moved meanwhile

    async def _known(self, token: bytes) -> SessionRow | None:
        """The stored session of a token; None if there is none, or it is too old."""
        hash = sha256(token).digest()
        row = await self._store.get_session(hash)
        # The store looks up a hash, which tells nothing about the token looked for; whether it
        # is this one is compared in constant time.
        if row is None or not compare_digest(row.token_hash, hash):
            return None
        if row.used >= self._age.now() - self._old_ms or await self._store.seats_of(row.public):
            return row
        return None

    def _session(self, row: SessionRow, address: RemoteAddress) -> Session:
        """The session of a row, with its budgets if it is in memory."""
        session = self._connected.get(row.public) or self._idle.get(row.public)
        if session is None:
            settings = self._settings
            session = Session(
                row.public,
                row.name,
                TokenBucket(settings.message_rate, settings.message_burst),
                TokenBucket(settings.chat_rate, settings.chat_burst),
                TokenBucket(settings.file_rate, settings.file_burst),
                TokenBucket(settings.create_rate, settings.create_burst),
                TokenBucket(settings.wake_rate, settings.wake_burst),
                row.created,
                address,
                row.token_hash,
            )
        session.name = row.name
        return session

    # the one connection

    def _attach(
        self, greeting: Greeting, connection: SessionConnection, reason: DisconnectReason
    ) -> None:
        session = greeting.session
        session.address = greeting.address
        before, session.connection = session.connection, connection
        self._idle.pop(session.public, None)
        self._connected[session.public] = session
        if before is not None and before is not connection:
            before.replace(reason)

    def detach(self, session: Session, connection: SessionConnection) -> None:
        """`connection` is gone; nothing changes if the session has another one by now."""
        if session.connection is not connection:
            return
        session.connection = None
        self._connected.pop(session.public, None)
        self._idle[session.public] = session
        if len(self._idle) > _MAX_IDLE:
            self._idle.popitem(last=False)

    # to another device

    def move_code(self, session: Session) -> tuple[str, int]:
        """A one-time code for this session, and for how many seconds it is valid."""
        return self._codes.issue(session.public, session), int(self._settings.move_seconds)

    async def confirm(self, greeting: Greeting, connection: SessionConnection) -> None:
        """Note that the client of `connection`, to whose device the session is to move, has
        received its token, because it sent something after the welcome. Only now does the
        session move: its old token becomes void, and its old connection is closed.

        Raises Unsure: the new token stays valid, and the client has to send it again.
        """
        session, hash = greeting.session, greeting.moving
        assert hash is not None
        issued = self._codes.prove(hash)
        if issued is None:
            raise Unsure  # another device was faster, or the code has expired
        try:
            row = await self._store.move_session(session.public, hash)
        except StoreError:
            session.moved_hash = hash
            self._codes.unproven(issued, hash)
            raise Unsure from None
        if row is None:
            raise Unsure  # forgotten meanwhile: the token will get another session
        self._codes.void(session.public)
        session.token_hash, session.moved_hash = hash, None
        self._attach(greeting, connection, DisconnectReason.MOVED)

    async def _carry(self, code: bytes, address: RemoteAddress) -> Greeting:
        if address.move_tries.empty or self._tries.empty:
            # also for the right code: codes are short enough to be guessed
            raise Denied(RefusalCode.TOO_FAST, "too many wrong codes; try again later")
        token = secrets.token_bytes(TOKEN_BYTES)
        hash = sha256(token).digest()
        session = self._codes.use(code, hash)
        if session is None:
            address.move_tries.take()
            self._tries.take()
            raise Denied(RefusalCode.NO_MOVE_CODE, "no session can be moved with this code")
        return Greeting(session, token, address, moving=hash)


_BAD_NAME = "the rule of names allows no such name"


def _now() -> int:
    return time_ns() // 1_000_000

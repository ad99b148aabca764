"""People: sessions, their tokens, and how fast they may talk.

Of a token only its hash is kept. Streams know a session's public id alone; here is the
one place that leads from a token to it. Knows no table.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from time import monotonic, time_ns

from attrs import define, evolve

from server.config import Settings
from server.names import clean_name
from server.refusals import Denied, Refusal
from server.store.port import SessionRow, Store

TOKEN_BYTES = 24
PUBLIC_BYTES = 12
_DAY_MS = 86_400_000


class Bucket:
    """How much may come at once, and how fast it may go on."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        """`burst` at once, then `rate` a second."""
        self._rate = rate
        self._burst = float(burst)
        self._left = self._burst
        self._at = monotonic()

    def take(self) -> bool:
        """Take one; False if there is none."""
        if self._left < 1.0:
            now = monotonic()
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now
            if self._left < 1.0:
                return False
        self._left -= 1.0
        return True


@define(eq=False)
class Person:
    """A session that is connected, by one connection or more."""

    public: bytes
    name: str
    messages: Bucket
    chat: Bucket
    files: Bucket
    creates: Bucket
    connections: int = 0


class Sessions:
    """All sessions; those connected now are in memory."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._people: dict[bytes, Person] = {}
        per_minute = settings.new_sessions
        self._new = Bucket(per_minute / 60, per_minute)

    @property
    def connected(self) -> int:
        """How many sessions are connected."""
        return len(self._people)

    async def forget_old(self) -> int:
        """Drop the sessions that were not used for too long: how many."""
        days = self._settings.session_days
        return await self._store.forget_sessions(_now() - int(days * _DAY_MS))

    async def enter(self, token: bytes | None, name: str) -> tuple[Person, bytes | None]:
        """The person that says hello, and a token if the session is a new one: without a
        token, or with one that is not known (any more).

        Raises Denied(BAD_NAME, TOO_FAST), and StoreError.
        """
        cleaned = clean_name(name, self._settings.name_cells)
        if token is not None:
            known = await self._store.get_session(sha256(token).digest())
            if known is not None:
                return await self._resume(known, name, cleaned), None
        if cleaned is None:
            raise Denied(Refusal.BAD_NAME, "a name needs a letter or a digit")
        if not self._new.take():
            raise Denied(Refusal.TOO_FAST, "too many new sessions; try again later")
        token = secrets.token_bytes(TOKEN_BYTES)
        public = secrets.token_bytes(PUBLIC_BYTES)
        now = _now()
        await self._store.put_session(SessionRow(sha256(token).digest(), public, cleaned, now, now))
        return self._connect(public, cleaned), token

    async def _resume(self, known: SessionRow, name: str, cleaned: str | None) -> Person:
        if name and cleaned is None:
            raise Denied(Refusal.BAD_NAME, "a name needs a letter or a digit")
        changed = cleaned is not None and cleaned != known.name
        if changed or _now() - known.seen > _DAY_MS:
            known = evolve(known, name=cleaned or known.name, seen=_now())
            await self._store.put_session(known)
        return self._connect(known.public, known.name)

    def _connect(self, public: bytes, name: str) -> Person:
        person = self._people.get(public)
        if person is None:
            settings = self._settings
            person = self._people[public] = Person(
                public,
                name,
                Bucket(settings.message_rate, settings.message_burst),
                Bucket(settings.chat_rate, settings.chat_burst),
                Bucket(settings.file_rate, settings.file_burst),
                Bucket(settings.create_rate, settings.create_burst),
            )
        person.name = name
        person.connections += 1
        return person

    def leave(self, person: Person) -> None:
        """One connection of `person` is gone."""
        person.connections -= 1
        if not person.connections:
            self._people.pop(person.public, None)


def _now() -> int:
    return time_ns() // 1_000_000

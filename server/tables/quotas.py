"""Quotas: how many open tables, and seats at them, one person may have, and all people of one
network together.

The store says what each session has. A session counts for the network where it said hello
last. That is kept only in memory, because no address is stored; after a restart a session
therefore counts nowhere until it comes back. Does not know about sockets or tables in memory.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.accounts.sessions import Session
from server.refusals import Denied, RefusalCode
from server.settings import Settings
from server.store.port import Held, Store
from server.tables.timers import Ticker

_NETWORKS = 10_000
"""Networks whose sessions are remembered."""
_UNPROVEN = 500
"""Sessions of one network that are remembered before they ask for anything; beyond that, a
session is remembered only once it does."""
_NOTHING = Held(0, 0)


class Quotas:
    """The quotas of one server."""

    def __init__(self, settings: Settings, store: Store, ticker: Ticker) -> None:
        self._settings = settings
        self._store = store
        self._ticker = ticker
        self._there: OrderedDict[str, set[bytes]] = OrderedDict()
        """By network: the sessions that count there and may have something."""
        self._network: dict[bytes, str] = {}
        """By session: the network for which it counts."""
        self._opening: Counter[str] = Counter()
        """By network: tables that are being opened."""
        self._most: dict[str, Held] = {}
        """By network: an upper bound on what its sessions have. The store counts again only
        if this bound would refuse somebody."""
        self._changes = 0
        """Grows with everything that may raise a number in `_most`: a count is not kept if
        this grew while the store counted."""

    def came(self, person: bytes, network: str) -> None:
        """A session that is not new said hello: what it has counts for that network now."""
        there = self._there.get(network, ())
        if person not in there and len(there) < _UNPROVEN:
            self._note(person, network)
            self._most.pop(network, None)
            self._changes += 1

    @asynccontextmanager
    async def opening(self, session: Session, *, sits: bool, others: int) -> AsyncIterator[None]:
        """Check the quotas and count a table while it is being opened. `sits`: the person who
        opens it takes a seat; `others`: how many more the same session is opening. Raises
        Denied(TOO_MANY_TABLES) and StoreError."""
        settings, network = self._settings, session.address.network
        self._opening[network] += 1
        try:
            own, there = await self._held(session, network)
            _check(own.opened + others, settings.tables_per_session, "you have")
            if self._is_new(session):
                most = settings.tables_per_new_session
                _check(own.opened + others, most, "you are new here: you have")
            elsewhere = self._opening[network] - 1
            _check(there.opened + elsewhere, settings.tables_per_address, "your address has")
            if sits:
                self._check_seats(session, own, there)
            yield
        finally:
            self._opening[network] -= 1
            if not self._opening[network]:
                del self._opening[network]
            self._note(session.public, network)
            self._grow(network, Held(1, int(sits)))

    async def check_seat(self, session: Session) -> None:
        """Raise Denied(TOO_MANY_TABLES) unless a session may sit at one more table;
        StoreError."""
        network = session.address.network
        self._check_seats(session, *await self._held(session, network))
        self._note(session.public, network)
        self._grow(network, Held(0, 1))

    def _check_seats(self, session: Session, own: Held, there: Held) -> None:
        settings = self._settings
        _check(own.seats, settings.seats_per_session, "you sit at")
        if self._is_new(session):
            _check(own.seats, settings.seats_per_new_session, "you are new here: you sit at")
        _check(there.seats, settings.seats_per_address, "people of your address sit at")

    def _is_new(self, session: Session) -> bool:
        age = self._ticker.wall() - session.created
        return 0 <= age < self._settings.new_session_seconds * 1000

    async def _held(self, session: Session, network: str) -> tuple[Held, Held]:
        """What a session has, and an upper bound on what all sessions of its network have:
        exact if the bound would refuse somebody."""
        own = (await self._store.held((session.public,))).get(session.public, _NOTHING)
        most = self._most.get(network)
        if most is not None and session.public not in self._there.get(network, ()):
            self._note(session.public, network)
            most = self._most[network] = most.plus(own)
        settings = self._settings
        if (
            most is None
            or most.opened + self._opening[network] > settings.tables_per_address
            or most.seats >= settings.seats_per_address
        ):
            return await self._counted(session, network)
        return own, most

    async def _counted(self, session: Session, network: str) -> tuple[Held, Held]:
        """What a session has, and all sessions of its network, as the store counts it now."""
        changes = self._changes
        asked = {session.public, *self._there.get(network, ())}
        held = await self._store.held(asked)
        for one in asked.difference(held):
            self._forget(one, network)
        there = _NOTHING
        for one_held in held.values():
            there = there.plus(one_held)
        if changes == self._changes:
            self._note(session.public, network)
            self._most[network] = there
        return held.get(session.public, _NOTHING), there

    def _grow(self, network: str, by: Held) -> None:
        """The sessions of a network have so much more, or are about to."""
        self._changes += 1
        most = self._most.get(network)
        if most is not None:
            self._most[network] = most.plus(by)

    def _note(self, person: bytes, network: str) -> None:
        before = self._network.get(person)
        if before is not None and before != network:
            self._forget(person, before)
        self._network[person] = network
        self._there.setdefault(network, set()).add(person)
        self._there.move_to_end(network)
        if len(self._there) > _NETWORKS:
            gone, sessions = self._there.popitem(last=False)
            self._most.pop(gone, None)
            for one in sessions:
                del self._network[one]

    def _forget(self, person: bytes, network: str) -> None:
        if self._network.get(person) != network:
            return
        del self._network[person]
        there = self._there[network]
        there.discard(person)
        if not there:
            del self._there[network]
            self._most.pop(network, None)


def _check(has: int, most: int, who: str) -> None:
    if has >= most:
        detail = f"{who} {has} open tables, and {most} are allowed"
        raise Denied(RefusalCode.TOO_MANY_TABLES, detail, most=most)

"""The age of a database: how long servers have run on it, all starts together.

What is kept grows old by this age and not by the clock on the wall, which may be years off when
a machine boots. Nothing grows older while no server runs. Knows the store, and nothing that
grows old.
"""

from __future__ import annotations

from server.store.port import Store
from server.tables.timers import Ticker

_MINUTE_MS = 60_000


class Age:
    """The age of one database, in milliseconds; it counts from 0 before `start`."""

    __slots__ = ("_begin", "_store", "_ticker", "begin")

    def __init__(self, store: Store, ticker: Ticker) -> None:
        self._store = store
        self._ticker = ticker
        self._begin = ticker.now()
        self.begin = 0
        """The age when this server started."""

    async def start(self) -> None:
        """Continue from where the last server stopped; raises StoreError, also if the store
        can be read but not written."""
        self.begin = await self._store.age()
        await self._store.keep_age(self.begin)
        self._begin = self._ticker.now()

    def now(self) -> int:
        """The age now."""
        return self.begin + self._ticker.now() - self._begin

    def minute(self) -> int:
        """The age now, rounded down to the minute."""
        now = self.begin + self._ticker.now() - self._begin
        return now - now % _MINUTE_MS

    async def keep(self) -> None:
        """Store the present age: what passes until the next time is lost if the server is
        killed. Raises StoreError."""
        await self._store.keep_age(self.now())

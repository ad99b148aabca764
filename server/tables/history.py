"""What happened at a table, for those who come back: the newest entries are in memory, older
ones are read from the store.

Does not know about sockets or games.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice

from engine.entry import Entry
from engine.stream import Stream
from protocol.fields import MAX_SINCE
from server.games import GameServices
from server.store.port import Damaged, History, Row, StoreError
from server.tables.context import Context

_DECODED_AT_ONCE = 64
"""Entries that are decoded on the event loop, in some two milliseconds."""


class TableHistory:
    """The entries of one stream."""

    __slots__ = (
        "_damage_logged",
        "_log",
        "_most",
        "_recent",
        "_services",
        "_store",
        "_stream",
        "reading",
    )

    def __init__(
        self,
        services: GameServices,
        context: Context,
        stream: Stream,
        entries: Iterable[Entry],
    ) -> None:
        """`entries` are the stream's; the settings say how many of the newest are kept, and
        how many are told at most."""
        recent = context.settings.recent_entries
        self._services = services
        self._store = context.store
        self._log = context.log
        self._damage_logged = False
        self._stream = stream
        self._recent: deque[Entry] = deque(entries, maxlen=recent)
        self._most = min(context.settings.resume_entries, MAX_SINCE)
        self.reading = 0
        """How many people wait for older entries: the table stays in memory meanwhile."""

    def add(self, entry: Entry) -> None:
        """Add the stream's new last entry."""
        self._recent.append(entry)

    def latest(self) -> list[Entry]:
        """The newest entries, for those who have nothing: as many as are in memory and may be
        told. The store is not read. Each entry is projected for each newcomer, so both settings
        bound that work. The last entry is the stream's."""
        return list(islice(self._recent, max(0, len(self._recent) - self._most), None))

    async def since(self, since: int) -> list[Entry]:
        """All entries after `since`, up to the stream's last one at the moment when this
        returns; none if `since` is 0, or if they are too many or cannot be read now. Await
        nothing between this and `Attendance.join`, so that no entry comes in between."""
        if not self._may_tell(since):
            return []
        self.reading += 1
        try:
            entries = await self.all_since(since)
        except StoreError:
            return []
        finally:
            self.reading -= 1
        return entries if self._may_tell(since) else []

    def _may_tell(self, since: int) -> bool:
        number = self._stream.number
        return 0 < since < number and number - since <= self._most

    async def all_since(self, since: int) -> list[Entry]:
        """All entries after `since`, however many, as `since` returns them; raises
        StoreError."""
        older: list[Entry] = []
        last = since
        while last < self._first_recent() - 1:  # more may come while the store is read
            older += await self._decode((await self._read(last)).rows)
            if not older or older[-1].number == last:
                raise Damaged("missing", table=self._stream.seating.code, number=last + 1)
            last = older[-1].number
        # an entry that is stored but not adopted yet will come as an update
        while older and older[-1].number > self._stream.number:
            older.pop()
        return older + [entry for entry in self._recent if entry.number > last]

    def _first_recent(self) -> int:
        return self._recent[0].number if self._recent else self._stream.number + 1

    async def _decode(self, rows: Sequence[Row]) -> list[Entry]:
        """The entries of stored rows. Many are decoded in a thread: it takes long."""
        decode = self._services.entries.decode
        if len(rows) <= _DECODED_AT_ONCE:
            return [decode(row.body) for row in rows]
        return await asyncio.to_thread(lambda: [decode(row.body) for row in rows])

    async def _read(self, since: int) -> History:
        code = self._stream.seating.code
        try:
            return await self._store.read(code, after=since)
        except Damaged as error:
            if not self._damage_logged:
                self._damage_logged = True
                self._log.error("table_damaged", table=code, error=error)
            raise

"""What happened at a table, for those who come back: the newest entries are in memory,
older ones are read from the store.

Knows no socket and no game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice

from engine.entry import Entry
from engine.stream import Stream
from protocol.fields import MAX_SINCE
from server.games import GameServices
from server.store.port import Damaged, History, StoreError
from server.tables.context import Context


class TableHistory:
    """The entries of one stream."""

    __slots__ = ("_log", "_most", "_play", "_recent", "_store", "_stream", "_told", "reading")

    def __init__(
        self,
        play: GameServices,
        context: Context,
        stream: Stream,
        entries: Iterable[Entry],
    ) -> None:
        """As many of `entries` stay in memory, and as many are ever told, as the house's
        settings say."""
        recent = context.settings.recent_entries
        self._play = play
        self._store = context.store
        self._log = context.log
        self._told = False
        """Whether the log says that older entries are damaged."""
        self._stream = stream
        self._recent: deque[Entry] = deque(entries, maxlen=recent)
        self._most = min(context.settings.resume_entries, MAX_SINCE)
        self.reading = 0
        """How many wait for older entries: the table stays in memory meanwhile."""

    def add(self, entry: Entry) -> None:
        """The stream's new last entry."""
        self._recent.append(entry)

    def latest(self) -> list[Entry]:
        """The newest entries, as far as they are in memory and may be told: for those who
        have nothing. The store is not read, but each of them is projected for each who comes:
        both settings bound that. The last one is the stream's."""
        return list(islice(self._recent, max(0, len(self._recent) - self._most), None))

    async def since(self, since: int) -> list[Entry]:
        """All entries after `since`, up to the stream's last one as of the moment when
        this returns; none for 0, or if they are too many, or cannot be read now. Nothing
        may be awaited between this and `Attendance.come`, so that no entry comes between."""
        self.reading += 1
        try:
            return self._joined(since, await self._older(since))
        except StoreError:
            return []
        finally:
            self.reading -= 1

    async def _older(self, since: int) -> list[Entry]:
        """Those that are not in memory, if they may be told; raises StoreError."""
        number = self._stream.number
        first = self._recent[0].number if self._recent else number + 1
        if not 0 < since < first - 1 or number - since > self._most:
            return []
        history = await self._read(since)
        return [self._play.entries.decode(row.body) for row in history.rows]

    async def all_since(self, since: int) -> list[Entry]:
        """All entries after `since`, however many, as `since` gives them; raises
        StoreError."""
        while True:
            number = self._stream.number
            first = self._recent[0].number if self._recent else number + 1
            if since >= first - 1:
                return [entry for entry in self._recent if entry.number > since]
            history = await self._read(since)
            older = [self._play.entries.decode(row.body) for row in history.rows]
            # entries may have come meanwhile; what is stored but not told is not there yet
            older = [entry for entry in older if entry.number <= self._stream.number]
            last = older[-1].number if older else since
            newer = [entry for entry in self._recent if entry.number > last]
            if len(older) + len(newer) == self._stream.number - since:
                return older + newer

    async def _read(self, since: int) -> History:
        code = self._stream.seating.code
        try:
            return await self._store.read(code, after=since)
        except Damaged as error:
            if not self._told:
                self._told = True
                self._log.error("table_damaged", table=code, error=error)
            raise

    def _joined(self, since: int, older: list[Entry]) -> list[Entry]:
        number = self._stream.number
        if not 0 < since < number or number - since > self._most:
            return []
        last = older[-1].number if older else since
        # what is stored but not told yet comes as an update
        entries = [entry for entry in older if entry.number <= number]
        entries += [entry for entry in self._recent if entry.number > last]
        return entries if len(entries) == number - since else []

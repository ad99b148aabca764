"""What happened at a table, for those who come back: the newest entries are in memory,
older ones are read from the store.

Knows no socket and no game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from engine.entry import Entry
from engine.stream import Stream
from server.play import Play
from server.store.port import Store, StoreError


class Recall:
    """The entries of one stream."""

    __slots__ = ("_most", "_play", "_recent", "_store", "_stream")

    def __init__(
        self,
        play: Play,
        store: Store,
        stream: Stream,
        entries: Iterable[Entry],
        *,
        recent: int,
        most: int,
    ) -> None:
        """`recent` entries stay in memory; not more than `most` are ever told."""
        self._play = play
        self._store = store
        self._stream = stream
        self._recent: deque[Entry] = deque(entries, maxlen=recent)
        self._most = most

    def add(self, entry: Entry) -> None:
        """The stream's new last entry."""
        self._recent.append(entry)

    async def since(self, since: int) -> list[Entry]:
        """All entries after `since`, up to the stream's last one as of the moment when
        this returns; none for 0, or if they are too many, or cannot be read now."""
        number = self._stream.number
        first = self._recent[0].number if self._recent else number + 1
        older: list[Entry] = []
        if 0 < since < first - 1 and number - since <= self._most:
            try:
                history = await self._store.read(self._stream.seating.code, after=since)
            except StoreError:
                return []
            older = [self._play.entries.decode(row.body) for row in history.rows]
        return self._joined(since, older)

    async def all_since(self, since: int) -> list[Entry]:
        """All entries after `since`, however many, as `since` gives them; raises
        StoreError."""
        while True:
            number = self._stream.number
            first = self._recent[0].number if self._recent else number + 1
            if since >= first - 1:
                return [entry for entry in self._recent if entry.number > since]
            history = await self._store.read(self._stream.seating.code, after=since)
            older = [self._play.entries.decode(row.body) for row in history.rows]
            # entries may have come meanwhile; what is stored but not told is not there yet
            older = [entry for entry in older if entry.number <= self._stream.number]
            last = older[-1].number if older else since
            newer = [entry for entry in self._recent if entry.number > last]
            if len(older) + len(newer) == self._stream.number - since:
                return older + newer

    def _joined(self, since: int, older: list[Entry]) -> list[Entry]:
        number = self._stream.number
        if not 0 < since < number or number - since > self._most:
            return []
        last = older[-1].number if older else since
        # what is stored but not told yet comes as an update
        entries = [entry for entry in older if entry.number <= number]
        entries += [entry for entry in self._recent if entry.number > last]
        return entries if len(entries) == number - since else []

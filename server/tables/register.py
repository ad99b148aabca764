"""The register of tables: which of them wait or are played, who opened them, what is shown
of those that are listed, and who sits where. It asks the store's directory for no more than
is needed, and holds nothing of a table that rests or has ended.

Wakes no table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from engine.table.words import Phase
from protocol.messages import TableRow
from server.store.port import Damaged, DirectoryRow, Store
from server.tables.directory import table_row
from server.tables.table import Table


class Register:
    """The tables of one server, in memory or not."""

    def __init__(self, store: Store, awake: Mapping[str, Table], list_tables: int) -> None:
        """`awake` are those in memory, at any time; `list_tables` is how many are listed."""
        self._store = store
        self._awake = awake
        self._most = list_tables
        self._opening: Counter[bytes] = Counter()
        """By person: tables that are being opened."""
        self._at_most: int | None = None
        """How many tables are open at most: those that were counted, and those opened since."""
        self._opened = 0
        """How many were opened since the start: a count is kept if none was meanwhile."""
        self._news = 0
        """Counts what may have changed the list."""
        self._shown: tuple[int, tuple[TableRow, ...]] = (-1, ())
        """The list as it was at a count of news."""

    def changed(self) -> None:
        """A table was opened, or its seats or phase are others now."""
        self._news += 1

    # listing

    async def listed(self) -> tuple[TableRow, ...]:
        """What is shown of the listed tables that wait or are played, the last opened
        first. Raises StoreError."""
        news, rows = self._shown
        if news != self._news:
            news = self._news
            rows = await self._rows(self._store.listed(self._most))
            self._shown = news, rows
        return rows

    async def seats_of(self, person: bytes) -> tuple[TableRow, ...]:
        """The tables that wait or are played where a person has a seat, listed or not, the
        newest news first. Raises StoreError."""
        return await self._rows(self._store.seats_of(person))

    async def _rows(self, asking: Awaitable[list[DirectoryRow]]) -> tuple[TableRow, ...]:
        try:
            rows = await asking
        except Damaged:
            return ()  # each table can still be reached by its code
        # of what an earlier version wrote the seats are learnt soon after the start
        return tuple([table_row(r) for r in rows if r.seats is not None and not self._empty(r)])

    def _empty(self, row: DirectoryRow) -> bool:
        """Whether everybody left before the match: nobody can start it, and it is about to
        be closed."""
        if row.phase != Phase.WAITING or (table := self._awake.get(row.code)) is None:
            return False
        return table.stream.seating.host is None

    # opening

    @contextmanager
    def opening(self, creator: bytes) -> Iterator[None]:
        """While a table is being opened: it counts as open already."""
        self._opening[creator] += 1
        try:
            yield
        finally:
            self._opening[creator] -= 1
            if not self._opening[creator]:
                del self._opening[creator]
            self._opened += 1
            if self._at_most is not None:
                self._at_most += 1

    def opened_by(self, creator: bytes) -> int:
        """How many tables one session is opening now."""
        return self._opening[creator]

    async def has_room(self, most: int) -> bool:
        """Whether there are no more than `most` tables that wait or are played, those that
        are being opened included. The store counts them only where there may be more. Raises
        StoreError."""
        at_most = self._at_most
        if at_most is None or at_most + self._opening.total() > most:
            opened = self._opened
            at_most = await self._store.count_open()
            if opened == self._opened:
                self._at_most = at_most
        return at_most + self._opening.total() <= most

    async def free_code(self, drawn: Iterable[str]) -> str | None:
        """The first of some codes that no table has or had; None: they all are taken.
        Raises StoreError."""
        codes = tuple(drawn)
        taken = await self._store.taken(codes)
        return next((code for code in codes if code not in taken), None)

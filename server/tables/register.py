"""The register of open tables: how many there are, which codes are free, what the list shows,
and where a person sits. It asks the store's directory for no more than it needs, and keeps
nothing about tables that are not in memory.

Never wakes a table.
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
    """The open tables of one server, in memory or not."""

    def __init__(self, store: Store, tables: Mapping[str, Table], list_tables: int) -> None:
        """`tables` is the live mapping of the tables in memory; `list_tables` is how many the
        list shows."""
        self._store = store
        self._tables = tables
        self._most = list_tables
        self._opening: Counter[bytes] = Counter()
        """By person: tables that are being opened."""
        self._at_most: int | None = None
        """An upper bound on the open tables: those last counted, and those opened since."""
        self._opened = 0
        """Tables opened since the start. A count of the store is kept if none was opened while
        it counted."""
        self._version = 0
        """Grows with everything that may change the list."""
        self._shown: tuple[int, tuple[TableRow, ...]] = (-1, ())
        """The list, and its version."""

    def changed(self) -> None:
        """A table was opened, or its seats or phase have changed."""
        self._version += 1

    # listing

    async def listed(self) -> tuple[TableRow, ...]:
        """The listed tables that wait or are played, newest first. Raises StoreError."""
        version, rows = self._shown
        if version != self._version:
            version = self._version
            rows = await self._rows(self._store.listed(self._most))
            self._shown = version, rows
        return rows

    async def seats_of(self, person: bytes) -> tuple[TableRow, ...]:
        """The tables that wait or are played where a person has a seat, listed or not, the
        one with the latest entry first. Raises StoreError."""
        return await self._rows(self._store.seats_of(person))

    async def _rows(self, asking: Awaitable[list[DirectoryRow]]) -> tuple[TableRow, ...]:
        try:
            rows = await asking
        except Damaged:
            return ()  # each table can still be reached by its code
        # rows of an earlier version lack their seats until the startup scan has filled them in
        return tuple([table_row(r) for r in rows if r.seats is not None and not self._empty(r)])

    def _empty(self, row: DirectoryRow) -> bool:
        """Whether everybody left a waiting table: nobody can start it, and it is about to be
        closed."""
        if row.phase != Phase.WAITING or (table := self._tables.get(row.code)) is None:
            return False
        return table.stream.seating.host is None

    # opening

    @contextmanager
    def opening(self, creator: bytes) -> Iterator[None]:
        """Count a table as open while it is being opened."""
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
        """How many tables one session is opening right now."""
        return self._opening[creator]

    async def has_room(self, most: int) -> bool:
        """Whether there are no more than `most` tables that wait or are played, including
        those that are being opened. The store counts them only if there may be more. Raises
        StoreError."""
        at_most = self._at_most
        if at_most is None or at_most + self._opening.total() > most:
            opened = self._opened
            at_most = await self._store.count_open()
            if opened == self._opened:
                self._at_most = at_most
        return at_most + self._opening.total() <= most

    async def free_code(self, drawn: Iterable[str]) -> str | None:
        """The first of some codes that no table has or had; None: all are taken. Raises
        StoreError."""
        codes = tuple(drawn)
        taken = await self._store.taken(codes)
        return next((code for code in codes if code not in taken), None)

"""The register of tables: which of them wait or are played, who opened them, what is shown
of those that are listed, and who sits where. It asks the store's directory for no more than
is needed, and holds nothing of a table that rests or has ended.

Wakes no table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from engine.table import Phase
from protocol.messages import TableRow
from server.refusals import Denied, Refusal
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

    async def open_of(self, creator: bytes) -> int:
        """How many tables that wait or are played one session has opened, those that it is
        opening now included. Raises StoreError."""
        return await self._store.count_open(creator) + self._opening[creator]

    async def open_of_all(self) -> int:
        """The same, of all sessions."""
        return await self._store.count_open() + self._opening.total()

    async def check_own(self, creator: bytes, most: int) -> None:
        """Raise Denied(TOO_MANY_TABLES) unless `creator` may have what it is `opening`;
        raises StoreError."""
        if await self.open_of(creator) > most:
            raise Denied(Refusal.TOO_MANY_TABLES, "you have too many open tables", most=most)

    async def free_code(self, drawn: Iterable[str]) -> str | None:
        """The first of some codes that no table has or had; None: they all are taken.
        Raises StoreError."""
        codes = tuple(drawn)
        taken = await self._store.taken(codes)
        return next((code for code in codes if code not in taken), None)

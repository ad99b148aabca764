"""Which tables the house closes because nobody is there: those that are given up, and those
that give way to new ones when the server is full.

**Given up** is a waiting table that nobody has attended for `waiting_seconds`, and one that is
played without a clock at which nothing has happened for `abandoned_days` and that nobody
attended meanwhile. (With a clock it comes to its end by itself.)

**All but dead**, and so the first to give way, is a table that nobody has attended for
`give_way_seconds` (for 72 times as long if several people sit there), at which nothing has
happened for as long, and where nothing will be due. Tables of one person go before those of
several, and among them those at which nothing has happened for longest.

Time counts while a server runs. The log is kept in any case. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from engine.table.words import Phase
from server.age import Age
from server.config import Settings
from server.store.port import DirectoryRow, Store

DAY_MS = 86_400_000
SWEEP_MS = 30_000
"""Between two looks for tables to give up."""
_MOST_AT_ONCE = 50
"""Tables given up in one sweep: the others play on meanwhile."""
_SEVERAL = 72
"""People may pause a game for days: with an hour for one, three days for several."""
_IN_VAIN_MS = 10_000
"""From a look that found no table to give way until the next one: each look reads all tables
that are open and idle, and those who are refused may ask again at once."""

MayClose = Callable[[str, int], bool]
"""Whether a table rests, and nobody was there for so many milliseconds."""


class Reaping:
    """Finds the tables of one server that are given up."""

    def __init__(self, settings: Settings, store: Store, age: Age, may_close: MayClose) -> None:
        self._store = store
        self._age = age
        self._may_close = may_close
        waiting, abandoned = _least_alone(settings)
        self._rules = (
            (Phase.WAITING, waiting, waiting),
            (Phase.PLAYING, int(settings.abandoned_days * DAY_MS), abandoned),
        )
        """Phase, milliseconds without an entry, milliseconds without anybody there."""

    async def sweep(self, give_up: Callable[[str], None]) -> None:
        """Call `give_up` with the codes of some tables that are given up; raises
        StoreError."""
        left = _MOST_AT_ONCE
        for phase, idle_ms, alone_ms in self._rules:
            until = self._age.now() - idle_ms
            if until < 0 or self._age.now() - self._age.begin < alone_ms:
                continue
            async for rows in self._store.idle(phase, until):
                for row in rows:
                    if left and row.deadline is None and self._may_close(row.code, alone_ms):
                        left -= 1
                        give_up(row.code)
                if not left:
                    return


class Yielding:
    """Finds the table of a full server that gives way."""

    def __init__(self, settings: Settings, store: Store, age: Age, may_close: MayClose) -> None:
        self._store = store
        self._age = age
        self._may_close = may_close
        self._least_ms = _give_way_ms(settings)
        self._next_look = 0
        """The age before which there is none."""

    async def one(self) -> str | None:
        """The code of the table that gives way first; None: there is none. Raises
        StoreError."""
        if self._age.now() < self._next_look:
            return None
        several: list[DirectoryRow] = []
        alone: list[DirectoryRow] = []
        until = self._age.now() - self._least_ms
        for phase in (Phase.WAITING, Phase.PLAYING) if until >= 0 else ():
            async for rows in self._store.idle(phase, until):
                several += [r for r in rows if _several(r) and self._may_go(r, _SEVERAL)]
                if found := [r for r in rows if not _several(r) and self._may_go(r, 1)]:
                    alone += found
                    break  # the oldest come first
        first = min(alone or several, key=attrgetter("ran"), default=None)
        if first is None:
            self._next_look = self._age.now() + _IN_VAIN_MS
            return None
        return first.code

    def _may_go(self, row: DirectoryRow, times: int) -> bool:
        least = self._least_ms * times
        if row.deadline is not None or self._age.now() - row.ran < least:
            return False
        return self._may_close(row.code, least)


def longest_alone(settings: Settings) -> int:
    """The longest time (in milliseconds) that either rule asks for without anybody there."""
    return max(*_least_alone(settings), _SEVERAL * _give_way_ms(settings))


def _least_alone(settings: Settings) -> tuple[int, int]:
    """For how many milliseconds nobody must have been at a waiting table, and at one that is
    played, before it is given up: no more than a day there, because the age of the last
    entry counts as well."""
    abandoned = int(settings.abandoned_days * DAY_MS)
    return int(settings.waiting_seconds * 1000), min(abandoned, DAY_MS)


def _give_way_ms(settings: Settings) -> int:
    return int(settings.sharing.give_way_seconds * 1000)


def _several(row: DirectoryRow) -> bool:
    """Whether more than one person sits at a table."""
    return sum(one.person is not None for one in row.seated) > 1

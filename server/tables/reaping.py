"""Tables that the server closes because nobody is there: those that are given up, and those
that make room for new ones when the server is full.

**Given up** is a waiting table that nobody has attended for `waiting_seconds`, and a running
one without a clock where nothing has happened for `abandoned_days` and that nobody attended
meanwhile. (With a clock it comes to its end by itself.)

**All but dead**, and so the first to make room, is a table that nobody has attended for
`give_way_seconds` (72 times as long if several people sit there), where nothing has happened
for as long and nothing will be due. Tables of one person go before those of several, and among
them those where nothing has happened for longest.

Time counts while a server runs. The log is always kept. Does not know about games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from operator import attrgetter
from typing import Any

from engine.table.words import Phase
from server.refusals import Denied
from server.settings import Settings
from server.store.port import DirectoryRow, StoreError
from server.tables.context import Context
from server.tables.residents import Residents
from server.tables.timers import Alarm

DAY_MS = 86_400_000
SWEEP_MS = 30_000
"""Time between two sweeps."""
_MOST_AT_ONCE = 50
"""Tables given up in one sweep: the others play on meanwhile."""
_SEVERAL = 72
"""People may pause a game for days: an hour for one person is three days for several."""
_IN_VAIN_MS = 10_000
"""Time after a search that found no table to make room: each search reads all tables that are
open and idle, and people who are refused may ask again at once."""
_CLOSING_SECONDS = 5.0
"""Time for a table that makes room to be read and closed."""


class Reaper:
    """Closes the abandoned tables of one server."""

    def __init__(self, context: Context, residents: Residents) -> None:
        settings = context.settings
        self._store = context.store
        self._age = context.age
        self._residents = residents
        waiting, abandoned = _least_alone(settings)
        self._rules = (
            (Phase.WAITING, waiting, waiting),
            (Phase.PLAYING, int(settings.abandoned_days * DAY_MS), abandoned),
        )
        """Phase, milliseconds without an entry, milliseconds without anybody there."""
        self._give_way_ms = _give_way_ms(settings)
        self._next_search = 0
        """The age at which another search for room is worth while."""
        self._making_room: set[str] = set()
        """Tables that are being closed to make room."""
        self._alarm = Alarm(context.ticker, self._ring)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Sweep from now on."""
        self._alarm.set(SWEEP_MS)

    async def stop(self) -> None:
        """Close no more tables."""
        self._alarm.set(None)
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # giving up

    def _ring(self) -> None:
        self._alarm.set(SWEEP_MS)
        self._later(self._sweep())

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _sweep(self) -> None:
        """Close some of the tables that are given up. What a failing store prevents is left
        to the next sweep."""
        left = _MOST_AT_ONCE
        try:
            for phase, idle_ms, alone_ms in self._rules:
                until = self._age.now() - idle_ms
                if until < 0 or self._age.now() - self._age.begin < alone_ms:
                    continue
                async for rows in self._store.idle(phase, until):
                    for row in rows:
                        if left and row.deadline is None and self._is_alone(row.code, alone_ms):
                            left -= 1
                            self._later(self._give_up(row.code))
                    if not left:
                        return
        except StoreError:
            pass

    async def _give_up(self, code: str) -> None:
        """Close a table, unless somebody comes to it first."""
        try:
            table = await self._residents.get(code)
        except (StoreError, Denied):
            return  # the next sweep finds it again
        table.close_unattended()

    def _is_alone(self, code: str, ms: int) -> bool:
        """Whether nobody has attended a table for so long, and it may be closed."""
        alone = self._residents.unattended_ms(code)
        return alone is not None and alone >= ms and code not in self._making_room

    # making room

    async def make_room(self) -> bool:
        """Close the table that is the first to make room; return whether there was one.
        Raises StoreError."""
        code = await self._first_to_go()
        return code is not None and await self._close(code)

    async def _first_to_go(self) -> str | None:
        if self._age.now() < self._next_search:
            return None
        several: list[DirectoryRow] = []
        single: list[DirectoryRow] = []
        until = self._age.now() - self._give_way_ms
        for phase in (Phase.WAITING, Phase.PLAYING) if until >= 0 else ():
            async for rows in self._store.idle(phase, until):
                several += [r for r in rows if _has_several(r) and self._may_go(r, _SEVERAL)]
                if found := [r for r in rows if not _has_several(r) and self._may_go(r, 1)]:
                    single += found
                    break  # the oldest come first
        first = min(single or several, key=attrgetter("ran"), default=None)
        if first is None:
            self._next_search = self._age.now() + _IN_VAIN_MS
            return None
        return first.code

    def _may_go(self, row: DirectoryRow, times: int) -> bool:
        least = self._give_way_ms * times
        if row.deadline is not None or self._age.now() - row.ran < least:
            return False
        return self._is_alone(row.code, least)

    async def _close(self, code: str) -> bool:
        """Close a table that nobody attends; return whether it is closed."""
        self._making_room.add(code)
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                table = await self._residents.get(code)
                await asyncio.sleep(0)  # others who wait for the same table come first
                closed = asyncio.Event()
                if table.close_unattended(lambda _: closed.set()):
                    await closed.wait()
                return table.stream.seating.ended
        except (Denied, StoreError, TimeoutError):
            return False
        finally:
            self._making_room.discard(code)


def longest_alone(settings: Settings) -> int:
    """The longest time, in milliseconds, for which any rule asks that nobody was there."""
    return max(*_least_alone(settings), _SEVERAL * _give_way_ms(settings))


def _least_alone(settings: Settings) -> tuple[int, int]:
    """How many milliseconds nobody must have attended a waiting table, and a running one,
    before it is given up. For a running one that is at most a day, because the age of its last
    entry counts as well."""
    abandoned = int(settings.abandoned_days * DAY_MS)
    return int(settings.waiting_seconds * 1000), min(abandoned, DAY_MS)


def _give_way_ms(settings: Settings) -> int:
    return int(settings.give_way_seconds * 1000)


def _has_several(row: DirectoryRow) -> bool:
    """Whether more than one person sits at a table."""
    return sum(one.person is not None for one in row.seated) > 1

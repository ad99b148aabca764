"""Which tables give way when the server is full: those that are all but dead.

The written rule: nobody attends the table and nobody did for `give_way_seconds` (a table of
several people: for 72 times as long), nothing happened at it for as long, and nothing will be
due. Of these, tables of one person go before those of several, and among them those first at
which nothing has happened for longest. They are closed as the house closes what is given up,
their logs are kept. Time counts while a server runs. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from engine.table import Phase
from server.age import Age
from server.config import Settings
from server.store.port import DirectoryRow, Store

_SEVERAL = 72
"""People may pause a game for days: with an hour for one, three days for several."""
_IN_VAIN_MS = 10_000
"""After a look that found none, until the next one: each reads all that is open and idle, and
whoever is refused may ask again at once."""


class Yielding:
    """The rule, for one server."""

    def __init__(
        self, settings: Settings, store: Store, age: Age, may_close: Callable[[str, int], bool]
    ) -> None:
        """`may_close` tells whether a table rests, and nobody was there for so many
        milliseconds."""
        self._store = store
        self._age = age
        self._may_close = may_close
        self._least_ms = _least_ms(settings)
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
    """For how many milliseconds nobody must have been at a table of several people before it
    gives way."""
    return _SEVERAL * _least_ms(settings)


def _least_ms(settings: Settings) -> int:
    return int(settings.give_way_seconds * 1000)


def _several(row: DirectoryRow) -> bool:
    return sum(one.person is not None for one in row.seated) > 1

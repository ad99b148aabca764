"""Which tables are given up.

The written rule: a waiting table is closed once nobody has attended it for
`waiting_seconds`; one that is played without a clock once nothing has happened at it for
`abandoned_days` and nobody attended it meanwhile. (With a clock it comes to its end by
itself.) Time counts while a server runs. The log is kept in any case. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.table import Phase
from server.age import Age
from server.config import Settings
from server.store.port import Store

DAY_MS = 86_400_000
SWEEP_MS = 30_000
"""Between two looks for tables to give up."""
_MOST_AT_ONCE = 50
"""Tables given up in one sweep: the others play on meanwhile."""


class Reaping:
    """The rule, for one server."""

    def __init__(
        self, settings: Settings, store: Store, age: Age, may_close: Callable[[str, int], bool]
    ) -> None:
        """`may_close` tells whether a table rests, and nobody was there for so many
        milliseconds."""
        self._store = store
        self._age = age
        self._may_close = may_close
        waiting, abandoned = least_alone(settings)
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


def least_alone(settings: Settings) -> tuple[int, int]:
    """For how many milliseconds nobody must have been at a waiting table, and at one that
    is played, before it is given up: no more than a day there, for the age of the last
    entry counts as well."""
    abandoned = int(settings.abandoned_days * DAY_MS)
    return int(settings.waiting_seconds * 1000), min(abandoned, DAY_MS)

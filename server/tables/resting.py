"""The tables that are not in memory: when each has to wake, and when it is given up.

The written rule of reaping: a waiting table is closed once nobody has attended it for
`waiting_seconds`; one that is played without a clock once nothing has happened at it for
`abandoned_days` and nobody attended it meanwhile. (With a clock it comes to its end by
itself.) The log is kept in any case. Knows no game and no store.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from engine.table import Phase
from server.tables.timers import Alarm, Ticker

_DAY_MS = 86_400_000
_SWEEP_MS = 30_000
_MOST_AT_ONCE = 50
"""Tables given up in one sweep: the others play on meanwhile."""


@frozen
class Rest:
    """One table at rest."""

    phase: int
    updated: int
    """When its last entry was written, by the clock on the wall."""
    since: int
    """When its last entry came, or else when the server started, by `Ticker.now`."""
    left: int
    """When it was last attended, or else when the server started, by `Ticker.now`."""
    timed: bool
    """Whether something will be due."""
    alarm: Alarm | None


class Resting:
    """All tables that are open and not in memory."""

    def __init__(
        self,
        ticker: Ticker,
        wake: Callable[[str], None],
        give_up: Callable[[str], None],
        *,
        waiting_seconds: float,
        abandoned_days: float,
    ) -> None:
        """`wake` and `give_up` are called with the code of a table, not for long."""
        self._ticker = ticker
        self._wake = wake
        self._give_up = give_up
        self._waiting_ms = int(waiting_seconds * 1000)
        self._abandoned_ms = int(abandoned_days * _DAY_MS)
        self._tables: dict[str, Rest] = {}
        self._sweeper = Alarm(ticker, self._sweep)
        self._sweeper.set(_SWEEP_MS)

    def add(
        self,
        code: str,
        phase: int,
        updated: int,
        since: int,
        due_in: int | None,
        *,
        alarm: bool = True,
    ) -> None:
        """A table goes to rest: something is due in `due_in` milliseconds (None: never).
        Without `alarm` it is being woken, by another than its own alarm."""
        self.pop(code)
        wakes = None
        if due_in is not None and alarm:
            wakes = Alarm(self._ticker, lambda: self._wake(code))
            wakes.set(due_in)
        now = self._ticker.now()
        self._tables[code] = Rest(phase, updated, since, now, due_in is not None, wakes)

    def since(self, code: str) -> int | None:
        """When the last entry of a table at rest came; None: not known, or not at rest."""
        rest = self._tables.get(code)
        return None if rest is None else rest.since

    def pop(self, code: str) -> None:
        """A table is in memory, or over."""
        rest = self._tables.pop(code, None)
        if rest is not None and rest.alarm is not None:
            rest.alarm.set(None)

    def _sweep(self) -> None:
        self._sweeper.set(_SWEEP_MS)
        given_up = [code for code, rest in self._tables.items() if self._is_given_up(rest)]
        for code in given_up[:_MOST_AT_ONCE]:
            self._give_up(code)

    def _is_given_up(self, rest: Rest) -> bool:
        alone = self._ticker.now() - rest.left
        if rest.phase == Phase.WAITING:
            return alone >= self._waiting_ms
        if rest.phase != Phase.PLAYING or rest.timed:
            return False
        # by the wall, for no server runs so long; but no step of it alone does this
        idle = self._ticker.wall() - rest.updated
        return idle >= self._abandoned_ms and alone >= min(self._abandoned_ms, _DAY_MS)

    def stop(self) -> None:
        """Wake and give up none any more."""
        self._sweeper.set(None)
        for code in tuple(self._tables):
            self.pop(code)

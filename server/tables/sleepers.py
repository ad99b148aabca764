"""The tables that are open and not in memory: when each has to wake, and since when nobody
is there.

A table where nothing will be due is known here only for a while after it left memory. Knows
no game and no store.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from attrs import frozen

from server.tables.timers import Alarm, Ticker


@frozen
class Sleeper:
    """One table at rest."""

    since: int
    """When its last entry came, or else when the server started, by `Ticker.now`."""
    left: int
    """When it was last attended, or else when the server started, by `Ticker.now`."""


class Sleepers:
    """What has to be known of them."""

    def __init__(self, ticker: Ticker, wake: Callable[[str], None], *, known_ms: int) -> None:
        """`wake` is called with the code of a table, not for long; when a table left memory
        is known for `known_ms` at least."""
        self._ticker = ticker
        self._wake = wake
        self._known_ms = known_ms
        self._begin = ticker.now()
        self._alarms: dict[str, Alarm] = {}
        """By table: when something will be due there."""
        self._rests: OrderedDict[str, Sleeper] = OrderedDict()
        """Those that left memory, the first to leave first."""

    def rouse(self, code: str, due_in: int) -> None:
        """A table that rests since the start has to wake in `due_in` milliseconds."""
        self._alarms[code] = alarm = Alarm(self._ticker, lambda: self._due(code))
        alarm.set(due_in)

    def add(self, code: str, since: int, due_in: int | None) -> None:
        """A table leaves memory, its last entry having come at `since` by the ticker:
        something is due in `due_in` milliseconds (None: never)."""
        self.pop(code)
        now = self._ticker.now()
        self._rests[code] = Sleeper(since, now)
        if due_in is not None:
            self.rouse(code, due_in)
        while self._rests:
            first, rest = next(iter(self._rests.items()))
            if now - rest.left <= self._known_ms:
                break
            if first in self._alarms:  # the time of its clock has to be known
                self._rests[first] = Sleeper(rest.since, now)
                self._rests.move_to_end(first)
            else:
                del self._rests[first]

    def _due(self, code: str) -> None:
        self._alarms.pop(code, None)
        self._wake(code)

    def has_alarm(self, code: str) -> bool:
        """Whether something will be due at a table at rest."""
        return code in self._alarms

    def since(self, code: str) -> int:
        """When the last entry of a table that rests came, or else when the server started,
        or a time between the two, by `Ticker.now`."""
        rest = self._rests.get(code)
        return self._begin if rest is None else rest.since

    def alone(self, code: str) -> int:
        """For how many milliseconds at most nobody has attended a table that rests: beyond
        the time that it is known for, they may be fewer."""
        rest = self._rests.get(code)
        return self._ticker.now() - (self._begin if rest is None else rest.left)

    def pop(self, code: str) -> None:
        """A table is in memory, or over."""
        self._rests.pop(code, None)
        alarm = self._alarms.pop(code, None)
        if alarm is not None:
            alarm.set(None)

    def stop(self) -> None:
        """Wake no more tables."""
        for code in tuple(self._alarms):
            self.pop(code)

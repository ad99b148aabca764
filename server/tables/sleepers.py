"""The open tables that are not in memory: when each has to wake, and since when nobody has
attended it.

A table where nothing will be due is remembered only for a while after it left memory. Does
not know about games or the store.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from attrs import frozen

from server.tables.timers import Alarm, Ticker


@frozen
class Sleeper:
    """One table that left memory. Times are `Ticker.now`."""

    since: int
    """When its last entry came, or when the server started."""
    left: int
    """When it left memory; later, if something is due at it that long after."""


class Sleepers:
    """All that is known of such tables."""

    def __init__(self, ticker: Ticker, wake: Callable[[str], None], remember_ms: int) -> None:
        """`wake` is called with the code of a table where something is due; it must not
        block. A table is remembered for at least `remember_ms` after it left memory."""
        self._ticker = ticker
        self._wake = wake
        self._remember_ms = remember_ms
        self._begin = ticker.now()
        self._alarms: dict[str, Alarm] = {}
        """By table: when something will be due there."""
        self._left: OrderedDict[str, Sleeper] = OrderedDict()
        """Those that left memory, the first to leave first."""

    def set_alarm(self, code: str, due_in: int) -> None:
        """Wake a table in `due_in` milliseconds."""
        self._alarms[code] = alarm = Alarm(self._ticker, lambda: self._ring(code))
        alarm.set(due_in)

    def add(self, code: str, since: int, due_in: int | None) -> None:
        """A table leaves memory. Its last entry came at `since` by the ticker; something is
        due there in `due_in` milliseconds (None: never)."""
        self.pop(code)
        now = self._ticker.now()
        self._left[code] = Sleeper(since, now)
        if due_in is not None:
            self.set_alarm(code, due_in)
        while self._left:
            first, sleeper = next(iter(self._left.items()))
            if now - sleeper.left <= self._remember_ms:
                break
            if first in self._alarms:  # its clock needs the time of its last entry
                self._left[first] = Sleeper(sleeper.since, now)
                self._left.move_to_end(first)
            else:
                del self._left[first]

    def _ring(self, code: str) -> None:
        self._alarms.pop(code, None)
        self._wake(code)

    def has_alarm(self, code: str) -> bool:
        """Whether something will be due at a table."""
        return code in self._alarms

    def since(self, code: str) -> int:
        """When the last entry of a table came, by `Ticker.now`; when the server started, or
        a time in between, if that is not known."""
        sleeper = self._left.get(code)
        return self._begin if sleeper is None else sleeper.since

    def alone(self, code: str) -> int:
        """How many milliseconds nobody has attended a table. Beyond the time for which it
        is remembered, this is an upper bound."""
        sleeper = self._left.get(code)
        return self._ticker.now() - (self._begin if sleeper is None else sleeper.left)

    def pop(self, code: str) -> None:
        """Forget a table that is in memory again, or over."""
        self._left.pop(code, None)
        alarm = self._alarms.pop(code, None)
        if alarm is not None:
            alarm.set(None)

    def stop(self) -> None:
        """Wake no more tables."""
        for code in tuple(self._alarms):
            self.pop(code)

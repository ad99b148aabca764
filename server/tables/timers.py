"""A clock that only goes forward, and the timers that go by it.

The time of day is for people to read; nothing is measured by it. Tests use a `Ticker` of their
own. Does not know about tables or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic_ns, time_ns
from typing import Protocol

PULSE_SECONDS = 1.0
"""The longest time between two calls of `Ticker.now` while nothing goes wrong."""
_HALT_MS = 3000
"""A longer time between two calls means that the process was halted: a machine that is merely
busy does not take that long."""
RETRY_MS = 1000
"""Time until something that failed is tried again."""
_TIMES = 64
"""Times of entries that are kept before those that nobody asks for are dropped."""
_HELD_MS = 60_000
"""The most time that is given back for one failure of the store."""


class Handle(Protocol):
    """A timer that was set."""

    def cancel(self) -> None: ...


class Ticker:
    """The machine's own clocks, in whole milliseconds. Time during which the process was halted
    (SIGSTOP, Ctrl-Z, a frozen machine) does not count, because nobody could play. A halt is
    noticed only if `now` is called every PULSE_SECONDS."""

    halted = 0
    """Milliseconds during which the process was halted."""

    def __init__(self) -> None:
        self._last = monotonic_ns() // 1_000_000

    def now(self) -> int:
        """A time that does not change when somebody sets the clock on the wall."""
        last, self._last = self._last, monotonic_ns() // 1_000_000
        if self._last - last > _HALT_MS:
            self.halted += self._last - last
        return self._last - self.halted

    def wall(self) -> int:
        """Milliseconds since 1970 UTC: for people to read."""
        return time_ns() // 1_000_000

    def call_after(self, ms: int, call: Callable[[], None]) -> Handle:
        """Call `call` on the loop after `ms`."""
        return _Timer(self, ms, call)


class _Timer:
    """A timer of the loop, held to a ticker: the loop's time goes on during a halt."""

    __slots__ = ("_call", "_due", "_handle", "_ticker")

    def __init__(self, ticker: Ticker, ms: int, call: Callable[[], None]) -> None:
        self._ticker = ticker
        self._call = call
        self._due = ticker.now() + ms
        self._handle = asyncio.get_running_loop().call_later(ms / 1000, self._ring)

    def _ring(self) -> None:
        left = self._due - self._ticker.now()
        if left > 0:
            self._handle = asyncio.get_running_loop().call_later(left / 1000, self._ring)
        else:
            self._call()

    def cancel(self) -> None:
        self._handle.cancel()


class Alarm:
    """One timer: setting it again replaces the time that was set before."""

    __slots__ = ("_handle", "_ring", "_ticker")

    def __init__(self, ticker: Ticker, ring: Callable[[], None]) -> None:
        self._ticker = ticker
        self._ring = ring
        self._handle: Handle | None = None

    def set(self, ms: int | None) -> None:
        """Ring after `ms`; None: not at all."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if ms is not None:
            self._handle = self._ticker.call_after(max(0, ms), self._ring)


class Stopwatch:
    """When the entries of one table came, as far as somebody may still ask, and how long ago the
    last one was.

    Time is not counted while the store fails, up to a bound, so that nobody loses by it.
    """

    __slots__ = ("_first", "_held", "_number", "_ticker", "_times", "since")

    def __init__(self, ticker: Ticker, number: int, since: int | None) -> None:
        """`number` is that of the last entry, which came at `since` (None: unknown, it counts
        as having come now)."""
        self._ticker = ticker
        self._number = number
        self.since = self._first = ticker.now() if since is None else since
        """When the last entry came, by `Ticker.now`."""
        self._times: dict[int, int] = {}
        """By number: when later entries came."""
        self._held: int | None = None

    def entry(self, open: Iterable[int] = ()) -> None:
        """Another entry came now. Of the entries before it, somebody may still ask only for
        those with `open` numbers."""
        self._number += 1
        self.since = self._times[self._number] = self._ticker.now()
        self._held = None
        if len(self._times) > _TIMES:
            kept = {*open, self._number}
            self._times = {number: at for number, at in self._times.items() if number in kept}

    def hold(self) -> None:
        """The store failed: stop counting time for a while."""
        if self._held is None:
            self._held = self._ticker.now()

    def elapsed(self) -> int:
        """Milliseconds counted since the last entry."""
        return self._counted(self.since)

    def age(self, number: int) -> int:
        """Milliseconds counted since entry `number`, or since the first time known."""
        return self._counted(self._times.get(number, self._first))

    def _counted(self, since: int) -> int:
        now = self._ticker.now()
        given_back = 0 if self._held is None else min(now - self._held, _HELD_MS)
        return max(0, now - since - given_back)

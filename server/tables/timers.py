"""Time as the tables know it: a clock that only goes forward, and timers by it.

The time of day is for people to read and measures nothing here. Tests put another
`Ticker` in the place of this one. Knows no table and no game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic_ns, time_ns
from typing import Protocol

PULSE_SECONDS = 1.0
"""Between two looks at the time."""
_HALT_MS = 3000
"""Between two looks: longer than any machine that is merely busy lets pass."""
RETRY_MS = 1000
"""Until what could not be done is tried again."""
_TIMES = 64
"""Times of entries that are kept before those nobody asks for are dropped."""
_HELD_MS = 60_000
"""So much time is given back at the most for each failure of the store."""


class Handle(Protocol):
    """A timer that was set."""

    def cancel(self) -> None: ...


class Ticker:
    """The machine's own clocks, in whole milliseconds. Time in which the process was halted
    (SIGSTOP, Ctrl-Z, a machine that was frozen) is no time: nobody could play in it. It is
    noticed if `now` is called every PULSE_SECONDS."""

    halted = 0
    """Milliseconds in which the process was halted."""

    def __init__(self) -> None:
        self._last = monotonic_ns() // 1_000_000

    def now(self) -> int:
        """A time that steps of the clock on the wall do not touch."""
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
    """A timer of the loop, whose time goes on in a halt, held to a ticker's."""

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
    """One timer: setting it anew puts off what was set before."""

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
            self._handle = self._ticker.call_after(max(0, ms), self._rings)

    def _rings(self) -> None:
        self._handle = None
        self._ring()


class Stopwatch:
    """When the entries of one table came, as far as anybody may still ask, and how long ago
    the last one was.

    While the store fails time is not counted, up to a bound: nobody loses by that.
    """

    __slots__ = ("_first", "_held", "_number", "_ticker", "_times", "since")

    def __init__(self, ticker: Ticker, number: int, since: int | None) -> None:
        """`number` is that of the last entry, which came at `since` (None: not known any
        more; it counts as having come now)."""
        self._ticker = ticker
        self._number = number
        self.since = self._first = ticker.now() if since is None else since
        """When the last entry came, by `Ticker.now`."""
        self._times: dict[int, int] = {}
        """By number: when later ones came."""
        self._held: int | None = None

    def entry(self, open: Iterable[int] = ()) -> None:
        """Another entry came now; of those before it only `open` numbers are asked for
        any more."""
        self._number += 1
        self.since = self._times[self._number] = self._ticker.now()
        self._held = None
        if len(self._times) > _TIMES:
            kept = {*open, self._number}
            self._times = {number: at for number, at in self._times.items() if number in kept}

    def hold(self) -> None:
        """The store failed: from now on time is not counted for a while."""
        if self._held is None:
            self._held = self._ticker.now()

    def elapsed(self) -> int:
        """Milliseconds that count since the last entry."""
        return self._counted(self.since)

    def age(self, number: int) -> int:
        """Milliseconds that count since entry `number` (or since all that is known)."""
        return self._counted(self._times.get(number, self._first))

    def _counted(self, since: int) -> int:
        now = self._ticker.now()
        given_back = 0 if self._held is None else min(now - self._held, _HELD_MS)
        return max(0, now - since - given_back)

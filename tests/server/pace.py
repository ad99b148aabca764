"""Time that passes only when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.tables.timers import Handle, Ticker


class _Set:
    def __init__(self, at: int, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.over = False

    def cancel(self) -> None:
        self.over = True


class Pace(Ticker):
    """A clock and timers that a test moves on; the time of day is another one."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self.day = 1_700_000_000_000
        self.timers: list[_Set] = []

    def now(self) -> int:
        return self.time

    def wall(self) -> int:
        return self.day

    def call_after(self, ms: int, call: Callable[[], None]) -> Handle:
        made = _Set(self.time + ms, call)
        self.timers.append(made)
        return made

    def waiting(self) -> list[_Set]:
        """The timers that will still ring."""
        self.timers = [timer for timer in self.timers if not timer.over]
        return self.timers

    async def pass_by(self, ms: int) -> None:
        """Let time pass, ringing what is due on the way, each with turns of the loop for
        what it brings about; more than a day passes at once, as for a machine that slept."""
        end = self.time + ms
        if ms > 86_400_000:
            self.time = end
        while True:
            due = [timer for timer in self.waiting() if timer.at <= end]
            if not due:
                break
            timer = min(due, key=lambda timer: timer.at)
            self.time = max(self.time, timer.at)
            timer.over = True
            timer.call()
            for _ in range(20):
                await asyncio.sleep(0)
        self.time = end
        await asyncio.sleep(0)

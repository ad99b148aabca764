"""Housekeeping while a server runs: it keeps its database's age, and drops what is too old.

Knows when that is done, not how: each sweep lives with what it drops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from server.age import Age
from server.store.port import StoreError

SWEEP_SECONDS = 3600.0
"""Between two looks for what is too old."""
AGE_SECONDS = 300.0
"""Between two times that the database's age is kept: what a killed server loses of it."""


class Upkeep:
    """The housekeeping of one server; nothing waits for it."""

    def __init__(
        self,
        age: Age,
        sweeps: Sequence[Callable[[], Awaitable[object]]],
        fault: Callable[[str, BaseException], None],
    ) -> None:
        """`sweeps` drop what is too old, and may raise StoreError: then they do it the next
        time. `fault` is told of anything else that they raise."""
        self._age = age
        self._sweeps = sweeps
        self._fault = fault
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, ready: Callable[[], Awaitable[object]]) -> None:
        """Begin; the first sweep waits for `ready`."""
        work = (self._sweep(ready), self._grow())
        self._tasks = [asyncio.create_task(one) for one in work]

    async def _sweep(self, ready: Callable[[], Awaitable[object]]) -> None:
        await ready()
        while True:
            for sweep in self._sweeps:
                try:
                    await sweep()
                except StoreError:
                    pass  # the next time, then
                except Exception as error:
                    self._fault("sweep_fault", error)
            await asyncio.sleep(SWEEP_SECONDS)

    async def _grow(self) -> None:
        while True:
            await asyncio.sleep(AGE_SECONDS)
            with suppress(StoreError):
                await self._age.keep()

    async def end(self) -> None:
        """End them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

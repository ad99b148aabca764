"""Housekeeping while a server runs: storing the age of its database, and deleting what is too
old.

Knows when that is done, not how: each sweep lives with what it deletes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from server.age import Age
from server.store.port import StoreError

SWEEP_SECONDS = 3600.0
"""Time between two sweeps."""
AGE_SECONDS = 300.0
"""Time between two stores of the database's age: a killed server loses at most that much."""


class Upkeep:
    """The housekeeping of one server; nothing waits for it."""

    def __init__(
        self,
        age: Age,
        sweeps: Sequence[Callable[[], Awaitable[object]]],
        fault: Callable[[str, BaseException], None],
    ) -> None:
        """`sweeps` delete what is too old; one that raises StoreError is tried again the next
        time. `fault` is called with anything else that they raise."""
        self._age = age
        self._sweeps = sweeps
        self._fault = fault
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, ready: Callable[[], Awaitable[object]]) -> None:
        """Begin; the first sweep waits for `ready`."""
        work = (self._sweep(ready), self._keep_age())
        self._tasks = [asyncio.create_task(one) for one in work]

    async def _sweep(self, ready: Callable[[], Awaitable[object]]) -> None:
        await ready()
        while True:
            for sweep in self._sweeps:
                try:
                    await sweep()
                except StoreError:
                    pass  # until the next time
                except Exception as error:
                    self._fault("sweep_fault", error)
            await asyncio.sleep(SWEEP_SECONDS)

    async def _keep_age(self) -> None:
        while True:
            await asyncio.sleep(AGE_SECONDS)
            with suppress(StoreError):
                await self._age.keep()

    async def end(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

"""How long a test waits for what must come, and how it waits for what nothing tells."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds after which a test says that nothing comes: many times what a busy machine needs.
No test takes that long that passes."""


async def until(find: Callable[[], T], seconds: float = PATIENCE) -> T:
    """What `find` finds, as soon as it is true: for what no message and no event tells.
    Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not (found := find()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return found


async def until_it_is(value: T, ask: Callable[[], Awaitable[T]]) -> None:
    """Wait until what `ask` answers is `value`. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while await ask() != value:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

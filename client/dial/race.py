"""Of several ways to the same thing, the first that leads there ("happy eyeballs").

Each way gets a head start. If it does not answer in time, the next is tried beside it. Knows
nothing of what the ways are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias, TypeVar

ResumeTarget = TypeVar("ResumeTarget")
Goal = TypeVar("Goal")

HEAD_START = 0.25
"""Seconds until the next way is tried beside one that nobody answers."""
SILENCE = 2.0
"""Seconds beyond that for a way that somebody has answered, but not said enough yet."""

Attempt: TypeAlias = Callable[[ResumeTarget, Callable[[], None]], Awaitable[Goal]]
"""Goes one way; calls back when somebody has answered there. Raises Exception."""


async def race(
    ways: Sequence[ResumeTarget],
    attempt: Attempt[ResumeTarget, Goal],
    failures: list[tuple[ResumeTarget, Exception]],
    drop: Callable[[Goal], None],
) -> Goal | None:
    """What the first way that leads anywhere led to; None if all have failed.

    `failures` is filled with what went wrong, in the order in which it did, also where this is
    cancelled; `drop` gets what a second way led to in the same moment.
    """
    running: dict[asyncio.Task[Goal], ResumeTarget] = {}
    coming = list(ways)
    try:
        while coming or running:
            answered = asyncio.Event()
            if coming:
                way = coming.pop(0)
                running[asyncio.ensure_future(_go(attempt, way, answered))] = way
            await _wait(running, answered, more=bool(coming))
            reached = [task for task in running if task.done() and not _failed(task)]
            for task in [task for task in running if task.done() and _failed(task)]:
                error = task.exception()
                assert isinstance(error, Exception)
                failures.append((running.pop(task), error))
            if reached:
                del running[reached[0]]
                return reached[0].result()
        return None
    finally:
        for task in running:
            task.cancel()
        for left in await asyncio.gather(*running, return_exceptions=True):
            if not isinstance(left, BaseException):
                drop(left)


async def _go(
    attempt: Attempt[ResumeTarget, Goal], way: ResumeTarget, answered: asyncio.Event
) -> Goal:
    return await attempt(way, answered.set)


async def _wait(
    running: dict[asyncio.Task[Goal], ResumeTarget], answered: asyncio.Event, *, more: bool
) -> None:
    """Until a way has come to an end, or it is time for another."""
    first = asyncio.FIRST_COMPLETED
    done, _ = await asyncio.wait(running, timeout=HEAD_START if more else None, return_when=first)
    if not done and answered.is_set():
        await asyncio.wait(running, timeout=SILENCE, return_when=first)


def _failed(task: asyncio.Task[Goal]) -> bool:
    return task.cancelled() or task.exception() is not None

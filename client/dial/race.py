"""Tries several candidates for the same goal and takes the first that succeeds ("happy eyeballs").

Each candidate gets a head start; if it does not answer in time, the next one is tried beside it.
Does not know what the candidates are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeAlias, TypeVar

Candidate = TypeVar("Candidate")
Goal = TypeVar("Goal")

HEAD_START = 0.25
"""Seconds until the next candidate is tried beside one that does not answer."""
SILENCE = 2.0
"""Seconds beyond that for a candidate that has answered but is not finished."""

Attempt: TypeAlias = Callable[[Candidate, Callable[[], None]], Coroutine[Any, Any, Goal]]
"""Tries one candidate; calls back once it answers. Raises Exception."""


async def race(
    candidates: Sequence[Candidate],
    attempt: Attempt[Candidate, Goal],
    failures: list[tuple[Candidate, Exception]],
    drop: Callable[[Goal], None],
) -> Goal | None:
    """The result of the first candidate that succeeds; None if all fail.

    `failures` is filled with the errors in the order in which they happen, also if this is
    cancelled; `drop` gets the result of a second candidate that succeeds at the same moment.
    """
    running: dict[asyncio.Task[Goal], Candidate] = {}
    coming = list(candidates)
    try:
        while coming or running:
            answered = asyncio.Event()
            if coming:
                candidate = coming.pop(0)
                trying = asyncio.ensure_future(attempt(candidate, answered.set))
                running[trying] = candidate
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


async def _wait(
    running: dict[asyncio.Task[Goal], Candidate], answered: asyncio.Event, *, more: bool
) -> None:
    """Wait until a candidate is finished, or until it is time for another."""
    first = asyncio.FIRST_COMPLETED
    done, _ = await asyncio.wait(running, timeout=HEAD_START if more else None, return_when=first)
    if not done and answered.is_set():
        await asyncio.wait(running, timeout=SILENCE, return_when=first)


def _failed(task: asyncio.Task[Goal]) -> bool:
    return task.cancelled() or task.exception() is not None

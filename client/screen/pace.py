"""When what others did is shown: one thing after another, at a pace one can follow.

Knows no clock (times are given, in seconds) and not what the things are.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST = 5.0
"""Seconds that the screen may be behind: with more waiting, each is shown for less."""


class Pace(Generic[T]):
    """A queue of things to show, each for some time."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[T, float]] = deque()
        self._until = 0.0
        self.held = False
        """Nothing new is shown while held: somebody is reading."""

    @property
    def behind(self) -> int:
        """How many things wait to be shown."""
        return len(self._waiting)

    def push(self, thing: T, seconds: float) -> None:
        """Something to show, for so many seconds once it is shown."""
        self._waiting.append((thing, seconds))

    def due(self, now: float) -> float | None:
        """Seconds until something is to be shown; None if nothing waits for the time."""
        if not self._waiting or self.held:
            return None
        return max(0.0, self._until - now)

    def take(self, now: float) -> T | None:
        """The next thing, if its time has come."""
        if self.due(now) != 0.0:
            return None
        total = sum(seconds for _, seconds in self._waiting)
        thing, seconds = self._waiting.popleft()
        self._until = now + seconds * min(1.0, LONGEST / total if total else 1.0)
        return thing

    def take_all(self) -> list[T]:
        """All that waits, at once: show the present."""
        things = [thing for thing, _ in self._waiting]
        self._waiting.clear()
        self._until, self.held = 0.0, False
        return things

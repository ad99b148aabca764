"""When the moves of others are shown: one after another, at a pace that a person can follow.

The time is always given, in seconds. Does not know what the things shown are.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST = 5.0
"""How many seconds the screen may be behind: if more is waiting, each thing is shown for less."""


class Pace(Generic[T]):
    """A queue of things to show, each with how long it is shown."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[T, float]] = deque()
        self._until = 0.0
        self.held = False
        """Nothing new is shown while this is set: the person is reading."""

    @property
    def behind(self) -> int:
        """How many things are waiting to be shown."""
        return len(self._waiting)

    def push(self, thing: T, seconds: float) -> None:
        """Add something that is shown for so many seconds once its turn comes."""
        self._waiting.append((thing, seconds))

    def due(self, now: float) -> float | None:
        """Seconds until the next thing is shown; None if there is none, or while held."""
        if not self._waiting or self.held:
            return None
        return max(0.0, self._until - now)

    def take(self, now: float) -> T | None:
        """Take the next thing if its time has come."""
        if self.due(now) != 0.0:
            return None
        total = sum(seconds for _, seconds in self._waiting)
        thing, seconds = self._waiting.popleft()
        self._until = now + seconds * min(1.0, LONGEST / total if total else 1.0)
        return thing

    def take_all(self) -> list[T]:
        """Take everything that waits, to show the present at once."""
        things = [thing for thing, _ in self._waiting]
        self._waiting.clear()
        self._until, self.held = 0.0, False
        return things

"""A word to the person at the screen, that goes by itself. Knows no clock: times are given."""

from __future__ import annotations

from collections.abc import Callable


class Notice:
    """A text, shown while something is true and at the most for so many seconds."""

    def __init__(
        self, text: str = "", true: Callable[[], bool] = lambda: True, seconds: float = 0.0
    ) -> None:
        self.text = text
        self.true = true
        self._seconds = seconds
        self._until: float | None = None
        """When it goes; None: nobody has looked yet."""

    def lasts(self, now: float) -> bool:
        """Whether its time is not over; its time begins when this is first asked."""
        if self._until is None:
            self._until = now + self._seconds
        return now < self._until

    def due(self, now: float) -> float | None:
        """Seconds until it goes; None if there is none."""
        if not self.text:
            return None
        return self._seconds if self._until is None else max(0.0, self._until - now)

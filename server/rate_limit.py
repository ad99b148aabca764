"""Buckets: how much may come at once, and how fast it may go on. Knows nothing of what comes."""

from __future__ import annotations

from math import ceil
from time import monotonic


class TokenBucket:
    """How much may come at once, and how fast it may go on."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        """`burst` at once, then `rate` a second."""
        self._rate = rate
        self._burst = float(burst)
        self._left = self._burst
        self._at = monotonic()

    @property
    def empty(self) -> bool:
        """Whether none is left now."""
        if self._left < 1.0:
            now = monotonic()
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now
        return self._left < 1.0

    @property
    def seconds(self) -> int:
        """Whole seconds until there is one, at least one."""
        return max(1, ceil((1.0 - self._left) / self._rate - (monotonic() - self._at)))

    def take(self) -> bool:
        """Take one; False if there is none."""
        if self._left < 1.0 and self.empty:
            return False
        self._left -= 1.0
        return True

    def give_back(self) -> None:
        """One that was taken was not used."""
        self._left = min(self._burst, self._left + 1.0)


def per_minute(count: int) -> TokenBucket:
    """So many a minute, all of them at once if they come so."""
    return TokenBucket(count / 60, count)

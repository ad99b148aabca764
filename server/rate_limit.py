"""Token buckets: how many may come at once, and how fast more may follow. Does not know what
they count."""

from __future__ import annotations

from math import ceil
from time import monotonic


class TokenBucket:
    """A budget that allows a burst, and refills at a steady rate."""

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
        """Whole seconds until one is left; at least one."""
        return max(1, ceil((1.0 - self._left) / self._rate - (monotonic() - self._at)))

    def take(self) -> bool:
        """Take one; False if there is none."""
        if self._left < 1.0 and self.empty:
            return False
        self._left -= 1.0
        return True

    def give_back(self) -> None:
        """Put back one that was taken and not used."""
        self._left = min(self._burst, self._left + 1.0)


def per_minute(count: int) -> TokenBucket:
    """A budget of `count` a minute, which may all come at once."""
    return TokenBucket(count / 60, count)

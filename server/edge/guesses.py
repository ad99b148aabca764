"""Wrong codes from one address: how many are answered, and how slowly those beyond.

A right code costs nothing. Once the budget is spent, a code that could have been guessed is
not looked at any more, and whoever says another wrong one is not heard for a while: all
connections of the address share one pace. Knows no code and no table.
"""

from __future__ import annotations

from time import monotonic

from server.edge.buckets import Bucket

_PACE_SECONDS = 0.1
"""Between two wrong codes of one address, beyond its budget."""
_LONGEST_SECONDS = 10.0
"""The longest that one connection is not heard."""


class Guesses:
    """The wrong codes of one address."""

    __slots__ = ("_budget", "_next")

    def __init__(self, rate: float, burst: int) -> None:
        """So many wrong codes at once, then `rate` a second."""
        self._budget = Bucket(rate, burst)
        self._next = 0.0
        """When the next one beyond the budget is due, by the monotonic clock."""

    def take(self) -> bool:
        """Before a code is looked at: whether it may be a wrong one. What was not wrong is
        given back; so many that are looked at together are no way around the budget."""
        return self._budget.take()

    def give_back(self) -> None:
        """The code was not wrong."""
        self._budget.give_back()

    @property
    def seconds(self) -> int:
        """Whole seconds until a wrong one is granted again, at least one."""
        return self._budget.seconds

    def wait(self) -> float:
        """One more wrong code, beyond the budget: the seconds for which its sender is not to
        be heard."""
        now = monotonic()
        self._next = max(self._next, now) + _PACE_SECONDS
        if self._next - now > _LONGEST_SECONDS:
            self._next = now + _LONGEST_SECONDS
        return self._next - now

"""Wrong codes from one address: how many are answered, and how slowly those beyond.

A right code costs nothing. Once the budget is spent, a code that could have been guessed is
not looked at any more, and connections that go on with wrong ones are not heard for a while:
all those of one address share one pace. Knows no code and no table.
"""

from __future__ import annotations

from time import monotonic

from server.edge.buckets import Bucket

_PACE_SECONDS = 0.012
"""Between two wrong codes of one address, beyond its budget: what comes so fast costs a
server less than a hundredth of a core."""
_LONGEST_SECONDS = 60.0
"""The longest that one connection is not heard."""
_AT_ONCE = 16
"""Wrong codes of one connection that are answered before it is not heard: together they cost
less, and whoever mistypes one does not wait."""


_LOOKS, _LOOKS_AT_ONCE = 3.0, 30
"""Codes a second, beyond the budget, for which the directory is asked whether somebody may
have been told them."""


class Guesses:
    """The wrong codes of one address."""

    __slots__ = ("_budget", "_looks", "_next")

    def __init__(self, rate: float, burst: int) -> None:
        """So many wrong codes at once, then `rate` a second."""
        self._budget = Bucket(rate, burst)
        self._looks = Bucket(_LOOKS, _LOOKS_AT_ONCE)
        self._next = 0.0
        """When the next one beyond the budget is due, by the monotonic clock."""

    def take(self) -> bool:
        """Before a code is looked at: whether it may be a wrong one. What was not wrong is
        given back; so many that are looked at together are no way around the budget."""
        return self._budget.take()

    def give_back(self) -> None:
        """The code was not wrong."""
        self._budget.give_back()

    def look(self) -> bool:
        """Whether the directory may be asked about one more code, beyond the budget."""
        return self._looks.take()

    @property
    def seconds(self) -> int:
        """Whole seconds until a wrong one is granted again, at least one."""
        return self._budget.seconds

    def wait(self, said: int) -> float:
        """One more wrong code, beyond the budget, the `said`th of its connection: the seconds
        for which that is not to be heard."""
        now = monotonic()
        self._next = min(max(self._next, now) + _PACE_SECONDS, now + _LONGEST_SECONDS)
        return 0.0 if said % _AT_ONCE else self._next - now

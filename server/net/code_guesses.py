"""Wrong codes from one address: how many are answered at once, and how slowly the rest.

A right code costs nothing. Once the budget is spent, a code that could have been guessed is
not looked at any more, and connections that go on with wrong ones are not heard for a while:
all those of one address share one pace. Knows no code and no table.
"""

from __future__ import annotations

from time import monotonic

from server.rate_limit import TokenBucket

_PACE_SECONDS = 0.012
"""Between two wrong codes of one address, beyond its budget: at this pace they cost a server
less than a hundredth of a core."""
_LONGEST_SECONDS = 60.0
"""The longest that one connection is not heard."""
_AT_ONCE = 16
"""Wrong codes of one connection that are answered before it is not heard: together they cost
less, and a person who mistypes one does not wait."""
_LOOKS, _LOOKS_AT_ONCE = 3.0, 30
"""Codes a second, beyond the budget, for which the directory is asked whether somebody may
have been told them."""


class CodeGuesses:
    """The wrong codes of one address."""

    __slots__ = ("_budget", "_looks", "_next")

    def __init__(self, rate: float, burst: int) -> None:
        """`burst` wrong codes at once, then `rate` a second."""
        self._budget = TokenBucket(rate, burst)
        self._looks = TokenBucket(_LOOKS, _LOOKS_AT_ONCE)
        self._next = 0.0
        """When the next one beyond the budget is due, by the monotonic clock."""

    def take(self) -> bool:
        """Whether a code may be looked at that may be wrong. It costs one of the budget until it
        is known to be right (`give_back`), so that many at the same time cannot exceed it."""
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
        """Seconds for which a connection is not to be heard after one more wrong code beyond the
        budget, its `said`th."""
        now = monotonic()
        self._next = min(max(self._next, now) + _PACE_SECONDS, now + _LONGEST_SECONDS)
        return 0.0 if said % _AT_ONCE else self._next - now

"""Wrong codes from one address: how many are answered at once, and how slowly the rest are.

A right code costs nothing. Once the budget is spent, codes that could have been guessed are
not looked at any more, and connections that send more of them are not read for a while. All
connections of one address share one pace. Does not know about codes or tables.
"""

from __future__ import annotations

from time import monotonic

from server.rate_limit import TokenBucket

_PACE_SECONDS = 0.012
"""Time between two wrong codes of one address beyond its budget: at this pace they cost a
server less than a hundredth of a core."""
_LONGEST_SECONDS = 60.0
"""The longest time that one connection is not read."""
_AT_ONCE = 16
"""How many wrong codes of one connection are answered before it is not read for a while:
answering several together costs less, and a person who mistypes one does not wait."""
_LOOKS, _LOOKS_AT_ONCE = 3.0, 30
"""For how many codes beyond the budget, a second and at once, the directory is asked whether
the client may have been told them."""


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
        """Whether a code that may be wrong may be looked at. It costs one of the budget until it
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
        """Whole seconds until a wrong code is looked at again; at least one."""
        return self._budget.seconds

    def wait(self, count: int) -> float:
        """Seconds for which a connection is not to be read after one more wrong code beyond the
        budget, its `count`th."""
        now = monotonic()
        self._next = min(max(self._next, now) + _PACE_SECONDS, now + _LONGEST_SECONDS)
        return 0.0 if count % _AT_ONCE else self._next - now

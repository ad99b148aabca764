"""A linear congruential generator for a bot's simulations: 64-bit words, each computed
from the one before.

It is fast and gives the same numbers everywhere. Anyone can predict it, so no secret may
depend on it.
"""

from __future__ import annotations

_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407
_WORD = (1 << 64) - 1


def next_word(word: int) -> int:
    """The word after `word`."""
    return (word * _MULTIPLIER + _INCREMENT) & _WORD


def below(word: int, of: int) -> int:
    """A number from 0 to `of` - 1, taken from the upper half of `word`, which is more random."""
    return (word >> 32) * of >> 32

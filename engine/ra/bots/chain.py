"""Random words of 64 bits, each from the one before, for what is supposed in thought.

Fast and the same everywhere; no secret may hang on them.
"""

from __future__ import annotations

_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407
_WORD = (1 << 64) - 1


def following(word: int) -> int:
    """The word after `word`."""
    return (word * _MULTIPLIER + _INCREMENT) & _WORD


def part(word: int, of: int) -> int:
    """A number from 0 to `of` - 1, by the better half of `word`."""
    return (word >> 32) * of >> 32

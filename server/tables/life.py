"""What becomes of a table in memory. Knows no table."""

from __future__ import annotations

from enum import Enum, auto


class Life(Enum):
    """What a table in memory is good for."""

    AWAKE = auto()
    DRAINING = auto()
    """It finishes the wish that it carries out, and takes no other."""
    LOST = auto()
    """It does not know what its log holds, and left memory to be read anew."""
    ASLEEP = auto()
    """It left memory, for nobody needed it."""

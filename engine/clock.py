"""The clocks of a table: how much time its seats have, and what becomes of it.

Pure arithmetic in whole milliseconds: the caller measures time. Knows no game and no
people.
"""

from __future__ import annotations

from enum import IntEnum

from attrs import frozen


class ClockKind(IntEnum):
    """How the time of a seat is reckoned."""

    NONE = 0
    BANK = 1
    """A bank for the whole match, and an increment for each action of one's own."""
    PER_MOVE = 2
    """A span for each answer."""


@frozen
class Clock:
    """The clock of a table; times in milliseconds."""

    kind: ClockKind = ClockKind.NONE
    span: int = 0
    """The bank, or the time for each answer."""
    increment: int = 0
    """What each own action adds to the bank."""


class Absence(IntEnum):
    """What becomes of a seat whose time has run out, or that the others vote absent."""

    DEFAULT = 1
    """The game's default action is played each time."""
    BOT = 2
    """A bot sits in until the owner returns."""
    SUBSTITUTE = 3
    """Somebody else takes the seat by invitation; until then as DEFAULT."""

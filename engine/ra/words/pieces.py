"""The pieces of Ra and how many there are (rules, Components)."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """A kind of tile, in the order in which kinds are shown everywhere."""

    RA = 0
    GOD = 1
    GOLD = 2
    PHARAOH = 3
    NILE = 4
    FLOOD = 5
    ASTRONOMY = 6
    AGRICULTURE = 7
    WRITING = 8
    RELIGION = 9
    ART = 10
    FORTRESS = 11
    OBELISK = 12
    PALACE = 13
    PYRAMID = 14
    TEMPLE = 15
    STATUE = 16
    STEP_PYRAMID = 17
    SPHINX = 18
    FUNERAL = 19
    DROUGHT = 20
    UNREST = 21
    EARTHQUAKE = 22


COPIES: tuple[int, ...] = (30, 8, 5, 25, 25, 12, *(5,) * 5, *(5,) * 8, 2, 2, 4, 2)
"""Tiles of each kind in the bag, by `Kind`; 180 in all."""

HELD = range(Kind.GOD, Kind.FUNERAL)
"""The kinds a player can hold."""
CIVILIZATIONS = range(Kind.ASTRONOMY, Kind.FORTRESS)
MONUMENTS = range(Kind.FORTRESS, Kind.FUNERAL)
DISASTERS = range(Kind.FUNERAL, Kind.EARTHQUAKE + 1)

TRACK_SPACES = 8
"""Spaces of the auction track."""
START_POINTS = 10
BOARD_SUN = 1
"""The sun that lies on the board at the start."""
EPOCHS = 3

SUN_SETS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((9, 6, 5, 2), (8, 7, 4, 3)),
    3: ((13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)),
    4: ((13, 6, 2), (12, 7, 3), (11, 8, 4), (10, 9, 5)),
    5: ((16, 7, 2), (15, 8, 3), (14, 9, 4), (13, 10, 5), (12, 11, 6)),
}
"""The fixed sets of suns, by number of players."""

RA_SPACES: dict[int, int] = {2: 6, 3: 8, 4: 9, 5: 10}
"""Length of the Ra track, by number of players."""

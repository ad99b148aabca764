"""Where the places of Raja stand in a picture of any size: our own coordinates in cells.

Laid out by hand for the smallest picture, and stretched for larger ones. What is joined to what is
in `engine.raja.words.map`.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from attrs import frozen

from engine.raja.words.map import Place

LEAST = (58, 9)
"""Columns and rows of the smallest picture."""


class Anchor(Enum):
    """Which part of a place's texts stands at its point."""

    LEFT = 0
    MIDDLE = 1
    RIGHT = 2


@frozen
class Spot:
    """A place in a picture."""

    column: int
    row: int
    """A city takes three rows; this is the one in the middle."""
    anchor: Anchor


_CITIES: dict[Place, tuple[int, int, Anchor]] = {
    Place.BIKANER: (0, 1, Anchor.LEFT),
    Place.DELHI: (57, 1, Anchor.RIGHT),
    Place.JAIPUR: (29, 2, Anchor.MIDDLE),
    Place.AJMER: (8, 4, Anchor.LEFT),
    Place.KOTA: (48, 4, Anchor.RIGHT),
    Place.CAMP: (29, 6, Anchor.MIDDLE),
    Place.UDAIPUR: (0, 7, Anchor.LEFT),
    Place.CHITTOR: (57, 7, Anchor.RIGHT),
}
_VILLAGES: tuple[tuple[int, int], ...] = (
    (18, 0), (38, 0),  # Bikaner - Delhi
    (14, 1), (20, 2),  # Bikaner - Jaipur
    (38, 2), (44, 1),  # Jaipur - Delhi
    (6, 3),  # Bikaner - Ajmer
    (21, 3), (24, 4),  # Ajmer - Jaipur
    (34, 4), (36, 3),  # Jaipur - Kota
    (51, 3),  # Delhi - Kota
    (29, 4),  # Jaipur - camp
    (2, 3), (2, 5),  # Bikaner - Udaipur
    (55, 3), (55, 5),  # Delhi - Chittor
    (22, 5), (22, 6),  # Ajmer - camp
    (35, 6), (36, 5),  # camp - Kota
    (15, 6), (13, 7),  # Ajmer - Udaipur
    (23, 7), (15, 8),  # camp - Udaipur
    (35, 7), (43, 8),  # camp - Chittor
    (42, 6), (44, 7),  # Kota - Chittor
    (29, 8),  # Udaipur - Chittor
)  # fmt: skip
"""The middle of each village, from village 1 on."""


@lru_cache(64)
def spots(columns: int, rows: int) -> dict[Place, Spot]:
    """The spot of every place in a picture of `columns` by `rows` (at least `LEAST`)."""

    def spot(column: int, row: int, anchor: Anchor) -> Spot:
        return Spot(
            (column * (columns - 1) + 28) // (LEAST[0] - 1),
            (row * (rows - 1) + 4) // (LEAST[1] - 1),
            anchor,
        )

    found = {place: spot(*at) for place, at in _CITIES.items()}
    for number, (column, row) in enumerate(_VILLAGES):
        found[Place(Place.V01 + number)] = spot(column, row, Anchor.MIDDLE)
    return found

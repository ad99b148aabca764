"""Where places stand: all within the picture, none upon another, at every size."""

from __future__ import annotations

from itertools import combinations

import pytest

from client.raja.layout import LEAST, Anchor, Spot, spots
from engine.raja.words.map import CITIES, VILLAGES, Place


def cells(place: Place, spot: Spot, columns: int) -> set[tuple[int, int]]:
    """The cells that a place's texts usually take."""
    rows = range(spot.row - 1, spot.row + 2) if place in CITIES else [spot.row]
    size = 12 if place in CITIES else 6
    if place in VILLAGES:
        size = len(f"{place - Place.V01 + 1}:oo") if columns >= 78 else 2
    start = spot.column
    if spot.anchor is Anchor.RIGHT:
        start -= size - 1
    elif spot.anchor is Anchor.MIDDLE:
        start -= size // 2
    return {(column, row) for row in rows for column in range(start, start + size)}


@pytest.mark.parametrize("columns", [LEAST[0], 64, 70, 77, 78, 90, 100, 118])
@pytest.mark.parametrize("rows", [LEAST[1], 10, 11, 13, 16, 24])
def test_no_two_places_share_a_cell(columns: int, rows: int) -> None:
    taken = {place: cells(place, spot, columns) for place, spot in spots(columns, rows).items()}
    assert set(taken) == set(Place)
    for (one, here), (other, there) in combinations(taken.items(), 2):
        assert not here & there, (one, other)
    for column, row in set().union(*taken.values()):
        assert 0 <= column < columns and 0 <= row < rows

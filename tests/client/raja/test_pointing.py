"""Moving over the map by arrows: every target is reached, and each arrow goes its way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.raja.layout import LEAST, spots
from client.raja.pointing import point_at
from client.screen.game_api import Direction, Pointing, Target
from engine.raja.words.map import CITIES, VILLAGES, Place


def pointing(places: list[Place]) -> Pointing:
    return point_at("Go", [Target(place, place.name, place) for place in places])


@pytest.mark.parametrize("city", [None, *CITIES])
def test_every_place_is_reached_by_arrows(city: Place | None) -> None:
    places = [*VILLAGES, *([city] if city is not None else [])]
    made = pointing(places)
    seen, todo = {0}, [0]
    while todo:
        at = todo.pop()
        for direction in Direction:
            there = made.move(at, direction)
            if there not in seen:
                seen.add(there)
                todo.append(there)
    assert seen == set(range(len(places)))


@given(
    st.lists(st.sampled_from((*VILLAGES, *CITIES)), min_size=1, unique=True),
    st.sampled_from(Direction),
)
def test_an_arrow_leads_to_a_target_or_nowhere(places: list[Place], direction: Direction) -> None:
    """Where few are left some may not be reached by arrows: TAB leads to each."""
    made = pointing(places)
    for index in range(len(places)):
        assert 0 <= made.move(index, direction) < len(places)


@pytest.mark.parametrize("direction", list(Direction))
def test_an_arrow_never_leads_the_other_way(direction: Direction) -> None:
    places = list(VILLAGES)
    made, where = pointing(places), spots(*LEAST)
    for index, place in enumerate(places):
        there = where[places[made.move(index, direction)]]
        here = where[place]
        along = {
            Direction.UP: here.row - there.row,
            Direction.DOWN: there.row - here.row,
            Direction.LEFT: here.column - there.column,
            Direction.RIGHT: there.column - here.column,
        }[direction]
        assert along >= 0

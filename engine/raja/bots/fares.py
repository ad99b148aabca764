"""What roads cost: the cheapest ways of an architect over the map.

Knows the map and the houses in villages; no bot's opinion.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from attrs import frozen

from engine.raja.words.map import ROADS_FROM, Place

Villages = tuple[tuple[int, ...], ...]
"""By village, from V01 on: the owners' seats, ascending, one for each house."""

FAR = 99
"""More than any way costs."""
MISSING = 3
"""What a village without a house counts in `Ways.effort`: a house and the time to build it."""

_CITIES = Place.V01
_ROADS: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...] = tuple(
    tuple(
        (int(place), tuple(village - Place.V01 for village in villages))
        for place, villages in ROADS_FROM[Place(here)].items()
    )
    for here in range(_CITIES)
)
"""By `Place` up to UDAIPUR: the other end of each road, with its villages counted from V01."""

ROAD_BETWEEN: dict[tuple[int, int], tuple[int, ...]] = {
    (here, end): road for here, roads in enumerate(_ROADS) for end, road in roads
}
"""The villages of each road, counted from V01, by where it begins and ends."""


@frozen
class Ways:
    """The cheapest ways from one place."""

    fare: tuple[int, ...]
    """By `Place` up to UDAIPUR: gold to pay on the way; FAR if no way is open."""
    steps: tuple[tuple[int, ...], ...]
    """By `Place`: the places to go to, one after the other; empty if no way is open."""
    effort: tuple[int, ...]
    """By `Place`: gold to pay if every village on the way had a house, and MISSING for each
    that has none."""
    missing: tuple[tuple[int, ...], ...]
    """By `Place`: the villages without a house on the way of least effort, from V01 on."""


@lru_cache(16384)
def ways(villages: Villages, seat: int, here: int, free: bool) -> Ways:
    """The ways of `seat`'s architect from `here`; `free`: the monk's, whom roads cost nothing."""
    fare, before = _search(villages, seat, here, free, FAR)
    effort, guided = _search(villages, seat, here, free, MISSING)
    steps: list[tuple[int, ...]] = []
    missing: list[tuple[int, ...]] = []
    for place in range(_CITIES):
        steps.append(_back(before, place) if fare[place] < FAR else ())
        way = (here, *_back(guided, place))
        empty: list[int] = []
        for one, other in pairwise(way):
            empty += [village for village in ROAD_BETWEEN[one, other] if not villages[village]]
        missing.append(tuple(empty))
    return Ways(tuple(fare), tuple(steps), tuple(effort), tuple(missing))


def _search(
    villages: Villages, seat: int, here: int, free: bool, empty: int
) -> tuple[list[int], list[int]]:
    """The least cost of each place, and the place before it on the way."""
    price = [
        (0 if free or seat in owners else len(owners)) if owners else empty for owners in villages
    ]
    cost, before = [FAR] * _CITIES, [here] * _CITIES
    cost[here] = 0
    left = list(range(_CITIES))
    while left:
        near = min(left, key=cost.__getitem__)
        left.remove(near)
        so_far = cost[near]
        for end, road in _ROADS[near]:
            there = so_far
            for village in road:
                there += price[village]
            if there < cost[end]:
                cost[end], before[end] = there, near
    return cost, before


def _back(before: list[int], place: int) -> tuple[int, ...]:
    way: list[int] = []
    while before[place] != place:
        way.append(place)
        place = before[place]
    return tuple(reversed(way))

"""The map of Raja as data: places, and the roads that join them (rules, The map).

Where a place stands on a screen is the client's; this is what is joined to what.
"""

from __future__ import annotations

from enum import IntEnum

from attrs import frozen


class Place(IntEnum):
    """A place, in the alphabetical order of the words: seven cities, the camp, thirty villages."""

    AJMER = 0
    BIKANER = 1
    CAMP = 2
    CHITTOR = 3
    DELHI = 4
    JAIPUR = 5
    KOTA = 6
    UDAIPUR = 7
    V01 = 8
    V02 = 9
    V03 = 10
    V04 = 11
    V05 = 12
    V06 = 13
    V07 = 14
    V08 = 15
    V09 = 16
    V10 = 17
    V11 = 18
    V12 = 19
    V13 = 20
    V14 = 21
    V15 = 22
    V16 = 23
    V17 = 24
    V18 = 25
    V19 = 26
    V20 = 27
    V21 = 28
    V22 = 29
    V23 = 30
    V24 = 31
    V25 = 32
    V26 = 33
    V27 = 34
    V28 = 35
    V29 = 36
    V30 = 37


VILLAGES: tuple[Place, ...] = tuple(place for place in Place if place >= Place.V01)
"""The thirty villages, in order."""
CITIES: tuple[Place, ...] = tuple(
    place for place in Place if place < Place.V01 and place is not Place.CAMP
)
"""The seven cities, in alphabetical order."""


@frozen
class Road:
    """A road, from one end to the other."""

    ends: tuple[Place, Place]
    villages: tuple[Place, ...]
    """Along the road, in order from the first end."""


def _road(one: Place, other: Place, *numbers: int) -> Road:
    return Road((one, other), tuple(VILLAGES[number - 1] for number in numbers))


ROADS: tuple[Road, ...] = (
    _road(Place.BIKANER, Place.DELHI, 1, 2),
    _road(Place.BIKANER, Place.JAIPUR, 3, 4),
    _road(Place.JAIPUR, Place.DELHI, 5, 6),
    _road(Place.BIKANER, Place.AJMER, 7),
    _road(Place.AJMER, Place.JAIPUR, 8, 9),
    _road(Place.JAIPUR, Place.KOTA, 10, 11),
    _road(Place.DELHI, Place.KOTA, 12),
    _road(Place.JAIPUR, Place.CAMP, 13),
    _road(Place.BIKANER, Place.UDAIPUR, 14, 15),
    _road(Place.DELHI, Place.CHITTOR, 16, 17),
    _road(Place.AJMER, Place.CAMP, 18, 19),
    _road(Place.CAMP, Place.KOTA, 20, 21),
    _road(Place.AJMER, Place.UDAIPUR, 22, 23),
    _road(Place.CAMP, Place.UDAIPUR, 24, 25),
    _road(Place.CAMP, Place.CHITTOR, 26, 27),
    _road(Place.KOTA, Place.CHITTOR, 28, 29),
    _road(Place.UDAIPUR, Place.CHITTOR, 30),
)
"""The seventeen roads, as in the rules' table."""


def _from(place: Place) -> dict[Place, tuple[Place, ...]]:
    found: dict[Place, tuple[Place, ...]] = {}
    for road in ROADS:
        one, other = road.ends
        if place is one:
            found[other] = road.villages
        elif place is other:
            found[one] = road.villages[::-1]
    return dict(sorted(found.items()))


ROADS_FROM: dict[Place, dict[Place, tuple[Place, ...]]] = {
    place: _from(place) for place in Place if place < Place.V01
}
"""For each city and the camp: the places at the other ends of its roads, in order, each with the
villages on the way."""

"""The map is that of the rules (The map)."""

from __future__ import annotations

from collections import Counter

from engine.notation import word
from engine.raja.words.map import CITIES, ROADS, ROADS_FROM, VILLAGES, Place

# Written out once more, from the table of the rules.
TABLE = """
bikaner-delhi 1 2 | bikaner-jaipur 3 4 | jaipur-delhi 5 6 | bikaner-ajmer 7 | ajmer-jaipur 8 9
jaipur-kota 10 11 | delhi-kota 12 | jaipur-camp 13 | bikaner-udaipur 14 15 | delhi-chittor 16 17
ajmer-camp 18 19 | camp-kota 20 21 | ajmer-udaipur 22 23 | camp-udaipur 24 25
camp-chittor 26 27 | kota-chittor 28 29 | udaipur-chittor 30
"""


def test_the_roads_are_those_of_the_table() -> None:
    rows = [row.split() for line in TABLE.strip().splitlines() for row in line.split("|")]
    roads = {
        tuple(ends.split("-")): [f"v{int(number):02}" for number in numbers]
        for ends, *numbers in rows
    }
    assert len(roads) == 17
    assert roads == {tuple(map(word, road.ends)): list(map(word, road.villages)) for road in ROADS}


def test_the_places_are_in_the_order_of_their_words() -> None:
    words = [word(place) for place in Place]
    assert words == sorted(words)
    assert len(Place) == 38
    assert (len(CITIES), len(VILLAGES)) == (7, 30)
    assert set(Place) == {*CITIES, *VILLAGES, Place.CAMP}


def test_every_village_lies_on_one_road_and_no_two_roads_join_the_same_places() -> None:
    along = Counter(village for road in ROADS for village in road.villages)
    assert along == Counter(VILLAGES)
    assert len({frozenset(road.ends) for road in ROADS}) == len(ROADS)
    single = [word(road.villages[0]) for road in ROADS if len(road.villages) == 1]
    assert sorted(single) == ["v07", "v12", "v13", "v30"]


def test_five_roads_meet_in_jaipur_and_the_camp_and_four_elsewhere() -> None:
    counts = {place: len(roads) for place, roads in ROADS_FROM.items()}
    assert counts.pop(Place.JAIPUR) == counts.pop(Place.CAMP) == 5
    assert set(counts.values()) == {4}


def test_a_road_is_the_same_from_either_end() -> None:
    for place, roads in ROADS_FROM.items():
        assert list(roads) == sorted(roads)
        for other, villages in roads.items():
            assert ROADS_FROM[other][place] == villages[::-1]

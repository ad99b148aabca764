"""Why a command of Raja was refused, in words."""

from __future__ import annotations

import pytest

from client.raja.refusal_texts import refusal
from engine.raja.words.refusals import RajaRefusal

TOLD = [
    ("not_available", {"character": "monk"}, "the monk cannot be given or taken now"),
    ("not_available", {"character": "int"}, "int cannot be given or taken now"),
    ("no_such_place", {}, "that is no place where this could be done"),
    ("not_an_action", {}, "there is no such action"),
    ("wrong_count", {"given": "3", "count": "2"}, "2 actions are chosen, and you named 3"),
    (
        "no_chit",
        {"action": "houses"},
        "'build two houses' cannot be added by chit: you have to hold the yogi, and the action "
        "needs to have a chit",
    ),
    ("not_open", {"action": "palace"}, "'build a palace' is not open for this"),
    (
        "not_open",
        {"action": "builder"},
        "you do not hold the builder, or the free house of this turn is used",
    ),
    ("roads_spent", {"roads": "20"}, "you have taken 20 roads in this turn and can take no more"),
    ("no_road", {"place": "camp"}, "no road leads from your architect to the camp"),
    ("road_closed", {"village": "v07"}, "the road is closed: there is no house in village 7"),
    (
        "not_here",
        {"place": "delhi"},
        "you cannot build in Delhi now: a house goes into a village, or in a turn into the city "
        "where your architect is, and a palace into that city",
    ),
    (
        "needs_city",
        {"place": "v30"},
        "one of the two houses has to stand in a city, and village 30 is none",
    ),
    ("no_house_there", {"place": "v10"}, "you have no house in village 10"),
    ("same_place", {"place": "kota"}, "the house is in Kota already"),
    ("village_full", {"place": "v01"}, "village 1 has no space for another house"),
    ("site_taken", {"site": "central"}, "no central site is free in this city"),
    ("no_palace", {}, "all your palaces are built"),
    ("no_house", {}, "there is no house in your supply"),
    ("quarry_empty", {}, "your quarry is empty"),
    (
        "too_low",
        {"city": "ajmer"},
        "the coat of arms of Ajmer is one of the two lowest and cannot go down",
    ),
    ("too_poor", {"price": "12", "gold": "3"}, "this costs 12 gold, and you have 3"),
]


@pytest.mark.parametrize(("code", "facts", "said"), TOLD)
def test_a_refusal_is_a_sentence_with_its_facts(
    code: str, facts: dict[str, str], said: str
) -> None:
    assert refusal(code, facts) == said


def test_every_refusal_has_its_text() -> None:
    assert {code for code, _, _ in TOLD} == {code.value for code in RajaRefusal}


def test_other_codes_and_missing_facts_are_left_to_others() -> None:
    assert refusal("busy", {}) is None
    assert refusal("too_poor", {"price": "12"}) is None

"""Pieces and places of Raja in words."""

from __future__ import annotations

from client.raja import phrases
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.pieces import Action, Character


def test_every_character_and_action_has_words_of_its_own() -> None:
    assert len({phrases.character(one) for one in Character}) == len(Character)
    assert len({phrases.action(one) for one in Action}) == len(Action)
    assert phrases.characters([Character.MOGUL, Character.MONK]) == "the mogul and the monk"
    assert phrases.characters([]) == "nothing"


def test_villages_in_a_row_are_drawn_together() -> None:
    assert phrases.place_words(VILLAGES) == "v01-v30"
    some = (Place.V07, Place.V08, Place.V12, Place.V13, Place.V14, Place.DELHI, Place.V01)
    assert phrases.place_words(some) == "delhi v01 v07 v08 v12-v14"
    assert phrases.place_words(()) == ""

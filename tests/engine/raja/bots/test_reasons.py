"""Reasons are sentences."""

from __future__ import annotations

import pytest

from engine.entry import Command
from engine.raja.bots.reasons import reason
from engine.raja.game import RAJA
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site
from tests.engine.raja.scene import Scene

SAID: list[tuple[Command, str]] = [
    (TakeCharacter(Character.MONK), "monk"),
    (FoundHouse(Place.V30), "village 30"),
    (ChooseActions((Action.GOLD, Action.PALACE_HOUSE)), "Gold and palace with house"),
    (ChooseActions((Action.GOLD, Action.SWAP), Action.MOVE), "Gold and swap and move"),
    (Travel(Place.AJMER), "The Maharaja is in Ajmer"),
    (Travel(Place.DELHI), "in Delhi or beyond"),
    (Travel(Place.CAMP), "in the camp or beyond"),
    (TakeGold(), "Gold"),
    (TakeHouses(), "Houses"),
    (BuildHouse(Action.HOUSE, Place.KOTA), "Kota"),
    (MoveHouse(Action.MOVE, Place.KOTA, Place.V01), "village 1"),
    (BuildPalace(Action.PALACE, Site.CENTRAL), "central one"),
    (BuildPalace(Action.PALACE, Site.OUTER), "site"),
    (MoveGovernor(Place.KOTA), "Kota"),
    (SwapCharacter(Character.MOGUL, Character.MONK), "monk is worth more to you than the mogul"),
    (EndTurn(), "Nothing"),
]


@pytest.mark.parametrize(("command", "words"), SAID, ids=lambda each: str(each)[:24])
def test_the_reason_names_what_it_is_about(command: Command, words: str) -> None:
    said = reason(RAJA.public(Scene().state), command)
    assert words in said
    assert said[0].isupper()
    assert said.endswith(".")

"""What `easy` makes of plain decisions."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.raja.bots.easy import EasyBot
from engine.raja.game import RAJA
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.pieces import Action, Character, Site
from engine.raja.words.prompts import CharacterPrompt, FoundPrompt
from tests.engine.raja.scene import Scene


def easy(scene: Scene, prompt: Prompt | None = None) -> Command:
    views = RAJA.public(scene.state), RAJA.private(scene.state, 0)
    return EasyBot().choose(*views, prompt or scene.prompt(), Chance(bytes(32)))


def test_no_other_prompt_is_answered() -> None:
    with pytest.raises(TypeError):
        easy(Scene(), Prompt())


def test_the_artisan_is_liked_better_than_the_mogul() -> None:
    prompt = CharacterPrompt((Character.MOGUL, Character.ARTISAN))
    assert easy(Scene(), prompt) == TakeCharacter(Character.ARTISAN)


def test_houses_are_founded_on_the_way_to_the_maharaja() -> None:
    prompt = FoundPrompt((Place.V01, Place.V19))
    assert easy(Scene(), prompt) == FoundHouse(Place.V19)


@pytest.mark.parametrize(
    ("gold", "supply", "expected"),
    [
        (15, 6, (Action.GOLD, Action.PALACE_HOUSE)),
        (12, 0, (Action.QUARRY, Action.PALACE)),
        (3, 1, (Action.GOLD, Action.QUARRY)),
        (3, 6, (Action.GOLD, Action.HOUSE)),
    ],
)
def test_actions_are_chosen_as_gold_allows(
    gold: int, supply: int, expected: tuple[Action, ...]
) -> None:
    scene = Scene(open=None, gold=[gold] * 3, supply=supply, architect=Place.AJMER)
    assert easy(scene) == ChooseActions(tuple(sorted(expected)))


def test_a_chit_is_used() -> None:
    scene = Scene(open=None, ruleset="yogi", characters=[[Character.YOGI]] * 3)
    chosen = easy(scene)
    assert isinstance(chosen, ChooseActions)
    assert chosen.chit is not None


def test_a_turn_is_played_from_the_surest_to_the_end() -> None:
    scene = Scene(
        open=(Action.GOLD, Action.QUARRY, Action.GOVERNOR, Action.PALACE_HOUSE),
        characters=[[Character.MOGUL]] * 3,
        houses={Place.V18: [0], Place.V19: [0]},
    )
    done: list[Command] = []
    while done[-1:] != [EndTurn()]:
        done.append(easy(scene))
        scene.act(0, done[-1])
    assert done == [
        TakeGold(),
        TakeHouses(),
        MoveGovernor(Place.CHITTOR),
        Travel(Place.AJMER),
        BuildPalace(Action.PALACE_HOUSE, Site.CENTRAL),
        BuildHouse(Action.PALACE_HOUSE, Place.AJMER),
        EndTurn(),
    ]


def test_a_road_is_built_that_is_missing() -> None:
    assert easy(Scene(open=(Action.HOUSE,))) == BuildHouse(Action.HOUSE, Place.V19)


def test_one_who_needs_no_road_and_can_go_nowhere_ends() -> None:
    houses = {village: [1] for village in VILLAGES}
    scene = Scene(open=(Action.HOUSE,), houses=houses, gold=[1, 15, 15])
    assert easy(scene) == EndTurn()

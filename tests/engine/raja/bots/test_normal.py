"""What `normal` makes of plain decisions."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.raja.bots.normal import NormalBot
from engine.raja.game import RAJA
from engine.raja.words.commands import (
    BuildPalace,
    ChooseActions,
    EndTurn,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    Travel,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site
from engine.raja.words.prompts import ReplacementPrompt
from tests.engine.raja.scene import Scene


def normal(scene: Scene, prompt: Prompt | None = None) -> Command:
    views = RAJA.public(scene.state), RAJA.private(scene.state, 0)
    return NormalBot().choose(*views, prompt or scene.prompt(), Chance(bytes(32)))


def test_no_other_prompt_is_answered() -> None:
    with pytest.raises(TypeError):
        normal(Scene(), Prompt())


def test_two_palaces_are_chosen_by_one_who_can_pay_them() -> None:
    scene = Scene(open=None, gold=[40, 5, 5], architect=Place.AJMER, round=9)
    chosen = normal(scene)
    assert isinstance(chosen, ChooseActions)
    assert set(chosen.actions) <= {Action.PALACE, Action.PALACE_HOUSE}


def test_the_artisan_is_taken_and_then_a_palace_built_on_the_way() -> None:
    scene = Scene(
        open=(Action.PALACE, Action.SWAP),
        gold=[9, 15, 15],
        characters=[[Character.MOGUL], [Character.SADHU], [Character.MONK]],
        houses={Place.V18: [0], Place.V19: [0]},
    )
    done: list[Command] = []
    for _ in range(3):
        done.append(normal(scene))
        scene.act(0, done[-1])
    assert done == [
        SwapCharacter(Character.MOGUL, Character.ARTISAN),
        Travel(Place.AJMER),
        BuildPalace(Action.PALACE, Site.CENTRAL),
    ]


def test_one_who_was_robbed_takes_what_is_worth_most() -> None:
    scene = Scene(characters=[[], [Character.TRADER], [Character.MONK]])
    prompt = ReplacementPrompt((Character.MOGUL, Character.ARTISAN))
    assert normal(scene, prompt) == TakeCharacter(Character.ARTISAN)


def test_the_builder_moves_a_house_when_none_is_left_to_build() -> None:
    scene = Scene(
        open=(Action.QUARRY,),
        characters=[[Character.BUILDER], [Character.TRADER], [Character.MONK]],
        supply=0,
        quarry=0,
        architect=Place.AJMER,
        houses={Place.UDAIPUR: [0], Place.AJMER: [1, 2]},
    )
    assert normal(scene) == MoveHouse(Action.BUILDER, Place.UDAIPUR, Place.AJMER)


def test_one_who_can_do_nothing_ends() -> None:
    assert normal(Scene(open=(Action.HOUSE, Action.MOVE), supply=0)) == EndTurn()

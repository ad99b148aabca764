"""Swapping characters, the coats of arms, and moving houses (rules, A turn)."""

from __future__ import annotations

import pytest

from engine.raja.legal import harmless
from engine.raja.words.commands import (
    ChooseActions,
    EndTurn,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    Travel,
)
from engine.raja.words.happenings import CharacterSwapped, CharacterTaken, TraderPaid, Travelled
from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import Action, Character
from engine.raja.words.prompts import ReplacementPrompt
from tests.engine.raja.scene import Scene, names


def test_a_robbed_player_takes_one_from_the_display_at_once() -> None:
    scene = Scene(open=(Action.SWAP,))
    events = scene.act(0, SwapCharacter(Character.MOGUL, Character.TRADER))
    assert events == (
        CharacterSwapped(0, Character.MOGUL, Character.TRADER, 1),
        TraderPaid(0),
    )
    assert scene.prompt(1) == ReplacementPrompt(
        (Character.MOGUL, Character.MONK, Character.BUILDER, Character.ARTISAN)
    )
    assert harmless(scene.prompt(1)) == TakeCharacter(Character.MOGUL)
    assert scene.act(1, TakeCharacter(Character.MOGUL)) == (CharacterTaken(1, Character.MOGUL),)
    assert scene.asked == [0]
    assert scene.state.open == ()


def test_a_swap_with_the_display_robs_nobody() -> None:
    scene = Scene(open=(Action.SWAP, Action.SWAP))
    events = scene.act(0, SwapCharacter(Character.MOGUL, Character.MONK))
    assert events == (CharacterSwapped(0, Character.MOGUL, Character.MONK, None),)
    assert Character.MOGUL in scene.state.display
    assert scene.asked == [0]


def test_the_order_of_turns_follows_the_ranks_at_once_and_nobody_has_a_second_turn() -> None:
    scene = Scene(open=(Action.SWAP,))
    scene.act(0, SwapCharacter(Character.MOGUL, Character.SADHU))
    scene.act(2, TakeCharacter(Character.MOGUL))
    scene.act(0, EndTurn())
    assert scene.asked == [2]
    scene.act(2, EndTurn())
    assert scene.asked == [1]
    assert "CityScored" in names(scene.act(1, EndTurn()))


def test_a_coat_goes_down_exactly_2() -> None:
    scene = Scene(open=(Action.GOVERNOR,))
    assert scene.turn.governor == tuple(sorted(CITIES[2:]))
    scene.act(0, MoveGovernor(CITIES[6]))
    assert scene.state.track == (*CITIES[:4], CITIES[6], CITIES[4], CITIES[5])


def test_a_fare_is_paid_to_owners_and_an_own_house_makes_a_village_free() -> None:
    houses = {Place.V18: (1, 1), Place.V19: (0, 2)}
    scene = Scene(houses=houses)
    paid = (0, 2, 0)
    assert scene.act(0, Travel(Place.AJMER)) == (
        Travelled(0, Place.CAMP, Place.AJMER, paid, False),
    )
    assert scene.state.gold == (13, 17, 15)


def test_the_bank_pays_for_the_monk() -> None:
    held = [[Character.MONK], [Character.MOGUL], [Character.SADHU]]
    scene = Scene(houses={Place.V13: (1, 2)}, characters=held, gold=(0, 0, 0))
    scene.act(0, Travel(Place.JAIPUR))
    assert scene.state.gold == (0, 1, 1)


def test_moving_the_one_house_to_the_one_place_it_is_in_is_no_move() -> None:
    """Two players: every village is full, and the only own house stands in one's own city."""
    houses = {Place(at): (1,) for at in range(Place.V01, Place.V30 + 1)}
    scene = Scene(2, open=(Action.MOVE,), houses={**houses, Place.KOTA: (0,)}, architect=Place.KOTA)
    assert (scene.turn.move, scene.turn.own) == ((), ())
    move = MoveHouse(Action.MOVE, Place.KOTA, Place.KOTA)
    assert scene.refused(0, move) == "same_place place=kota"
    camp = Scene(2, open=(Action.MOVE, Action.HOUSE), houses={**houses, Place.KOTA: (0,)})
    assert (camp.turn.move, camp.turn.house) == ((), ())


def test_a_house_moved_leaves_space() -> None:
    scene = Scene(open=(Action.MOVE, Action.MOVE), houses={Place.V05: (0, 1)})
    assert Place.V05 not in scene.turn.space
    scene.act(0, MoveHouse(Action.MOVE, Place.V05, Place.V06))
    assert Place.V05 in scene.turn.space
    assert list(scene.turn.space) == sorted(scene.turn.space)


def test_the_harmless_answers() -> None:
    assert harmless(Scene(open=(Action.GOLD,)).turn) == TakeGold()
    assert harmless(Scene(open=(Action.SWAP,)).turn) == EndTurn()
    gold = ChooseActions((Action.GOLD, Action.GOLD))
    assert harmless(Scene(open=None).prompt()) == gold
    with pytest.raises(TypeError):
        harmless(object())  # type: ignore[arg-type]


def test_the_order_of_two_actions_means_nothing() -> None:
    scene = Scene(open=None)
    scene.act(0, ChooseActions((Action.SWAP, Action.GOLD)))
    assert scene.state.chosen[0] == (Action.GOLD, Action.SWAP)

"""What is refused, and the first reason that applies (rules, Prompts and commands, Refusals)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.entry import Command, Event
from engine.errors import BrokenLog
from engine.raja.game import RAJA
from engine.raja.words.choices import choices
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
from engine.raja.words.views import RajaPhase
from tests.engine.raja.scene import Scene

ANY: Any = "nonsense"
ALL = (Action.HOUSE, Action.MOVE, Action.PALACE, Action.GOVERNOR, Action.SWAP)
FULL = {Place.V01: (1, 1), Place.V02: (0, 1)}
AT_HOME: dict[str, Any] = {"architect": Place.DELHI, "houses": FULL}
CENTRAL = {Place.DELHI: 1}
SEVEN = {Place.AJMER: 0, Place.BIKANER: 0, Place.CHITTOR: 0, Place.JAIPUR: 0, Place.KOTA: 0}

TURNS: list[tuple[dict[str, Any], Command, str]] = [
    ({}, SwapCharacter(ANY, Character.MONK), "not_available character=str"),
    ({}, SwapCharacter(Character.MONK, Character.YOGI), "not_available character=monk"),
    ({}, SwapCharacter(Character.MOGUL, Character.YOGI), "not_available character=yogi"),
    ({}, SwapCharacter(Character.MOGUL, Character.MOGUL), "not_available character=mogul"),
    ({"open": ()}, SwapCharacter(Character.MOGUL, Character.MONK), "not_open action=swap"),
    ({}, Travel(ANY), "no_such_place"),
    ({}, Travel(Place.BIKANER), "no_road place=bikaner"),
    ({}, Travel(Place.CAMP), "no_road place=camp"),
    ({}, Travel(Place.V13), "no_road place=v13"),
    ({}, Travel(Place.JAIPUR), "road_closed village=v13"),
    ({"houses": {Place.V18: (1,)}}, Travel(Place.AJMER), "road_closed village=v19"),
    (
        {"houses": {Place.V13: (1, 2)}, "gold": (1, 0, 0)},
        Travel(Place.JAIPUR),
        "too_poor price=2 gold=1",
    ),
    ({}, TakeGold(), "not_open action=gold"),
    ({}, TakeHouses(), "not_open action=quarry"),
    ({}, BuildHouse(ANY, ANY), "no_such_place"),
    ({}, BuildHouse(ANY, Place.V01), "not_an_action"),
    ({}, BuildHouse(Action.HOUSES, Place.CAMP), "not_open action=houses"),
    ({}, BuildHouse(Action.MOVE, Place.V01), "not_open action=move"),
    ({}, BuildHouse(Action.BUILDER, Place.V01), "not_open action=builder"),
    ({"supply": 0}, BuildHouse(Action.HOUSE, Place.CAMP), "not_here place=camp"),
    ({}, BuildHouse(Action.HOUSE, Place.DELHI), "not_here place=delhi"),
    ({**AT_HOME, "supply": 0}, BuildHouse(Action.HOUSE, Place.V01), "village_full place=v01"),
    ({"supply": 0, "gold": (0, 0, 0)}, BuildHouse(Action.HOUSE, Place.V01), "no_house"),
    ({"gold": (0, 0, 0)}, BuildHouse(Action.HOUSE, Place.V01), "too_poor price=1 gold=0"),
    ({}, MoveHouse(ANY, ANY, Place.V01), "no_such_place"),
    ({}, MoveHouse(ANY, Place.V01, ANY), "no_such_place"),
    ({}, MoveHouse(ANY, Place.V01, Place.V02), "not_an_action"),
    ({}, MoveHouse(Action.HOUSE, Place.V01, Place.V02), "not_open action=house"),
    (AT_HOME, MoveHouse(Action.MOVE, Place.V01, Place.KOTA), "not_here place=kota"),
    (AT_HOME, MoveHouse(Action.MOVE, Place.V01, Place.V02), "no_house_there place=v01"),
    (AT_HOME, MoveHouse(Action.MOVE, Place.V02, Place.V02), "same_place place=v02"),
    (AT_HOME, MoveHouse(Action.MOVE, Place.V02, Place.V01), "village_full place=v01"),
    ({}, BuildPalace(ANY, ANY), "no_such_place"),
    ({}, BuildPalace(ANY, Site.OUTER), "not_an_action"),
    ({}, BuildPalace(Action.BUILDER, Site.OUTER), "not_open action=builder"),
    ({}, BuildPalace(Action.PALACE_HOUSE, Site.OUTER), "not_open action=palace-house"),
    ({"gold": (0, 0, 0)}, BuildPalace(Action.PALACE, Site.OUTER), "not_here place=camp"),
    (
        {**AT_HOME, "central": CENTRAL, "gold": (0, 0, 0)},
        BuildPalace(Action.PALACE, Site.CENTRAL),
        "site_taken site=central",
    ),
    (
        {**AT_HOME, "outer": {Place.DELHI: (1,) * 6}},
        BuildPalace(Action.PALACE, Site.OUTER),
        "site_taken site=outer",
    ),
    (
        {**AT_HOME, "central": SEVEN, "outer": {Place.KOTA: (0, 0)}, "gold": (0, 0, 0)},
        BuildPalace(Action.PALACE, Site.OUTER),
        "no_palace",
    ),
    (
        {**AT_HOME, "gold": (11, 0, 0)},
        BuildPalace(Action.PALACE, Site.OUTER),
        "too_poor price=12 gold=11",
    ),
    ({}, MoveGovernor(ANY), "no_such_place"),
    ({}, MoveGovernor(Place.CAMP), "no_such_place"),
    ({"open": ()}, MoveGovernor(Place.AJMER), "not_open action=governor"),
    ({}, MoveGovernor(Place.BIKANER), "too_low city=bikaner"),
    ({}, TakeCharacter(Character.MONK), "wrong_command"),
]


@pytest.mark.parametrize(("position", "command", "refusal"), TURNS)
def test_in_a_turn(position: dict[str, Any], command: Command, refusal: str) -> None:
    assert Scene(**{"open": ALL, **position}).refused(0, command) == refusal


def test_roads_are_spent_after_twenty() -> None:
    scene = Scene(houses={Place.V13: (0,)})
    for number in range(20):
        scene.act(0, Travel((Place.JAIPUR, Place.CAMP)[number % 2]))
    assert scene.turn.travel == ()
    assert scene.refused(0, Travel(Place.JAIPUR)) == "roads_spent roads=20"


def test_the_builder_is_used_up_after_one_house() -> None:
    scene = Scene(characters=[[Character.BUILDER], [Character.MONK], [Character.SADHU]])
    assert scene.turn.house == (Action.BUILDER,)
    scene.act(0, BuildHouse(Action.BUILDER, Place.V01))
    move = MoveHouse(Action.BUILDER, Place.V01, Place.V02)
    assert scene.refused(0, move) == "not_open action=builder"


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (ChooseActions(ANY), "not_an_action"),
        (ChooseActions((Action.GOLD, ANY, Action.GOLD)), "not_an_action"),
        (ChooseActions((Action.GOLD, Action.BUILDER)), "not_an_action"),
        (ChooseActions((Action.GOLD, Action.GOLD), ANY), "not_an_action"),
        (ChooseActions((Action.GOLD,), Action.GOLD), "wrong_count given=1 count=2"),
        (ChooseActions((Action.GOLD,) * 3), "wrong_count given=3 count=2"),
        (ChooseActions((Action.GOLD,) * 2, Action.GOLD), "no_chit action=gold"),
        (EndTurn(), "wrong_command"),
    ],
)
def test_while_choosing(command: Command, refusal: str) -> None:
    assert Scene(open=None).refused(0, command) == refusal


def test_houses_and_palace_house_have_no_chit() -> None:
    scene = Scene(2, "yogi", open=None, characters=[[Character.YOGI], [Character.MOGUL]])
    for chit in (Action.HOUSES, Action.PALACE_HOUSE):
        command = ChooseActions((Action.GOLD, Action.GOLD), chit)
        assert scene.refused(0, command).startswith("no_chit")
    scene.act(0, ChooseActions((Action.SWAP, Action.GOLD), Action.GOLD))
    assert scene.state.chosen[0] == (Action.GOLD, Action.SWAP, Action.GOLD)


def test_a_choice_is_made_once_and_only_by_a_seat_that_plays() -> None:
    scene = Scene(open=None)
    command = ChooseActions((Action.GOLD, Action.GOLD))
    scene.act(0, command)
    for seat in (0, 3, -1):
        assert scene.refused(seat, command) == f"no_prompt seat={seat}"
    assert Scene().refused(1, EndTurn()) == "no_prompt seat=1"


def test_while_founding() -> None:
    scene = Scene(open=None)
    scene.state.phase, scene.state.asked = RajaPhase.FOUNDING, 1
    scene.state.add_house(0, Place.V01)
    scene.state.add_house(0, Place.V01)
    assert scene.refused(1, FoundHouse(ANY)) == "no_such_place"
    assert scene.refused(1, FoundHouse(Place.DELHI)) == "not_here place=delhi"
    assert scene.refused(1, FoundHouse(Place.CAMP)) == "not_here place=camp"
    assert scene.refused(1, FoundHouse(Place.V01)) == "village_full place=v01"


def test_a_character_is_taken_from_the_display() -> None:
    scene = Scene(open=None)
    scene.state.phase, scene.state.asked = RajaPhase.CHARACTERS, 1
    assert scene.refused(1, TakeCharacter(Character.MOGUL)) == "not_available character=mogul"
    assert scene.refused(1, TakeCharacter(Character.YOGI)) == "not_available character=yogi"


def test_what_is_no_prompt_or_event_of_raja_is_an_error() -> None:
    for ask in (choices, RAJA.choices):
        with pytest.raises(TypeError):
            ask(ANY)
    with pytest.raises(ValueError, match="asked nothing"):
        RAJA.default(Scene().state, 1)
    with pytest.raises(BrokenLog):
        RAJA.evolve(Scene().state, Event())

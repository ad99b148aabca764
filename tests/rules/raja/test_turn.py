"""A turn of Raja (rules, A turn)."""

from __future__ import annotations

from engine.raja.words.commands import BuildHouse, BuildPalace, EndTurn, TakeGold, TakeHouses
from engine.raja.words.happenings import ActionFailed, GoldTaken, HousesTaken
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Part, Site
from tests.engine.raja.scene import Scene, names


def test_gold_is_2_from_the_bank() -> None:
    scene = Scene(open=(Action.GOLD, Action.GOLD))
    assert scene.act(0, TakeGold()) == (GoldTaken(0),)
    assert scene.state.gold == (17, 15, 15)
    scene.act(0, TakeGold())
    assert scene.refused(0, TakeGold()) == "not_open action=gold"


def test_quarry_moves_2_houses_to_the_supply() -> None:
    scene = Scene(open=(Action.QUARRY, Action.QUARRY), supply=0, quarry=2)
    assert scene.act(0, TakeHouses()) == (HousesTaken(0, 2),)
    assert (scene.state.supply, scene.state.quarry) == ((2, 0, 0), (0, 2, 2))
    assert not scene.turn.quarry
    assert scene.refused(0, TakeHouses()) == "quarry_empty"


def test_houses_at_least_one_of_them_in_a_city() -> None:
    scene = Scene(open=(Action.HOUSES,), architect=Place.KOTA)
    scene.act(0, BuildHouse(Action.HOUSES, Place.V01))
    assert scene.state.open == ((Action.HOUSES, (Part.CITY_HOUSE,)),)
    assert scene.refused(0, BuildHouse(Action.HOUSES, Place.V02)) == "needs_city place=v02"
    scene.act(0, BuildHouse(Action.HOUSES, Place.KOTA))
    assert not scene.state.open


def test_houses_a_village_uses_the_second_action_and_a_city_the_first() -> None:
    for place, left in (
        (Place.V02, ((Part.CITY_HOUSE,), (Part.CITY_HOUSE,))),
        (Place.KOTA, ((Part.HOUSE, Part.HOUSE),)),
    ):
        scene = Scene(open=(Action.HOUSES, Action.HOUSES), architect=Place.KOTA)
        scene.act(0, BuildHouse(Action.HOUSES, Place.V01))
        scene.act(0, BuildHouse(Action.HOUSES, place))
        assert tuple(parts for _, parts in scene.state.open) == left


def test_every_action_still_open_gives_every_other_player_2_gold() -> None:
    scene = Scene(open=(Action.PALACE_HOUSE, Action.SWAP))
    scene.act(0, BuildHouse(Action.PALACE_HOUSE, Place.V01))
    events = scene.act(0, EndTurn())
    assert events[:2] == (ActionFailed(0, Action.PALACE_HOUSE), ActionFailed(0, Action.SWAP))
    assert names(events)[2:] == ["TurnEnded", "TurnBegan", "TraderPaid"]
    assert scene.state.gold == (14, 20, 19)


def test_a_palace_stands_on_a_site_of_the_city_of_the_architect() -> None:
    scene = Scene(open=(Action.PALACE, Action.PALACE), architect=Place.DELHI, gold=(24, 0, 0))
    scene.act(0, BuildPalace(Action.PALACE, Site.CENTRAL))
    assert scene.refused(0, BuildPalace(Action.PALACE, Site.CENTRAL)) == "site_taken site=central"
    scene.act(0, BuildPalace(Action.PALACE, Site.OUTER))
    assert scene.state.gold[0] == 0
    assert scene.state.built == (2, 0, 0)

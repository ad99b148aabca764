"""Spending gods (rules, A turn, 3), and the fault B35."""

from __future__ import annotations

import pytest

from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import GodsSpent, TilesLost
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import DiscardPrompt, TurnPrompt
from tests.engine.ra.scene import Scene, names

GOD, GOLD, NILE = Kind.GOD, Kind.GOLD, Kind.NILE


def test_b35_a_full_track_leaves_gods_and_ra() -> None:
    track = (NILE,) * 7 + (GOLD,)
    scene = Scene(track=track, tiles={0: {GOD: 1}})
    assert scene.prompt == TurnPrompt(draw=False, gods=1, takeable=track)
    assert scene.refused(0, Draw()) == "track_full"
    scene.act(0, SpendGods((GOLD,)))
    assert scene.state.track == (NILE,) * 7
    assert scene.asked == 1


def test_b35_gods_are_not_taken_by_gods() -> None:
    scene = Scene(track=[GOD, GOD], tiles={0: {GOD: 1}})
    assert scene.prompt == TurnPrompt(draw=True, gods=0, takeable=())
    assert scene.refused(0, SpendGods((GOD,))) == "too_few_gods"
    scene = Scene(track=[GOD, GOLD], tiles={0: {GOD: 2}})
    assert scene.prompt == TurnPrompt(draw=True, gods=1, takeable=(GOLD,))
    assert scene.refused(0, SpendGods((GOD,))) == "not_takeable"
    assert scene.refused(0, SpendGods((GOLD, GOD))) == "too_few_gods"


def test_b35_no_god_is_spent_in_an_auction() -> None:
    scene = Scene(track=[GOLD], tiles={seat: {GOD: 1} for seat in range(3)})
    scene.act(0, InvokeRa())
    for seat, code in ((0, "no_prompt"), (1, "wrong_command"), (2, "no_prompt")):
        assert scene.refused(seat, SpendGods((GOLD,))) == code
    scene.act(1, Pass())
    scene.act(2, Pass())
    assert scene.refused(0, SpendGods((GOLD,))) == "wrong_command"


def test_b35_two_gods_in_one_action_and_the_turn_passes_once() -> None:
    scene = Scene(track=[GOLD, NILE], tiles={0: {GOD: 2}})
    assert scene.act(0, SpendGods((NILE, GOLD))) == (GodsSpent(0, (NILE, GOLD)),)
    assert scene.held(0) == {GOLD: 1, NILE: 1}
    assert scene.gone() == {GOD: 2}
    assert scene.state.track == ()
    assert scene.asked == 1


def test_b35_one_tile_named_twice_is_refused_whole() -> None:
    scene = Scene(track=[GOLD, NILE, NILE], tiles={0: {GOD: 3}})
    assert scene.refused(0, SpendGods((GOLD, GOLD))) == "not_takeable"
    assert scene.refused(0, SpendGods((NILE, NILE, NILE))) == "not_takeable"
    scene.act(0, SpendGods((NILE, NILE)))
    assert scene.held(0) == {GOD: 1, NILE: 2}


def test_b35_a_disaster_taken_is_resolved_at_once_on_the_taker() -> None:
    scene = Scene(
        track=[Kind.DROUGHT, NILE], tiles={0: {GOD: 1, NILE: 3, Kind.FLOOD: 1}, 1: {NILE: 2}}
    )
    events = scene.act(0, SpendGods((Kind.DROUGHT,)))
    assert events == (
        GodsSpent(0, (Kind.DROUGHT,)),
        TilesLost(0, Kind.DROUGHT, (Kind.FLOOD, NILE)),
    )
    assert scene.held(0) == {NILE: 2}
    assert scene.held(1) == {NILE: 2}
    assert scene.gone() == {GOD: 1, Kind.DROUGHT: 1, Kind.FLOOD: 1, NILE: 1}
    assert scene.state.points == (10, 10, 10)
    assert scene.asked == 1


def test_a_turn_3_all_tiles_are_taken_before_their_disasters_are_resolved() -> None:
    scene = Scene(track=[Kind.FUNERAL, Kind.PHARAOH, GOLD], tiles={0: {GOD: 2}})
    scene.act(0, SpendGods((Kind.FUNERAL, Kind.PHARAOH)))
    assert scene.held(0) == {}
    assert scene.gone() == {GOD: 2, Kind.FUNERAL: 1, Kind.PHARAOH: 1}
    assert scene.state.track == (GOLD,)


def test_a_turn_3_the_turn_passes_when_no_choice_is_open() -> None:
    held = {GOD: 1, Kind.ART: 1, Kind.WRITING: 2}
    scene = Scene(track=[Kind.UNREST], tiles={0: held})
    assert names(scene.act(0, SpendGods((Kind.UNREST,)))) == ["GodsSpent"]
    assert scene.asked == 0
    assert isinstance(scene.prompt, DiscardPrompt)
    scene.act(0, Discard((Kind.WRITING, Kind.WRITING)))
    assert scene.asked == 1


def test_a_turn_3_of_equal_tiles_the_furthest_left_goes_and_the_rest_moves_up() -> None:
    track = [NILE, GOLD, NILE, Kind.ART]
    scene = Scene(bag=[Kind.FLOOD], track=track, tiles={0: {GOD: 1}})
    scene.act(0, SpendGods((NILE,)))
    assert list(scene.state.track) == [GOLD, NILE, Kind.ART]
    scene.act(1, Draw())
    assert list(scene.state.track) == [GOLD, NILE, Kind.ART, Kind.FLOOD]


def test_a_turn_3_as_many_gods_as_tiles_and_not_more_than_held() -> None:
    scene = Scene(track=[NILE, GOLD], tiles={0: {GOD: 1}})
    assert scene.prompt == TurnPrompt(draw=True, gods=1, takeable=(NILE, GOLD))
    assert scene.refused(0, SpendGods(())) == "no_tile_named"
    assert scene.refused(0, SpendGods((NILE, GOLD))) == "too_few_gods"
    assert scene.refused(0, SpendGods((Kind.FLOOD,))) == "not_takeable"
    assert Scene(track=[NILE]).refused(0, SpendGods((NILE,))) == "too_few_gods"


def test_a_turn_3_an_empty_track_offers_nothing() -> None:
    scene = Scene(tiles={0: {GOD: 2}})
    assert scene.prompt == TurnPrompt(draw=True, gods=0, takeable=())


def test_rulesets_gods_take_gods_but_only_those_held_before_are_spent() -> None:
    scene = Scene(3, "wikipedia-ja-2012", track=[GOD, GOD, GOLD], tiles={0: {GOD: 2}})
    assert scene.prompt == TurnPrompt(draw=True, gods=2, takeable=(GOD, GOD, GOLD))
    assert scene.refused(0, SpendGods((GOD, GOD, GOLD))) == "too_few_gods"
    scene.act(0, SpendGods((GOD, GOLD)))
    assert scene.held(0) == {GOD: 1, GOLD: 1}
    assert scene.gone() == {GOD: 2}
    assert scene.state.track == (GOD,)


@pytest.mark.parametrize("ruleset", ["standard", "alea-1999"])
def test_rulesets_elsewhere_gods_take_all_but_gods(ruleset: str) -> None:
    scene = Scene(3, ruleset, track=[GOD, GOLD], tiles={0: {GOD: 2}})
    assert scene.prompt == TurnPrompt(draw=True, gods=1, takeable=(GOLD,))


def test_gods_of_a_player_who_is_out_give_no_turn() -> None:
    scene = Scene(3, bag=[NILE], track=[GOLD], tiles={1: {GOD: 1}}, up=[[3], [], [5]])
    scene.act(0, Draw())
    assert scene.asked == 2
    assert scene.refused(1, SpendGods((GOLD,))) == "no_prompt"
    assert scene.refused(1, Bid(3)) == "no_prompt"

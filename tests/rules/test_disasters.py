"""Disasters (rules, Disasters), and the fault B29."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.entry import Command, Event
from engine.game import Setup
from engine.ra.deal import RaDeal
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import TilesLost
from engine.ra.words.pieces import SUN_SETS, Kind
from engine.ra.words.prompts import DiscardPrompt
from engine.stream import Stream
from tests.engine.ra.scene import Scene, Tiles, names, stacked
from tests.games import Played, open_table

ART, WRITING, RELIGION = Kind.ART, Kind.WRITING, Kind.RELIGION
FLOOD, NILE, PHARAOH = Kind.FLOOD, Kind.NILE, Kind.PHARAOH
FUNERAL, DROUGHT, UNREST, QUAKE = Kind.FUNERAL, Kind.DROUGHT, Kind.UNREST, Kind.EARTHQUAKE


def won(
    track: Sequence[Kind],
    held: Tiles,
    *,
    up: Sequence[Sequence[int]] = ((2,), (3, 4), (5,)),
) -> tuple[Scene, list[Event]]:
    """Seat 1, which holds `held`, has won `track` in an auction that seat 0 called; the
    events after that."""
    scene = Scene(track=track, tiles={1: held, 2: {ART: 2, NILE: 2}}, up=up, bag=[NILE])
    scene.act(0, InvokeRa())
    scene.act(1, Bid(3))
    scene.act(2, Pass())
    events = scene.act(0, Pass())
    assert names(events[:2]) == ["Passed", "AuctionWon"]
    return scene, list(events[2:])


def test_b29_drought_takes_floods_first_and_tiles_just_won_count() -> None:
    scene, events = won([DROUGHT, NILE], {FLOOD: 1, NILE: 3})
    assert events == [TilesLost(1, DROUGHT, (FLOOD, NILE))]
    assert scene.held(1) == {NILE: 3}
    assert scene.asked == 1, "the turn: left of the Ra player"


def test_b29_two_droughts_take_all_there_is() -> None:
    scene, events = won([DROUGHT, DROUGHT], {FLOOD: 1, NILE: 2})
    assert events == [TilesLost(1, DROUGHT, (FLOOD, NILE, NILE))]
    assert scene.held(1) == {}
    assert scene.gone() == {FLOOD: 1, NILE: 2, DROUGHT: 2}


@pytest.mark.parametrize(("pharaohs", "left"), [(0, 0), (1, 0), (2, 0), (5, 3)])
def test_b29_funeral_takes_two_pharaohs_or_what_there_is(pharaohs: int, left: int) -> None:
    scene, events = won([FUNERAL], {PHARAOH: pharaohs})
    assert events == [TilesLost(1, FUNERAL, (PHARAOH,) * (pharaohs - left))]
    assert scene.held(1).get(PHARAOH, 0) == left
    assert scene.gone().get(FUNERAL) == 1


def test_b29_two_unrests_with_three_civilizations_take_all_without_a_prompt() -> None:
    scene, events = won([UNREST, UNREST], {ART: 1, WRITING: 2})
    assert events == [TilesLost(1, UNREST, (WRITING, WRITING, ART))]
    assert scene.held(1) == {}
    assert scene.asked == 1


def test_b29_unrest_with_four_civilizations_asks_for_two_of_them() -> None:
    scene, events = won([UNREST, RELIGION], {ART: 1, WRITING: 2, NILE: 2})
    assert events == []
    assert scene.asked == 1
    held = ((WRITING, 2), (RELIGION, 1), (ART, 1))
    assert scene.prompt == DiscardPrompt(UNREST, count=2, held=held)
    assert scene.gone() == {UNREST: 1}, "disaster tiles leave the game, they are not held"
    assert scene.refused(1, Discard((ART,))) == "wrong_count"
    assert scene.refused(1, Discard((ART, WRITING, WRITING))) == "wrong_count"
    assert scene.refused(1, Discard((ART, ART))) == "not_held", "one tile twice"
    assert scene.refused(1, Discard((ART, Kind.AGRICULTURE))) == "not_held"
    assert scene.refused(1, Discard((NILE, NILE))) == "not_held", "not of this disaster"
    requests: list[Command] = [Draw(), InvokeRa(), Bid(4), Pass(), SpendGods((ART,))]
    for request in requests:
        assert scene.refused(1, request) == "wrong_command"
        for other in (0, 2):
            assert scene.refused(other, request) == "no_prompt"
    for other in (0, 2):
        assert scene.refused(other, Discard((ART, WRITING))) == "no_prompt"
    give = (ART, WRITING)
    assert scene.act(1, Discard(give)) == (TilesLost(1, UNREST, give),)
    assert scene.held(1) == {WRITING: 1, RELIGION: 1, NILE: 2}
    assert scene.held(2) == {ART: 2, NILE: 2}, "others lose nothing"
    assert scene.asked == 1


def test_b29_unrest_is_asked_before_earthquake_and_each_once() -> None:
    held = {ART: 2, WRITING: 1, Kind.TEMPLE: 2, Kind.STATUE: 2}
    scene, events = won([QUAKE, UNREST], held)
    assert events == []
    assert isinstance(scene.prompt, DiscardPrompt)
    assert scene.prompt.disaster is UNREST
    assert scene.refused(1, Discard((Kind.TEMPLE, Kind.STATUE))) == "not_held"
    assert names(scene.act(1, Discard((ART, ART)))) == ["TilesLost"]
    held_now = ((Kind.TEMPLE, 2), (Kind.STATUE, 2))
    assert scene.prompt == DiscardPrompt(QUAKE, count=2, held=held_now)
    scene.act(1, Discard((Kind.STATUE, Kind.TEMPLE)))
    assert scene.held(1) == {WRITING: 1, Kind.TEMPLE: 1, Kind.STATUE: 1}
    assert not any(scene.state.owed)
    assert scene.asked == 1


def test_b29_disasters_of_one_kind_add_up_to_one_prompt() -> None:
    held = {Kind.TEMPLE: 2, Kind.STATUE: 2, Kind.SPHINX: 1}
    scene, _ = won([QUAKE, QUAKE], held)
    assert isinstance(scene.prompt, DiscardPrompt)
    assert scene.prompt.count == 4
    give = (Kind.TEMPLE, Kind.TEMPLE, Kind.STATUE, Kind.SPHINX)
    scene.act(1, Discard(give))
    assert scene.held(1) == {Kind.STATUE: 1}


def test_disasters_that_leave_no_choice_come_first() -> None:
    held = {ART: 2, WRITING: 1, Kind.TEMPLE: 1, PHARAOH: 3, NILE: 3}
    scene, events = won([UNREST, QUAKE, DROUGHT, FUNERAL], held)
    assert events == [
        TilesLost(1, FUNERAL, (PHARAOH, PHARAOH)),
        TilesLost(1, DROUGHT, (NILE, NILE)),
        TilesLost(1, QUAKE, (Kind.TEMPLE,)),
    ]
    assert isinstance(scene.prompt, DiscardPrompt)
    assert scene.prompt.disaster is UNREST


def test_disasters_all_of_one_type_leave_no_choice() -> None:
    scene, events = won([UNREST], {ART: 4})
    assert events == [TilesLost(1, UNREST, (ART, ART))]
    assert scene.held(1) == {ART: 2}
    scene, events = won([QUAKE], {Kind.STEP_PYRAMID: 3})
    assert events == [TilesLost(1, QUAKE, (Kind.STEP_PYRAMID, Kind.STEP_PYRAMID))]


def test_disasters_as_many_as_owed_leave_no_choice() -> None:
    _, events = won([QUAKE], {Kind.TEMPLE: 1, Kind.STATUE: 1})
    assert events == [TilesLost(1, QUAKE, (Kind.TEMPLE, Kind.STATUE))]


def test_disasters_a_player_who_is_out_is_still_asked() -> None:
    scene, _ = won([UNREST], {ART: 1, WRITING: 1, RELIGION: 1}, up=[[2], [3], [5]])
    assert scene.state.up[1] == ()
    assert scene.asked == 1
    assert isinstance(scene.prompt, DiscardPrompt)
    scene.act(1, Discard((ART, WRITING)))
    assert scene.asked == 2


def test_the_end_of_an_epoch_waits_for_the_choice_of_the_last_winner() -> None:
    """(b): after an auction and its disasters."""
    held = {1: {ART: 1, WRITING: 1, RELIGION: 1, Kind.GOLD: 1}}
    scene = Scene(2, track=[UNREST], tiles=held, up=[[], [3]], down=[[2], [4]], turn=1)
    scene.act(1, InvokeRa())
    assert names(scene.act(1, Bid(3))) == ["SunBid", "AuctionWon"]
    assert scene.state.epoch == 1
    events = scene.act(1, Discard((ART, WRITING)))
    assert names(events) == ["TilesLost", "EpochEnded", "EpochScored", "EpochBegan"]
    assert scene.state.epoch == 2


def test_b29_a_choice_stays_open_over_a_restart() -> None:
    """Folded from its entries, the table asks the same player the same, by the same token."""
    bag = stacked(ART, WRITING, RELIGION, UNREST)
    played = open_table("ra", Setup("standard", 2), deal=RaDeal(bag, SUN_SETS[2]))
    for seat in (0, 1, 0, 1):
        played.act(seat, Draw())
    played.act(0, InvokeRa())
    played.act(1, Bid(3))
    played.act(0, Pass())
    assert played.stream.match is not None
    asked = played.stream.match.asked
    assert isinstance(asked[1].prompt, DiscardPrompt)

    again = Played(Stream.replay(played.entries), list(played.entries))
    assert again.stream.match is not None
    assert again.stream.match.asked == asked
    entry = again.act(1, Discard((ART, RELIGION)))
    assert entry.events == (TilesLost(1, UNREST, (ART, RELIGION)),)
    assert list(again.stream.match.asked) == [1], "left of the Ra player"

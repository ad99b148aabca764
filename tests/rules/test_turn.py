"""A turn (rules, A turn): draw, invoke Ra, and whose turn it is."""

from __future__ import annotations

import pytest

from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import AuctionBegan, Reason, TileDrawn
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import TurnPrompt
from tests.engine.ra.scene import Scene, names

FULL = (Kind.NILE,) * 8
SEVEN = (Kind.NILE,) * 7


def test_a_turn_1_a_tile_drawn_goes_to_the_right_end_of_the_auction_track() -> None:
    scene = Scene(bag=[Kind.GOLD], track=[Kind.NILE])
    assert scene.act(0, Draw()) == (TileDrawn(0, Kind.GOLD),)
    assert scene.state.track == (Kind.NILE, Kind.GOLD)
    assert scene.asked == 1


def test_a_turn_1_a_disaster_drawn_is_a_tile_like_any_other() -> None:
    scene = Scene(bag=[Kind.FUNERAL], tiles={0: {Kind.PHARAOH: 3}})
    scene.act(0, Draw())
    assert scene.state.track == (Kind.FUNERAL,)
    assert scene.held(0) == {Kind.PHARAOH: 3}


def test_a_turn_1_a_ra_tile_starts_an_auction_by_the_drawer() -> None:
    scene = Scene(bag=[Kind.RA], track=[Kind.NILE], turn=2)
    assert scene.act(2, Draw()) == (TileDrawn(2, Kind.RA), AuctionBegan(2, Reason.DRAWN))
    assert scene.state.ra == 1
    assert scene.state.track == (Kind.NILE,)
    assert scene.asked == 0


def test_a_turn_1_no_tile_is_drawn_with_a_full_auction_track() -> None:
    scene = Scene(track=FULL)
    assert scene.prompt == TurnPrompt(draw=False, gods=0, takeable=())
    assert scene.refused(0, Draw()) == "track_full"


def test_a_turn_1_the_eighth_tile_does_not_start_an_auction() -> None:
    scene = Scene(bag=[Kind.GOLD], track=SEVEN)
    assert names(scene.act(0, Draw())) == ["TileDrawn"]
    assert scene.asked == 1
    assert isinstance(scene.prompt, TurnPrompt)


@pytest.mark.parametrize("ruleset", ["alea-1999", "wikipedia-ja-2012"])
def test_rulesets_the_eighth_tile_starts_an_auction(ruleset: str) -> None:
    scene = Scene(3, ruleset, bag=[Kind.GOLD], track=SEVEN, turn=1)
    events = scene.act(1, Draw())
    assert events == (TileDrawn(1, Kind.GOLD), AuctionBegan(1, Reason.FORCED))
    assert scene.state.turn == 1
    assert scene.asked == 2


def test_a_turn_1_ra_is_drawn_with_seven_tiles_on_the_track() -> None:
    """A Ra tile needs no space of the auction track."""
    scene = Scene(3, "alea-1999", bag=[Kind.RA], track=SEVEN)
    assert scene.act(0, Draw())[1] == AuctionBegan(0, Reason.DRAWN)


@pytest.mark.parametrize(
    ("track", "ruleset", "reason"),
    [
        ((), "standard", Reason.INVOKED),
        (SEVEN, "standard", Reason.INVOKED),
        (FULL, "standard", Reason.FORCED),
        (FULL, "wikipedia-ja-2012", Reason.INVOKED),
        (SEVEN, "wikipedia-ja-2012", Reason.INVOKED),
    ],
)
def test_a_turn_2_the_reason_of_an_invoked_auction(
    track: tuple[Kind, ...], ruleset: str, reason: Reason
) -> None:
    scene = Scene(track=track, ruleset=ruleset)
    assert scene.act(0, InvokeRa()) == (AuctionBegan(0, reason),)


def test_turns_go_clockwise_and_skip_who_is_out() -> None:
    scene = Scene(4, bag=[Kind.NILE] * 3, up=[[3], [], [4], []], turn=2)
    scene.act(2, Draw())
    assert scene.asked == 0
    scene.act(0, Draw())
    assert scene.asked == 2


def test_a_lone_player_takes_every_turn() -> None:
    scene = Scene(3, bag=[Kind.NILE] * 3, up=[[], [4, 6], []], turn=1)
    for _ in range(3):
        scene.act(1, Draw())
        assert scene.asked == 1


@pytest.mark.parametrize("seat", [1, 2, 3, -1])
def test_only_the_player_on_turn_may_act(seat: int) -> None:
    scene = Scene(3, tiles={1: {Kind.GOD: 1}}, track=[Kind.NILE])
    for command in (Draw(), InvokeRa(), SpendGods((Kind.NILE,)), Bid(12), Pass()):
        assert scene.refused(seat, command) == "no_prompt"


@pytest.mark.parametrize("command", [Bid(13), Pass(), Discard(()), Discard((Kind.NILE,))])
def test_a_turn_is_answered_by_nothing_else(command: Bid | Pass | Discard) -> None:
    assert Scene().refused(0, command) == "wrong_command"

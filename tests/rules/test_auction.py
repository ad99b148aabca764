"""Auctions (rules, An auction), and the faults B17 and B30."""

from __future__ import annotations

import pytest

from engine.entry import Command
from engine.ra.game import RA as RA_GAME
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochEnd,
    EpochEnded,
    Passed,
    Reason,
    SunBid,
)
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, TurnPrompt
from engine.ra.words.views import Auction
from tests.engine.ra.scene import Scene, names

GOD, GOLD, NILE, RA = Kind.GOD, Kind.GOLD, Kind.NILE, Kind.RA
EIGHT = (NILE,) * 8


def invoked(**scene: object) -> Scene:
    """Seat 0 has invoked Ra."""
    made = Scene(**scene)  # type: ignore[arg-type]
    made.act(0, InvokeRa())
    return made


def test_everybody_with_a_sun_is_asked_once_the_ra_player_last() -> None:
    scene = Scene(4, up=[[2], [3], [], [4]], turn=1)
    scene.act(1, InvokeRa())
    asked = []
    while isinstance(scene.prompt, BidPrompt):
        assert scene.asked is not None
        asked.append(scene.asked)
        scene.act(scene.asked, Bid(3) if scene.asked == 1 else Pass())
    assert asked == [3, 0, 1]


def test_b30_bids_are_higher_than_the_highest_and_of_ones_own_face_up_suns() -> None:
    scene = invoked(up=[[3, 13], [7], [5, 8]], down=[[], [], [9]])
    scene.act(1, Bid(7))
    before = scene.state.copy()
    assert scene.prompt == BidPrompt(suns=(8,), may_pass=True)
    assert scene.refused(2, Bid(5)) == "sun_too_low"
    assert scene.refused(2, Bid(9)) == "not_your_sun"
    assert scene.refused(2, Bid(13)) == "not_your_sun"
    assert scene.refused(2, Bid(1)) == "not_your_sun"
    assert scene.refused(1, Bid(7)) == "no_prompt", "a second bid"
    assert scene.refused(0, Bid(13)) == "no_prompt", "out of turn"
    assert scene.state == before
    scene.act(2, Bid(8))


@pytest.mark.parametrize("sun", [0, -1, 1 << 80, True, "8", 8.0, None, (8,), [8]])
def test_b30_a_bid_of_something_that_is_no_sun_is_refused(sun: object) -> None:
    scene = invoked(up=[[3], [1, 8], [5]])
    assert scene.refused(1, Bid(sun)) == "not_your_sun"  # type: ignore[arg-type]


def test_b30_who_invoked_must_bid_if_all_others_pass() -> None:
    scene = invoked(track=[NILE] * 3, up=[[2, 3], [7], [5]], sun=10)
    scene.act(1, Pass())
    scene.act(2, Pass())
    assert scene.prompt == BidPrompt(suns=(2, 3), may_pass=False)
    assert scene.refused(0, Pass()) == "must_bid"
    events = scene.act(0, Bid(2))
    assert events == (SunBid(0, 2), AuctionWon(0, paid=2, taken=10, tiles=(NILE,) * 3))


def test_b30_who_invoked_may_pass_once_somebody_bid() -> None:
    scene = invoked(up=[[2, 13], [7], [5]])
    scene.act(1, Bid(7))
    scene.act(2, Pass())
    assert scene.prompt == BidPrompt(suns=(13,), may_pass=True)
    assert scene.act(0, Pass()) == (Passed(0), AuctionWon(1, paid=7, taken=1, tiles=()))


def test_b30_called_with_eight_tiles_the_caller_may_pass_and_all_leave_the_game() -> None:
    scene = invoked(track=EIGHT, sun=6)
    for seat in (1, 2):
        scene.act(seat, Pass())
    assert isinstance(scene.prompt, BidPrompt)
    assert scene.prompt.may_pass
    assert scene.act(0, Pass()) == (Passed(0), AuctionLapsed(0, EIGHT))
    assert scene.gone() == {NILE: 8}
    assert scene.state.track == ()
    assert scene.state.sun == 6
    assert scene.asked == 1


def test_b30_ra_drawn_and_all_pass_leaves_tiles_and_sun() -> None:
    scene = Scene(bag=[RA], track=[NILE] * 5, sun=6)
    scene.act(0, Draw())
    for seat in (1, 2):
        scene.act(seat, Pass())
    assert scene.act(0, Pass()) == (Passed(0), AuctionLapsed(0, ()))
    assert scene.state.track == (NILE,) * 5
    assert scene.state.sun == 6
    assert scene.gone() == {}
    assert scene.asked == 1


def test_b30_ra_invoked_with_an_empty_track_is_for_the_sun_alone() -> None:
    scene = invoked(up=[[2, 13], [7], [5]], sun=1)
    scene.act(1, Bid(7))
    scene.act(2, Pass())
    scene.act(0, Bid(13))
    assert scene.held(0) == {}
    assert scene.state.up == ((2,), (7,), (5,))
    assert scene.state.down == ((1,), (), ())
    assert scene.state.sun == 13


def test_b30_who_has_no_face_up_sun_is_not_asked() -> None:
    scene = invoked(up=[[2], [], [5]], down=[[], [13], []])
    assert scene.asked == 2
    assert scene.refused(1, Pass()) == "no_prompt"


@pytest.mark.parametrize("command", [Draw(), InvokeRa(), Discard(())])
def test_an_auction_is_answered_by_nothing_else(command: Command) -> None:
    assert invoked().refused(1, command) == "wrong_command"


def test_the_winner_takes_the_track_and_swaps_suns_losers_keep_theirs() -> None:
    scene = invoked(up=[[2, 13], [7], [5, 9]], track=[GOLD, NILE], sun=4)
    scene.act(1, Bid(7))
    scene.act(2, Bid(9))
    scene.act(0, Pass())
    assert scene.held(2) == {GOLD: 1, NILE: 1}
    assert scene.state.up == ((2, 13), (7,), (5,))
    assert scene.state.down == ((), (), (4,))
    assert scene.state.sun == 9


def test_who_can_only_pass_is_asked_too() -> None:
    scene = invoked(up=[[2], [13], [5]])
    scene.act(1, Bid(13))
    assert scene.prompt == BidPrompt(suns=(), may_pass=True)
    assert scene.refused(2, Bid(5)) == "sun_too_low"
    assert names(scene.act(2, Pass())) == ["Passed"]
    assert scene.prompt == BidPrompt(suns=(), may_pass=True)
    assert names(scene.act(0, Pass())) == ["Passed", "AuctionWon"]


def test_the_option_answers_for_bidders_who_can_only_pass() -> None:
    scene = Scene(4, options=("answer-passes",), up=[[2], [12], [5], [13]])
    assert scene.act(0, InvokeRa()) == (AuctionBegan(0, Reason.INVOKED),)
    assert scene.act(1, Bid(12)) == (SunBid(1, 12), Passed(2))
    assert scene.asked == 3
    events = scene.act(3, Pass())
    assert events == (Passed(3), Passed(0), AuctionWon(1, paid=12, taken=1, tiles=()))
    assert scene.asked == 2


def test_the_option_leaves_a_choice_to_the_bidder() -> None:
    scene = Scene(2, options=("answer-passes",), up=[[2, 9], [3, 8]])
    scene.act(0, InvokeRa())
    assert names(scene.act(1, Pass())) == ["Passed"]
    assert scene.prompt == BidPrompt(suns=(2, 9), may_pass=False)


@pytest.mark.parametrize("ruleset", ["standard", "alea-1999"])
def test_rulesets_a_forced_auction_without_a_bid_discards(ruleset: str) -> None:
    scene = Scene(3, ruleset, bag=[GOLD], track=EIGHT[1:])
    scene.act(0, Draw())
    if ruleset == "standard":
        scene.act(1, InvokeRa())
    bidders = (1, 2, 0) if ruleset == "alea-1999" else (2, 0, 1)
    for seat in bidders:
        scene.act(seat, Pass())
    assert scene.gone() == {NILE: 7, GOLD: 1}
    assert scene.state.track == ()


def test_rulesets_a_forced_auction_without_a_bid_leaves_the_tiles() -> None:
    """wikipedia-ja-2012: the track stays full; gods, or an auction that must be won."""
    scene = Scene(3, "wikipedia-ja-2012", bag=[GOLD], track=EIGHT[1:])
    scene.act(0, Draw())
    for seat in (1, 2):
        scene.act(seat, Pass())
    assert scene.act(0, Pass()) == (Passed(0), AuctionLapsed(0, ()))
    assert scene.asked == 1
    assert scene.prompt == TurnPrompt(draw=False, gods=0, takeable=())
    assert scene.refused(1, Draw()) == "track_full"
    assert scene.act(1, InvokeRa()) == (AuctionBegan(1, Reason.INVOKED),)
    scene.act(2, Pass())
    scene.act(0, Pass())
    assert scene.refused(1, Pass()) == "must_bid"


def test_b17_a_player_without_suns_is_skipped_for_turns_and_bids() -> None:
    """The play of the fault, word for word: P2 is out, P0 spends the last sun in an
    auction called by itself, P1 plays on alone and ends the epoch."""
    scene = Scene(
        3,
        bag=[RA, NILE],
        track=[GOD],
        up=[[5], [6], []],
        down=[[2], [], [3, 4]],
        tiles={2: {GOD: 1}},
    )
    scene.act(0, InvokeRa())
    assert scene.asked == 1
    scene.act(1, Pass())
    scene.act(0, Bid(5))
    assert scene.held(0) == {GOD: 1}, "gods in hand do not give a turn"
    assert RA_GAME.prompts(scene.state) == {1: TurnPrompt(draw=True, gods=0, takeable=())}

    events = scene.act(1, Draw())
    assert events[1] == AuctionBegan(1, Reason.DRAWN)
    assert scene.asked == 1, "an auction with one bidder"
    assert scene.prompt == BidPrompt(suns=(6,), may_pass=True)
    assert names(scene.act(1, Pass())) == ["Passed", "AuctionLapsed"]
    assert scene.asked == 1

    scene.act(1, InvokeRa())
    assert scene.prompt == BidPrompt(suns=(6,), may_pass=False)
    events = scene.act(1, Bid(6))
    assert events[1] == AuctionWon(1, paid=6, taken=5, tiles=())
    assert events[2] == EpochEnded(1, EpochEnd.SUNS_SPENT)
    assert scene.state.epoch == 2
    assert scene.state.drawn == 1, "no further draw"


@pytest.mark.parametrize("winner", [0, 1, 2, 3])
def test_b17_the_turn_after_an_auction_is_left_of_the_ra_player(winner: int) -> None:
    """Whoever wins; players without suns are skipped."""
    scene = Scene(4, up=[[2, 3], [4, 5], [6, 7], [8, 9]], turn=1)
    scene.act(1, InvokeRa())
    for seat in (2, 3, 0, 1):
        scene.act(seat, Bid(scene.state.up[seat][0]) if seat == winner else Pass())
    assert scene.asked == 2


def test_b17_the_winner_out_by_its_last_sun_is_skipped() -> None:
    scene = Scene(4, up=[[2, 3], [4, 5], [6], [8, 9]], turn=1)
    scene.act(1, InvokeRa())
    scene.act(2, Bid(6))
    for seat in (3, 0, 1):
        scene.act(seat, Pass())
    assert scene.asked == 3


def test_b17_a_sun_won_lies_face_down_and_cannot_be_bid_this_epoch() -> None:
    scene = Scene(2, up=[[2, 3], [4, 5]], sun=9)
    scene.act(0, InvokeRa())
    scene.act(1, Bid(4))
    scene.act(0, Pass())
    scene.act(1, InvokeRa())
    scene.act(0, Pass())
    assert scene.prompt == BidPrompt(suns=(5,), may_pass=False)
    assert scene.refused(1, Bid(9)) == "not_your_sun"


def test_after_an_auction_nothing_of_it_is_left() -> None:
    """Won, and without a bid: the next one starts afresh."""
    scene = Scene(2, bag=[RA, RA], up=[[2, 9], [3, 8]])
    scene.act(0, InvokeRa())
    scene.act(1, Bid(8))
    scene.act(0, Pass())
    assert RA_GAME.public(scene.state).auction is None
    scene.act(1, Draw())
    assert scene.prompt == BidPrompt(suns=(2, 9), may_pass=True)
    scene.act(0, Pass())
    scene.act(1, Pass())
    assert RA_GAME.public(scene.state).auction is None
    scene.act(0, Draw())
    assert RA_GAME.public(scene.state).auction == Auction(0, Reason.DRAWN, (None, None))

"""The end of an epoch and of the game (rules, The end of an epoch), and the fault B41."""

from __future__ import annotations

import pytest

from engine.ra.events import EpochScored
from engine.ra.game import RA
from engine.ra.words.commands import Bid, Draw, InvokeRa, Pass
from engine.ra.words.happenings import (
    EpochBegan,
    EpochEnd,
    EpochEnded,
    GameEnded,
    TileDrawn,
)
from engine.ra.words.pieces import RA_SPACES, Kind
from tests.engine.ra.scene import Scene, names

FUNERAL, PHARAOH, NILE = Kind.FUNERAL, Kind.PHARAOH, Kind.NILE
ONE_OF_EACH = {Kind(kind): 1 for kind in range(Kind.GOD, Kind.FUNERAL)}
KEPT = dict.fromkeys((PHARAOH, NILE, *map(Kind, range(Kind.FORTRESS, Kind.FUNERAL))), 1)


def last_ra(seats: int = 3, epoch: int = 1) -> Scene:
    """Seat 0 is about to draw the Ra tile that fills the Ra track."""
    return Scene(
        seats,
        bag=[Kind.RA],
        track=[FUNERAL, PHARAOH],
        tiles=dict.fromkeys(range(seats), ONE_OF_EACH),
        up=[[seat + 2] for seat in range(seats)],
        down=[[seat + 8] for seat in range(seats)],
        sun=16,
        ra=RA_SPACES[seats] - 1,
        epoch=epoch,
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b41_the_last_ra_of_an_epoch_starts_no_auction_and_hands_out_nothing(seats: int) -> None:
    scene = last_ra(seats)
    events = scene.act(0, Draw())
    assert events[:2] == (TileDrawn(0, Kind.RA), EpochEnded(1, EpochEnd.RA_TRACK))
    assert names(events[2:]) == ["EpochScored", "EpochBegan"]
    state = scene.state
    assert (state.track, state.ra, state.sun) == ((), 0, 16)
    assert [scene.held(seat) for seat in range(seats)] == [KEPT] * seats
    assert state.up == tuple((seat + 2, seat + 8) for seat in range(seats))
    assert state.down == ((),) * seats
    left_per_player = {kind: 1 for kind in ONE_OF_EACH if kind not in KEPT}
    gone = dict.fromkeys(left_per_player, seats)
    assert scene.gone() == {Kind.RA: RA_SPACES[seats], PHARAOH: 1, **gone, FUNERAL: 1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b41_one_ra_tile_before_the_last_an_auction_is_held(seats: int) -> None:
    scene = last_ra(seats)
    scene.state.ra -= 1
    assert names(scene.act(0, Draw())) == ["TileDrawn", "AuctionBegan"]


def test_b41_left_over_disasters_hit_nobody() -> None:
    scene = last_ra()
    assert not any(name == "TilesLost" for name in names(scene.act(0, Draw())))
    assert all(held[PHARAOH] == 1 for held in scene.state.tiles)


def test_the_next_epoch_starts_with_the_holder_of_the_highest_sun() -> None:
    scene = last_ra()
    scene.state.down = ((15,), (9,), (10,))
    assert scene.act(0, Draw())[-1] == EpochBegan(2, 0)
    assert scene.asked == 0
    scene = last_ra()
    assert scene.act(0, Draw())[-1] == EpochBegan(2, 2)
    assert scene.asked == scene.state.turn == 2


def test_the_epoch_ends_when_no_player_has_a_face_up_sun_left() -> None:
    scene = Scene(2, track=[NILE], up=[[], [3]], down=[[5], []], turn=1, ra=3)
    scene.act(1, InvokeRa())
    events = scene.act(1, Bid(3))
    assert names(events[2:]) == ["EpochEnded", "EpochScored", "EpochBegan"]
    assert events[2] == EpochEnded(1, EpochEnd.SUNS_SPENT)
    assert scene.state.ra == 0
    assert scene.gone() == {Kind.RA: 3}
    assert scene.held(1) == {NILE: 1}, "the tiles just won are scored and kept"


def test_an_auction_that_leaves_a_sun_face_up_goes_on() -> None:
    scene = Scene(2, up=[[2], [3]])
    scene.act(0, InvokeRa())
    scene.act(1, Bid(3))
    scene.act(0, Pass())
    assert scene.state.epoch == 1
    assert scene.asked == 0


def test_the_third_epoch_ends_the_game() -> None:
    scene = last_ra(3, epoch=3)
    scored, ended = scene.act(0, Draw())[2:]
    assert isinstance(scored, EpochScored)
    assert isinstance(ended, GameEnded)
    state = scene.state
    assert RA.prompts(state) == {}
    assert scene.asked is None
    assert [scene.held(seat) for seat in range(3)] == [KEPT] * 3, "discarded then too"
    assert state.up == ((2, 8), (3, 9), (4, 10))
    assert ended.points == state.points
    assert ended.sheets == tuple((sheet,) for sheet in scored.sheets)
    result = RA.result(state)
    assert result is not None
    assert (result.points, result.winners) == (ended.points, ended.winners)


def test_nothing_can_be_done_after_the_end() -> None:
    scene = last_ra(3, epoch=3)
    assert RA.result(scene.state) is None
    scene.act(0, Draw())
    for seat in range(3):
        assert scene.refused(seat, Draw()) == "no_prompt"

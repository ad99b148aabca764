"""What a player may see (rules, What a player may see), and the fault B40."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from engine.entry import Event, PublicEvent
from engine.game import Setup
from engine.ra.events import EVENTS, EpochScored
from engine.ra.game import RA
from engine.ra.scoring import score
from engine.ra.state import RaState
from engine.ra.words.commands import Bid, Draw, InvokeRa, Pass
from engine.ra.words.happenings import HAPPENINGS, Reason, SheetShown, SheetsShown
from engine.ra.words.pieces import RA_SPACES, Kind
from engine.ra.words.views import Auction, Hidden
from tests.engine.ra.scene import Scene

OPEN = ("open-information",)


def mid_game(options: tuple[str, ...] = ()) -> Scene:
    return Scene(
        3,
        options=options,
        track=[Kind.NILE],
        tiles={1: {Kind.GOLD: 2}},
        up=[[2], [3], [4]],
        down=[[13], [7, 8], []],
        points=(11, 12, 13),
    )


def final(options: tuple[str, ...] = ()) -> Scene:
    scene = mid_game(options)
    scene.state.epoch, scene.state.ra = 3, RA_SPACES[3] - 1
    bag = list(scene.state.terms.bag)
    bag[0] = Kind.RA
    scene.state.terms = evolve(scene.state.terms, bag=tuple(bag))
    scene.act(0, Draw())
    return scene


def test_everybody_sees_the_board() -> None:
    scene = mid_game()
    scene.act(0, InvokeRa())
    scene.act(1, Bid(3))
    scene.act(2, Pass())
    board = RA.public(scene.state)
    assert board.auction == Auction(0, Reason.INVOKED, (None, 3, 0))
    assert board.turn == 0
    assert board.track == (Kind.NILE,)
    assert (board.ruleset, board.epoch, board.bag, board.sun) == ("standard", 1, 180, 1)
    assert [player.up for player in board.players] == [(2,), (3,), (4,)]
    assert [player.down for player in board.players] == [1, 2, 0]
    assert board.players[1].tiles[Kind.GOLD] == 2
    assert board.winners == ()


def test_points_and_face_down_suns_are_for_the_owner_alone() -> None:
    state = mid_game().state
    assert all(player.hidden is None for player in RA.public(state).players)
    assert RA.private(state, 1) == Hidden(points=12, down=(7, 8), sheets=())


def test_open_information_shows_them_to_all() -> None:
    board = RA.public(mid_game(OPEN).state)
    assert [player.hidden for player in board.players] == [
        Hidden(11, (13,), ()),
        Hidden(12, (7, 8), ()),
        Hidden(13, (), ()),
    ]


def test_everything_but_the_order_of_the_bag_shows_after_the_end() -> None:
    scene = final()
    board = RA.public(scene.state)
    result = RA.result(scene.state)
    assert result is not None
    hidden = [player.hidden for player in board.players]
    assert [one.points for one in hidden if one] == list(result.points)
    assert [len(one.sheets) for one in hidden if one] == [1, 1, 1]
    assert board.turn is None
    assert board.winners == result.winners


def test_an_audience_without_a_seat_has_no_private_view() -> None:
    """B40: not the one of another seat, as an index below 0 would give."""
    state = mid_game().state
    for seat in (-1, 3, 99):
        with pytest.raises(ValueError):
            RA.private(state, seat)


class Marked(RaState):
    """A state with a new secret that no view was told about."""

    __slots__ = ("marker",)
    marker: int


def _leaves(value: Any) -> list[Any]:
    if hasattr(type(value), "__attrs_attrs__"):
        return [
            leaf for f in type(value).__attrs_attrs__ for leaf in _leaves(getattr(value, f.name))
        ]
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


@pytest.mark.parametrize("options", [(), OPEN])
def test_b40_a_new_field_of_the_state_is_hidden(options: tuple[str, ...]) -> None:
    for scene in (mid_game(options), final(options)):
        state = scene.state
        marked = Marked(state.terms, state.up)
        for name in RaState.__slots__:
            setattr(marked, name, getattr(state, name))
        marked.marker = 987_654
        views = [RA.public(marked), *(RA.private(marked, seat) for seat in range(3))]
        assert views == [RA.public(state), *(RA.private(state, seat) for seat in range(3))]
        assert 987_654 not in _leaves(tuple(views))


def test_b40_the_undrawn_bag_is_in_no_view() -> None:
    one, other = mid_game().state, mid_game().state
    other.terms = evolve(other.terms, bag=tuple(reversed(other.terms.bag)))
    assert RA.public(one) == RA.public(other)
    for seat in range(3):
        assert RA.private(one, seat) == RA.private(other, seat)


def test_scoring_is_shown_to_each_player_alone() -> None:
    scored = EpochScored(score(mid_game().state), open=False)
    assert scored.show(None) is None
    for seat in range(3):
        assert scored.show(seat) == SheetShown(seat, scored.sheets[seat])
    for seat in (-1, 3, 99):
        assert scored.show(seat) is None


def test_open_scoring_is_shown_to_everybody_once() -> None:
    scored = EpochScored(score(mid_game(OPEN).state), open=True)
    assert scored.show(None) == SheetsShown(scored.sheets)
    assert [scored.show(seat) for seat in range(3)] == [None] * 3


def test_scoring_says_whether_it_is_open() -> None:
    for options, shown in (((), False), (OPEN, True)):
        scene = mid_game(options)
        scene.state.ra = RA_SPACES[3] - 1
        bag = (Kind.RA, *scene.state.terms.bag[1:])
        scene.state.terms = evolve(scene.state.terms, bag=bag)
        (scored,) = (e for e in scene.act(0, Draw()) if isinstance(e, EpochScored))
        assert scored.open is shown


def test_every_event_has_one_number_and_shows_a_happening() -> None:
    """Public events are their own happenings; nothing else shows itself."""
    for number, event in EVENTS.items():
        assert issubclass(event, Event)
        if issubclass(event, PublicEvent):
            assert HAPPENINGS[number] is event
    assert [event for event in EVENTS.values() if not issubclass(event, PublicEvent)] == [
        EpochScored
    ]


def test_what_cannot_be_taken_back() -> None:
    revealing = {event.__name__ for event in EVENTS.values() if event.reveals}
    assert revealing == {"TileDrawn", "EpochScored", "GameEnded"}


def test_the_start_needs_no_option() -> None:
    assert Setup("standard", 2).options == ()
    assert RA.options == ("answer-passes", "open-information")

"""Whatever a prompt does not offer is refused, and nothing has changed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.entry import Command, Event
from engine.errors import BrokenLog
from engine.ra.game import RA
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import Kind
from tests.engine.ra.scene import Scene

GOD, NILE, ART = Kind.GOD, Kind.NILE, Kind.ART

NO_TILES: list[Any] = [
    [NILE],
    "x",
    None,
    7,
    {NILE},
    (4,),
    (True,),
    ("nile",),
    (None,),
    (NILE, 4),
    ((NILE,),),
    ([],),
    (1 << 70,),
    (-1,),
]


@pytest.mark.parametrize("tiles", NO_TILES, ids=repr)
def test_what_is_no_tile_is_refused(tiles: Any) -> None:
    spending = Scene(track=[NILE, GOD], tiles={0: {GOD: 2}})
    assert spending.refused(0, SpendGods(tiles)) == "not_a_tile"
    giving = Scene(track=[Kind.UNREST], tiles={0: {GOD: 1, ART: 2, Kind.WRITING: 1}})
    giving.act(0, SpendGods((Kind.UNREST,)))
    assert giving.refused(0, Discard(tiles)) == "not_a_tile"


@pytest.mark.parametrize("kind", [Kind.RA, Kind.GOD, Kind.FUNERAL, Kind.GOLD])
def test_tiles_that_are_not_there_are_refused(kind: Kind) -> None:
    spending = Scene(track=[NILE, GOD], tiles={0: {GOD: 2}})
    assert spending.refused(0, SpendGods((kind,))) == "not_takeable"
    giving = Scene(track=[Kind.UNREST], tiles={0: {GOD: 2, ART: 2, Kind.WRITING: 1}})
    giving.act(0, SpendGods((Kind.UNREST,)))
    assert giving.refused(0, Discard((kind, ART))) == "not_held"


def test_a_refusal_says_why() -> None:
    scene = Scene(track=[NILE], tiles={0: {GOD: 1}})
    with pytest.raises(Exception) as refusal:
        RA.decide(scene.state.copy(), 0, SpendGods((Kind.GOLD,)))
    assert str(refusal.value) == "not_takeable(tile=2, named=1, takeable=0)"
    scene = Scene(track=[Kind.UNREST], tiles={0: {GOD: 1, ART: 2, Kind.WRITING: 1}})
    scene.act(0, SpendGods((Kind.UNREST,)))
    with pytest.raises(Exception) as refusal:
        RA.decide(scene.state.copy(), 0, Discard((NILE, NILE)))
    assert str(refusal.value) == "not_held(tile=4, given=2, held=0)"


class DrawTwice(Draw):
    """A subclass is another command."""


class Shout(Command):
    """A command of no game."""


@pytest.mark.parametrize(
    "command",
    [DrawTwice(), Shout(), None, Draw, "draw"],
    ids=lambda command: type(command).__name__,
)
def test_a_command_of_another_kind_is_refused(command: Any) -> None:
    assert Scene().refused(0, command) == "wrong_command"


@pytest.mark.parametrize("seat", [1, 2, 3, -1, -3, 1 << 70])
def test_who_is_not_asked_is_refused(seat: int) -> None:
    for command in (Draw(), InvokeRa(), Pass(), Bid(13)):
        assert Scene().refused(seat, command) == "no_prompt"


def test_an_event_of_no_game_of_ra_does_not_fold() -> None:
    with pytest.raises(BrokenLog):
        RA.evolve(Scene().state, Event())


def test_a_state_equals_a_state_of_equal_parts_alone() -> None:
    state = Scene().state
    assert state == state.copy()
    assert state != 7
    changed = state.copy()
    changed.ra += 1
    assert changed != state
    with pytest.raises(TypeError):
        hash(state)

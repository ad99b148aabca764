"""What an audience of Raja may know (rules, What a player may see)."""

from __future__ import annotations

import pytest

from engine.raja.game import RAJA
from engine.raja.words.commands import ChooseActions, EndTurn, TakeGold
from engine.raja.words.pieces import Action, Part
from engine.raja.words.views import Hidden, OpenAction, Turn
from tests.engine.raja.scene import Scene

GOLD = ChooseActions((Action.GOLD, Action.GOLD))
OTHER = ChooseActions((Action.SWAP, Action.QUARRY))
CHOSEN = (Action.QUARRY, Action.SWAP)


def test_the_actions_chosen_are_for_their_owner_alone_until_the_turn_begins() -> None:
    scene = Scene(open=None)
    scene.act(1, OTHER)
    board = RAJA.public(scene.state)
    assert [player.chosen for player in board.players] == [False, True, False]
    assert [player.actions for player in board.players] == [(), (), ()]
    assert RAJA.private(scene.state, 1) == Hidden(15, CHOSEN, 1)
    assert RAJA.private(scene.state, 0) == Hidden(15, (), 0)
    scene.act(0, GOLD)
    scene.act(2, GOLD)
    board = RAJA.public(scene.state)
    assert [player.actions for player in board.players] == [(Action.GOLD, Action.GOLD), (), ()]
    scene.act(0, EndTurn())
    board = RAJA.public(scene.state)
    assert [player.actions for player in board.players][1:] == [CHOSEN, ()]
    assert [player.acted for player in board.players] == [True, False, False]


def test_a_turn_is_open_to_all() -> None:
    scene = Scene(open=(Action.GOLD, Action.PALACE_HOUSE))
    scene.act(0, TakeGold())
    rest = OpenAction(Action.PALACE_HOUSE, (Part.PALACE, Part.HOUSE))
    assert RAJA.public(scene.state).turn == Turn(0, (rest,), 0, False, False)
    assert RAJA.public(Scene(open=None).state).turn is None


def test_gold_is_hidden_until_the_end() -> None:
    for seats, ruleset in ((2, "two-player-advanced"), (3, "short")):
        scene = Scene(seats, ruleset, open=None, gold=(3, 4, 5)[:seats], round=10 - seats // 3 * 2)
        assert {player.gold for player in RAJA.public(scene.state).players} == {None}
        for seat in range(seats):
            scene.act(seat, GOLD)
        for _ in range(seats):
            assert {player.gold for player in RAJA.public(scene.state).players} == {None}
            (seat,) = scene.asked
            scene.act(seat, EndTurn())
        shown = tuple(player.gold for player in RAJA.public(scene.state).players)
        assert shown == scene.state.gold
        assert RAJA.public(scene.state).winners == (scene.state.winner,)


def test_open_information_shows_gold_to_all() -> None:
    scene = Scene(options=("open-information",), gold=(3, 4, 5))
    assert [player.gold for player in RAJA.public(scene.state).players] == [3, 4, 5]


@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_else_has_a_private_view(seat: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        RAJA.private(Scene().state, seat)


def test_a_copy_is_equal_until_one_of_them_changes() -> None:
    scene = Scene(open=(Action.GOLD,))
    before = scene.state.copy()
    assert before == scene.state
    scene.act(0, TakeGold())
    assert before != scene.state
    assert before != "a state"

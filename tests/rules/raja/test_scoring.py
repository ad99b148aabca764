"""The scoring of a city and the end of the game (rules, Scoring a city; The end)."""

from __future__ import annotations

import pytest

from engine.raja.game import RAJA
from engine.raja.scoring import PAY, pay, points
from engine.raja.words.commands import EndTurn
from engine.raja.words.happenings import CityScored, GameEnded
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character
from tests.engine.raja.scene import Scene


def test_points_are_those_of_the_table() -> None:
    scene = Scene(
        architect=Place.KOTA,
        central={Place.KOTA: 1},
        outer={Place.KOTA: (0, 2, 2)},
        houses={Place.KOTA: (0, 0, 2), Place.V01: (1,)},
    )
    assert points(scene.state, Place.KOTA) == (4, 3, 5), "the sadhu's outer palaces are 2 each"
    assert points(scene.state, Place.DELHI) == (0, 0, 0)


# Written out once more, from the table of the rules.
@pytest.mark.parametrize("row", [(10, 5), (11, 7, 3), (12, 9, 6, 3), (13, 10, 7, 4, 1)], ids=len)
def test_the_bank_pays_by_place(row: tuple[int, ...]) -> None:
    seats = len(row)
    assert PAY[seats] == row
    state = Scene(seats, open=None).state
    assert pay(state, tuple(range(seats, 0, -1))) == row
    assert pay(state, (4,) * seats) == row, "ties by rank"
    assert pay(state, (0,) * (seats - 1) + (1,)) == (0,) * (seats - 1) + (row[0],)
    assert pay(state, (0,) * seats) == (0,) * seats


def _ended(scene: Scene) -> GameEnded | None:
    for _ in range(3):
        (seat,) = scene.asked
        events = scene.act(seat, EndTurn())
    assert any(isinstance(event, CityScored) for event in events)
    last = events[-1]
    return last if isinstance(last, GameEnded) else None


def test_the_last_round_ends_the_game_and_most_palaces_win() -> None:
    held = [[Character.MONK], [Character.MOGUL], [Character.SADHU]]
    gold = (90, 0, 30)
    assert RAJA.result(Scene(round=10).state) is None
    for scene, winner in (
        (Scene(round=10, central={Place.KOTA: 1}, gold=gold), 1),
        (Scene(round=10, gold=gold), 0),
        (Scene(round=10, gold=(0, 4, 4), characters=held), 1),
        (Scene(3, "short", round=8, gold=gold), 0),
    ):
        ended = _ended(scene)
        assert ended is not None
        assert ended.winner == scene.state.winner == winner
        assert ended.palaces == scene.state.built


def test_all_palaces_built_end_the_game_after_the_round() -> None:
    seven = {Place.AJMER: (0,) * 6}
    assert _ended(Scene(outer=seven, central={Place.KOTA: 0})) is not None
    assert _ended(Scene(outer=seven)) is None
    assert _ended(Scene(3, "short", outer=seven)) is not None


def test_the_next_round_moves_the_maharaja_and_the_coat_to_the_top() -> None:
    scene = Scene(open=(Action.GOLD,))
    track = scene.state.track
    assert _ended(scene) is None
    assert (scene.state.round, scene.state.maharaja) == (2, track[0])
    assert scene.state.track == (*track[1:], track[0])
    assert scene.asked == [0, 1, 2]

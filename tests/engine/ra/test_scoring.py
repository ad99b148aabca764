"""Scoring and winning (rules, Scoring, each epoch; third epoch only), and B42."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.ra.game import RA
from engine.ra.scoring import score
from engine.ra.words.commands import Draw
from engine.ra.words.happenings import Sheet
from engine.ra.words.pieces import CIVILIZATIONS, MONUMENTS, RA_SPACES, Kind
from tests.engine.ra.scene import Scene, Tiles

FLOOD, NILE, PHARAOH = Kind.FLOOD, Kind.NILE, Kind.PHARAOH


def sheets(
    *tiles: Tiles,
    ruleset: str = "standard",
    epoch: int = 1,
    up: Sequence[Sequence[int]] | None = None,
    down: Sequence[Sequence[int]] | None = None,
    points: Sequence[int] | None = None,
) -> tuple[Sheet, ...]:
    """The sheets of players who hold `tiles`; two players at least."""
    held = dict(enumerate(tiles))
    seats = max(2, len(tiles))
    scene = Scene(seats, ruleset, tiles=held, epoch=epoch, up=up, down=down, points=points)
    return score(scene.state)


def kinds(among: range, types: int) -> dict[Kind, int]:
    return {Kind(kind): 1 for kind in among[:types]}


@pytest.mark.parametrize("epoch", [1, 2, 3])
def test_gods_are_two_points_each_and_gold_three(epoch: int) -> None:
    sheet = sheets({Kind.GOD: 3, Kind.GOLD: 2}, epoch=epoch)[0]
    assert (sheet.god, sheet.gold) == (6, 6)


@pytest.mark.parametrize(
    ("pharaohs", "points"),
    [
        ((3, 2, 1), (5, 0, -2)),
        ((3, 3, 1), (5, 5, -2)),
        ((3, 1, 1), (5, -2, -2)),
        ((2, 2, 2), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((1, 0, 0, 0, 0), (5, -2, -2, -2, -2)),
        ((4, 0), (5, -2)),
    ],
)
def test_pharaohs_most_and_fewest_in_full_for_all_who_tie(
    pharaohs: tuple[int, ...], points: tuple[int, ...]
) -> None:
    scored = sheets(*({PHARAOH: count} for count in pharaohs))
    assert tuple(sheet.pharaoh for sheet in scored) == points


@pytest.mark.parametrize(
    ("niles", "floods", "points"), [(4, 0, 0), (4, 1, 5), (0, 2, 2), (0, 0, 0), (25, 12, 37)]
)
def test_b42_niles_count_with_a_flood(niles: int, floods: int, points: int) -> None:
    assert sheets({NILE: niles, FLOOD: floods})[0].nile == points


@pytest.mark.parametrize(("types", "points"), list(enumerate((-5, 0, 0, 5, 10, 15))))
def test_b42_civilizations_by_different_types(types: int, points: int) -> None:
    assert sheets(kinds(CIVILIZATIONS, types))[0].civilization == points


def test_b42_more_of_one_civilization_do_not_help() -> None:
    assert sheets({Kind.ART: 5})[0].civilization == 0
    assert sheets({Kind.ART: 5, Kind.WRITING: 4})[0].civilization == 0


@pytest.mark.parametrize(("types", "points"), list(enumerate((0, 1, 2, 3, 4, 5, 6, 10, 15))))
def test_monuments_by_different_types(types: int, points: int) -> None:
    assert sheets(kinds(MONUMENTS, types), epoch=3)[0].monument_types == points


@pytest.mark.parametrize(
    ("held", "types", "alike"),
    [
        ({}, 0, 0),
        ({Kind.TEMPLE: 2}, 1, 0),
        ({Kind.TEMPLE: 3}, 1, 5),
        ({Kind.TEMPLE: 4}, 1, 10),
        ({Kind.TEMPLE: 5}, 1, 15),
        (kinds(MONUMENTS, 6), 6, 0),
        (kinds(MONUMENTS, 7), 10, 0),
        (kinds(MONUMENTS, 8), 15, 0),
        ({**kinds(MONUMENTS, 8), Kind.STATUE: 3}, 15, 5),
        ({Kind.STATUE: 3, Kind.SPHINX: 5, Kind.PALACE: 4}, 3, 30),
    ],
)
def test_b42_monuments_only_after_the_third_epoch(held: Tiles, types: int, alike: int) -> None:
    sheet = sheets(held, epoch=3)[0]
    assert (sheet.monument_types, sheet.monument_alike) == (types, alike)
    for epoch in (1, 2):
        sheet = sheets(held, epoch=epoch)[0]
        assert (sheet.monument_types, sheet.monument_alike) == (0, 0)


@pytest.mark.parametrize(
    ("up", "down", "points"),
    [
        ([[2], [3], [4]], [[8], [], []], (5, -5, 0)),
        ([[2], [3], [4]], [[8], [7], []], (5, 5, -5)),
        ([[9], [3], [2]], [[], [], [1]], (5, -5, -5)),
        ([[9], [], [2]], [[], [9], [7]], (0, 0, 0)),
    ],
)
def test_b42_all_suns_but_that_on_the_board_only_after_the_third_epoch(
    up: list[list[int]], down: list[list[int]], points: tuple[int, ...]
) -> None:
    scored = sheets({}, {}, {}, up=up, down=down, epoch=3)
    assert tuple(sheet.suns for sheet in scored) == points
    for epoch in (1, 2):
        scored = sheets({}, {}, {}, up=up, down=down, epoch=epoch)
        assert tuple(sheet.suns for sheet in scored) == (0, 0, 0)


@pytest.mark.parametrize(
    ("ruleset", "civilization", "suns"),
    [("standard", -5, -5), ("alea-1999", -5, -5), ("wikipedia-ja-2012", -2, -2)],
)
def test_rulesets_no_civilization_and_the_lowest_suns(
    ruleset: str, civilization: int, suns: int
) -> None:
    scored = sheets({}, {}, {}, ruleset=ruleset, epoch=3, up=[[2], [3], [4]])
    assert [sheet.civilization for sheet in scored] == [civilization] * 3
    assert [sheet.suns for sheet in scored] == [suns, 0, 5]


def test_an_epoch_is_one_net_change_and_a_total_never_falls_below_zero() -> None:
    """+6 and -7 from 2 points are 1, not 0 + 6 or 2 - 7 first."""
    two_golds = {Kind.GOLD: 2}
    first, second = sheets(two_golds, {PHARAOH: 1}, points=(2, 3))
    assert (first.gold, first.civilization, first.pharaoh) == (6, -5, -2)
    assert first.change == -1
    assert first.total == 1
    assert second.change == 0
    first, _ = sheets({}, {PHARAOH: 1}, points=(2, 3))
    assert first.change == -7
    assert first.total == 0


def test_a_sheet_names_its_epoch_and_the_epochs_add_up() -> None:
    scene = Scene(2, bag=[Kind.RA], ra=RA_SPACES[2] - 1, tiles={0: {Kind.GOLD: 4}})
    scene.act(0, Draw())
    assert RA.private(scene.state, 0).points == 10 + 12 - 5
    assert RA.private(scene.state, 1).points == 10 - 5
    assert [sheet.epoch for sheet in RA.private(scene.state, 0).sheets] == [1]


def final(
    points: Sequence[int], up: Sequence[Sequence[int]], ruleset: str = "standard"
) -> tuple[int, ...]:
    """The winners if everybody ends with `points`; suns make no difference in them."""
    seats = len(points)
    scene = Scene(seats, ruleset, bag=[Kind.RA], ra=RA_SPACES[seats] - 1, epoch=3, up=up)
    lines = [sheet.change for sheet in score(scene.state)]
    start = [total - change for total, change in zip(points, lines, strict=True)]
    scene.state.points = tuple(start)
    scene.act(0, Draw())
    result = RA.result(scene.state)
    assert result is not None
    assert result.points == tuple(points)
    return result.winners


def test_the_highest_total_wins() -> None:
    assert final([10, 30, 20], [[13], [2], [12]]) == (1,)


def test_b42_level_on_points_the_highest_single_sun_wins_not_the_sum() -> None:
    assert final([30, 30, 20], [[9, 8, 7], [10, 2], [13]]) == (1,)
    assert final([30, 30, 20], [[9, 8, 7], [6, 5], [13]]) == (0,)


@pytest.mark.parametrize(
    ("ruleset", "winners"),
    [("standard", (2,)), ("alea-1999", (2,)), ("wikipedia-ja-2012", (0, 2))],
)
def test_rulesets_a_tie_on_points(ruleset: str, winners: tuple[int, ...]) -> None:
    assert final([30, 29, 30], [[9], [13], [10]], ruleset) == winners

"""The start of a game (rules, Components): sets of suns, bag, tracks, points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.game import Setup
from engine.ra.deal import FULL_BAG, RaDeal
from engine.ra.game import RA
from engine.ra.words.pieces import COPIES, SUN_SETS, Kind
from engine.ra.words.views import Board

SEED = bytes(range(32))


def dealt(seats: int) -> RaDeal:
    return RA.deal(Setup("standard", seats), Chance(SEED))


@dataclass
class Start:
    ra_spaces: int
    sets: list[list[int]]


# B41: written out once more, from the table of the rules.
STARTS = {
    2: Start(6, [[2, 5, 6, 9], [3, 4, 7, 8]]),
    3: Start(8, [[2, 5, 8, 13], [3, 6, 9, 12], [4, 7, 10, 11]]),
    4: Start(9, [[2, 6, 13], [3, 7, 12], [4, 8, 11], [5, 9, 10]]),
    5: Start(10, [[2, 7, 16], [3, 8, 15], [4, 9, 14], [5, 10, 13], [6, 11, 12]]),
}


@pytest.mark.parametrize("seats", STARTS)
def test_b41_start_for_every_number_of_players(seats: int) -> None:
    setup = Setup("standard", seats)
    state = RA.setup(setup, dealt(seats))
    board = RA.public(state)
    assert isinstance(board, Board)
    assert board.ra_spaces == STARTS[seats].ra_spaces
    assert sorted(list(player.up) for player in board.players) == STARTS[seats].sets
    assert (board.sun, board.bag, board.ra, board.track, board.epoch) == (1, 180, 0, (), 1)
    assert [RA.private(state, seat).points for seat in range(seats)] == [10] * seats
    holder = max(range(seats), key=lambda seat: max(board.players[seat].up))
    assert board.turn == holder, "the holder of the highest sun begins"
    assert list(RA.prompts(state)) == [holder]


def test_components_the_bag_holds_180_tiles_30_of_them_ra() -> None:
    assert len(FULL_BAG) == sum(COPIES) == 180
    assert Counter(FULL_BAG)[Kind.RA] == 30
    assert Counter(COPIES) == {5: 14, 2: 3, 25: 2, 30: 1, 8: 1, 12: 1, 4: 1}
    assert {kind.name.lower(): COPIES[kind] for kind in list(Kind)[:6]} == {
        "ra": 30,
        "god": 8,
        "gold": 5,
        "pharaoh": 25,
        "nile": 25,
        "flood": 12,
    }
    assert COPIES[Kind.FUNERAL :] == (2, 2, 4, 2)


@pytest.mark.parametrize("seats", STARTS)
def test_a_deal_is_made_of_the_chance_in_written_order(seats: int) -> None:
    """First the sets, then the bag, one stream of numbers."""
    chance = Chance(SEED)
    sets = chance.shuffle(SUN_SETS[seats])
    assert dealt(seats) == RaDeal(chance.shuffle(FULL_BAG), sets)


def test_a_deal_does_not_print_its_bag() -> None:
    assert "bag" not in repr(dealt(3))
    assert "NILE" not in repr(RA.setup(Setup("standard", 3), dealt(3)).terms)


def test_an_impossible_deal_is_no_setup() -> None:
    good = dealt(3)
    bag = good.bag
    bad: list[object] = [
        None,
        (good.bag, good.sets),
        dealt(4),
        evolve(good, bag=bag[:-1]),
        evolve(good, bag=(*bag, Kind.RA)),
        evolve(good, bag=tuple(map(int, bag))),  # type: ignore[arg-type]
        evolve(good, bag=(Kind.GOLD if bag[0] is not Kind.GOLD else Kind.RA, *bag[1:])),
        evolve(good, sets=good.sets[:2]),
        evolve(good, sets=((1, 5, 8, 13), *SUN_SETS[3][1:])),
        evolve(good, sets=(SUN_SETS[3][0],) * 3),
    ]
    for deal in bad:
        with pytest.raises(ValueError):
            RA.setup(Setup("standard", 3), deal)
    with pytest.raises(ValueError):
        RA.setup(Setup("standard", 6), good)


def test_suns_of_a_supplied_deal_may_stand_in_any_order() -> None:
    good = dealt(3)
    turned = evolve(good, sets=tuple(tuple(reversed(suns)) for suns in good.sets))
    setup = Setup("standard", 3)
    assert RA.setup(setup, turned).up == RA.setup(setup, good).up

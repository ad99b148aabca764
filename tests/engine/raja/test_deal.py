"""The start of a game of Raja (rules, Set-up, 1 and 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.deal import Chance
from engine.game import Setup
from engine.raja.deal import RajaDeal
from engine.raja.game import RAJA
from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import Character
from engine.raja.words.prompts import CharacterPrompt

SEED = bytes(range(32))


@pytest.mark.parametrize("seats", range(2, 6))
def test_the_start_for_every_number_of_players(seats: int) -> None:
    setup = Setup("standard", seats)
    dealt = RAJA.deal(setup, Chance(SEED))
    state = RAJA.setup(setup, dealt)
    board = RAJA.public(state)
    assert (board.round, board.maharaja, board.track) == (0, Place.CAMP, dealt.track)
    assert board.space == (1 if seats == 2 else 2)
    for seat, player in enumerate(board.players):
        assert (player.architect, player.supply, player.quarry) == (Place.CAMP, 0, 20)
        assert (player.palaces, player.characters) == (7, ())
        assert RAJA.private(state, seat).gold == 15
    assert RAJA.prompts(state) == {dealt.first: CharacterPrompt(tuple(Character)[:6])}


def test_chance_decides_every_order_and_every_first_seat() -> None:
    setup = Setup("standard", 3)
    deals = [RAJA.deal(setup, Chance(number.to_bytes(32, "big"))) for number in range(600)]
    assert set(Counter(deal.first for deal in deals)) == {0, 1, 2}
    assert {deal.track[0] for deal in deals} == set(CITIES)
    assert all(sorted(deal.track) == list(CITIES) for deal in deals)


def test_the_deal_follows_from_its_seed_for_ever() -> None:
    """The shuffle of the coats comes first, then the first seat."""
    chance = Chance(SEED)
    track = chance.shuffle(CITIES)
    assert RAJA.deal(Setup("standard", 4), Chance(SEED)) == RajaDeal(track, chance.below(4))


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ("no deal", "not a deal"),
        (RajaDeal(CITIES[1:], 0), "seven cities"),
        (RajaDeal((*CITIES[1:], Place.CAMP), 0), "seven cities"),
        (RajaDeal((*CITIES[1:], 0), 0), "no place"),  # type: ignore[arg-type]
        (RajaDeal(CITIES, 2), "first seat"),
        (RajaDeal(CITIES, -1), "first seat"),
        (RajaDeal(CITIES, True), "first seat"),
    ],
)
def test_an_impossible_deal_is_refused(deal: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RAJA.setup(Setup("standard", 2), deal)

"""Who keeps count knows everybody's gold."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.game import Bot
from engine.raja.bots.easy import EasyBot
from engine.raja.bots.memory import Memory
from engine.raja.bots.random_bot import RandomBot
from engine.raja.game import RAJA
from engine.raja.words.happenings import GoldTaken, MatchBegan, TraderPaid
from engine.raja.words.map import CITIES
from engine.table.words import TakenBack
from tests.engine.raja.bots.games import playing, shown

BEGAN = MatchBegan(CITIES, 0)


def test_gold_is_remembered_through_a_whole_game() -> None:
    memory = Memory()
    bots: list[Bot] = [RandomBot(), EasyBot(), RandomBot()]
    assert memory.recall(0, 15, 3) is None, "nothing was shown yet"
    for state, seat, command in playing(bots, "standard", 2):
        memory.hear(shown(RAJA.decide(state, seat, command), 1))
        assert memory.recall(1, state.gold[1], 3) == list(state.gold)


def test_one_who_missed_something_knows_nothing_for_certain() -> None:
    memory = Memory()
    memory.hear([BEGAN])
    assert memory.recall(0, 16, 2) is None


def test_what_was_taken_back_is_forgotten() -> None:
    """It is not said which action: what the seat has itself tells."""
    memory = Memory()
    memory.hear([BEGAN, GoldTaken(0), TraderPaid(1), GoldTaken(0), TakenBack(0, 3)])
    assert memory.recall(0, 17, 2) == [17, 16]
    memory.hear([GoldTaken(1)])
    assert memory.recall(0, 19, 2) == [19, 18]
    assert memory.recall(0, 17, 2) == [17, 18]


def test_the_same_happenings_make_the_same_memory() -> None:
    chance = Chance(bytes(32))
    heard = [BEGAN, *(GoldTaken(chance.below(4)) for _ in range(50))]
    first, other = Memory(), Memory()
    first.hear(heard)
    for happening in heard:
        other.hear([happening])
    gold = next(g for g in range(15, 200) if first.recall(0, g, 4))
    assert first.recall(0, gold, 4) == other.recall(0, gold, 4)


@pytest.mark.parametrize("seats", [2, 5])
def test_everybody_begins_with_the_same(seats: int) -> None:
    memory = Memory()
    memory.hear([BEGAN])
    assert memory.recall(1, 15, seats) == [15] * seats

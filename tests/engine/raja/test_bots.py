"""The bots of Raja play by the rules, and know nothing that is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.deal import Chance
from engine.entry import Command, Happening
from engine.game import Bot, Setup
from engine.raja.bots.easy import EasyBot
from engine.raja.bots.hard import HardBot
from engine.raja.bots.random_bot import RandomBot
from engine.raja.game import RAJA
from engine.raja.words.choices import choices
from engine.raja.words.pieces import Action, Character
from tests.engine.raja.bots.games import decide, playing, start
from tests.engine.raja.scene import Scene

EVERYTHING = [(ruleset, seats) for ruleset, allowed in RAJA.rulesets.items() for seats in allowed]


class NowAndThen:
    """Asks `hard` for some decisions, and `easy` for the others, to be quick enough for tests."""

    def __init__(self) -> None:
        self.hard, self.easy, self.asked = HardBot(2), EasyBot(), 0

    def watch(self, happened: Sequence[Happening]) -> None:
        self.hard.watch(happened)

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        self.asked += 1
        bot = self.easy if self.asked % 11 else self.hard
        return bot.choose(public, private, prompt, chance)


def bot_of(level: str) -> Bot:
    """A bot of `level` that is quick enough for tests."""
    return NowAndThen() if level == "hard" else RAJA.bots[level]()


def test_the_random_bot_can_give_every_answer() -> None:
    scene = Scene(open=(Action.GOLD, Action.GOVERNOR), characters=[[Character.MOGUL]] * 3)
    bot, chance = RandomBot(), Chance(bytes(32))
    for prompt in (scene.turn, Scene(open=None).prompt()):
        given = {bot.choose(None, None, prompt, chance) for _ in range(1000)}
        assert given == set(choices(prompt))


@pytest.mark.many_games
@pytest.mark.parametrize(("ruleset", "seats"), EVERYTHING)
def test_every_game_of_bots_ends(ruleset: str, seats: int) -> None:
    levels = list(RAJA.bots)
    bots = [bot_of(levels[-1 - place % len(levels)]) for place in range(seats)]
    *_, (state, seat, command) = playing(bots, ruleset, seats)
    RAJA.decide(state, seat, command)
    result = RAJA.result(state)
    assert result is not None
    assert len(result.winners) == 1


@pytest.mark.parametrize("level", RAJA.bots)
def test_the_same_game_is_played_again(level: str) -> None:
    games = [
        [command for _, _, command in playing([bot_of(level) for _ in range(2)], "yogi", 5)]
        for _ in range(2)
    ]
    assert games[0] == games[1]


@pytest.mark.parametrize("level", RAJA.bots)
def test_bots_do_not_see_what_others_chose_nor_their_gold(level: str) -> None:
    """Two states that differ in the gold of the others and in actions not yet revealed: the same
    decision of one who was not there before."""
    chance = Chance(bytes(32))
    asked = 0
    every = {"hard": 17, "normal": 5}.get(level, 1)
    for number, (state, seat, _) in enumerate(playing([bot_of("easy")] * 3, "standard", 6)):
        if number % every:
            continue
        twin = state.copy()
        twin.gold = tuple(
            gold if other == seat else chance.below(60) for other, gold in enumerate(state.gold)
        )
        twin.chosen = tuple(
            actions
            if other in (seat, state.turn) or state.acted[other] or not actions
            else (Action.SWAP, Action.SWAP)
            for other, actions in enumerate(state.chosen)
        )
        bots = [HardBot(2) if level == "hard" else bot_of(level) for _ in range(2)]
        given = [
            decide(bot, each, seat, Chance(bytes(32)))
            for bot, each in zip(bots, (state, twin), strict=True)
        ]
        assert given[0] == given[1]
        asked += 1
    assert asked > 5


def test_gold_that_is_shown_is_used() -> None:
    setup = Setup("standard", 2, ("open-information",))
    assert RAJA.public(start(setup, 1)).players[0].gold == 15
    bots = [bot_of(level) for level in ("normal", "easy")]
    assert list(playing(bots, "standard", 1, setup.options))

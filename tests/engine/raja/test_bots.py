"""The bots of Raja play by the rules."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.game import Setup
from engine.raja.bots.random_bot import RandomBot
from engine.raja.game import RAJA
from engine.raja.words.choices import choices
from engine.raja.words.pieces import Action, Character
from tests.engine.raja.scene import Scene


def test_the_random_bot_can_give_every_answer() -> None:
    scene = Scene(open=(Action.GOLD, Action.GOVERNOR), characters=[[Character.MOGUL]] * 3)
    bot, chance = RandomBot(), Chance(bytes(32))
    for prompt in (scene.turn, Scene(open=None).prompt()):
        given = {bot.choose(None, None, prompt, chance) for _ in range(1000)}
        assert given == set(choices(prompt))


@pytest.mark.parametrize("ruleset", RAJA.rulesets)
def test_a_game_of_random_bots_ends(ruleset: str) -> None:
    seats = RAJA.rulesets[ruleset][-1]
    setup, chance, bot = Setup(ruleset, seats), Chance(bytes(32)), RandomBot()
    state = RAJA.setup(setup, RAJA.deal(setup, chance))
    while asked := RAJA.prompts(state):
        seat = chance.choice(sorted(asked))
        RAJA.decide(state, seat, bot.choose(None, None, asked[seat], chance))
    result = RAJA.result(state)
    assert result is not None
    assert len(result.winners) == 1

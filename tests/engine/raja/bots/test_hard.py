"""What `hard` makes of decisions: it sees what is plain, says why, and repeats itself."""

from __future__ import annotations

from engine.deal import Chance
from engine.entry import Prompt
from engine.game import Advice, Adviser, Searcher, Watcher
from engine.raja.bots.hard import HardBot
from engine.raja.bots.monte_carlo import Candidate, estimate_all
from engine.raja.bots.normal import NormalBot
from engine.raja.bots.position import Position
from engine.raja.game import RAJA
from engine.raja.words.commands import (
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    TakeCharacter,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site
from engine.raja.words.prompts import CharacterPrompt, FoundPrompt
from tests.engine.raja.bots.games import playing
from tests.engine.raja.scene import Scene

YOGI_FIRST = [[Character.YOGI], [Character.MOGUL], [Character.TRADER]]


def advice(scene: Scene, prompt: Prompt | None = None, simulations: int = 20) -> Advice:
    views = RAJA.public(scene.state), RAJA.private(scene.state, 0)
    bot = HardBot(simulations)
    return bot.advise(*views, prompt or scene.prompt(), Chance(bytes(32)))


def test_it_is_what_it_says() -> None:
    bot = HardBot()
    assert isinstance(bot, Adviser)
    assert isinstance(bot, Watcher)
    assert isinstance(bot, Searcher)


def test_the_last_palace_is_built() -> None:
    outer = {Place.BIKANER: [0] * 6}
    scene = Scene(open=(Action.PALACE,), gold=[12, 9, 9], architect=Place.AJMER, outer=outer)
    said = advice(scene)
    assert said.options[0].command == BuildPalace(Action.PALACE, Site.CENTRAL)
    assert said.reason == "Palaces win the game, and here the central one counts 3 points."


def test_actions_are_chosen_that_build() -> None:
    scene = Scene(open=None, gold=[30, 2, 2], architect=Place.AJMER, round=10)
    said = advice(scene)
    best = said.options[0].command
    assert isinstance(best, ChooseActions)
    assert set(best.actions) <= {Action.PALACE, Action.PALACE_HOUSE}
    assert len(said.options) > 1
    assert said.reason.endswith("promise most, whatever the others may have chosen.")


def test_setting_up_is_advised_without_search() -> None:
    said = advice(Scene(), CharacterPrompt((Character.MOGUL, Character.ARTISAN)))
    assert said.options[0].command == TakeCharacter(Character.ARTISAN)
    assert said.options[0].value == 0 > said.options[1].value
    said = advice(Scene(), FoundPrompt((Place.V13, Place.V30)))
    assert isinstance(said.options[0].command, FoundHouse)


def test_nothing_to_do_is_said_so() -> None:
    said = advice(Scene(open=(Action.HOUSE,), supply=0))
    assert [option.command for option in said.options] == [EndTurn()]
    assert said.reason == "Nothing that is left is worth doing."


def test_one_without_time_answers_all_the_same() -> None:
    asked = 0

    def expired() -> bool:
        nonlocal asked
        asked += 1
        return True

    scene = Scene(open=None, ruleset="yogi", characters=YOGI_FIRST)
    views = RAJA.public(scene.state), RAJA.private(scene.state, 0)
    bot = HardBot(100_000, expired)
    said = bot.advise(*views, scene.prompt(), Chance(bytes(32)))
    assert asked == 1
    assert isinstance(said.options[0].command, ChooseActions)


def test_equal_candidates_differ_by_nothing() -> None:
    scene = Scene(2, open=None)
    at = Position(RAJA.public(scene.state), scene.state.gold)
    pair = (Action.GOLD, Action.GOLD)
    same = [Candidate(ChooseActions(pair), at, pair)] * 3
    tried = estimate_all(same, at, 0, 24, Chance(bytes(32)), lambda: False)
    assert [one.lead for one in tried] == [0, 0, 0]
    assert tried[1].worth < tried[0].worth


def test_advice_is_what_is_played_and_always_the_same() -> None:
    reasons = set()
    bots = [NormalBot(), NormalBot()]
    for number, (state, seat, _) in enumerate(playing(bots, "two-player-advanced", 4)):
        if number % 7:
            continue
        prompt = RAJA.prompts(state)[seat]
        views = RAJA.public(state), RAJA.private(state, seat)
        said = [HardBot(3).advise(*views, prompt, Chance(bytes(32))) for _ in range(2)]
        assert said[0] == said[1]
        allowed = set(RAJA.choices(prompt))
        assert {option.command for option in said[0].options} <= allowed
        assert said[0].reason.endswith(".")
        reasons.add(said[0].reason)
    assert len(reasons) > 5

"""Raja in the client: it offers what the game has, and whole games of it are played in lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.games import find_client
from client.raja.game import RAJA
from engine.raja.rulesets import RULESETS
from engine.raja.words.commands import TakeGold
from engine.raja.words.happenings import GoldTaken
from tests.client.raja.positions import RAJA as GAME
from tests.client.raja.positions import positions, scene
from tests.client.typed_runs import run, typist
from tests.server.peer import server


def test_the_client_offers_what_the_game_has() -> None:
    assert find_client("raja") is RAJA
    assert {name: rules.players for name, rules in RULESETS.items()} == RAJA.rulesets
    assert tuple(sorted(RAJA.options)) == GAME.options
    assert RAJA.bots == tuple(GAME.bots) and RAJA.usual_bot in RAJA.bots


def test_commands_and_happenings_are_shown_in_the_notation() -> None:
    assert RAJA.show(TakeGold()) == "gold"
    assert RAJA.notate(GoldTaken(1)) == "1 takes gold"
    assert RAJA.refusal("no_house", {}) == "there is no house in your supply"


def test_everybody_knows_who_is_waited_for() -> None:
    for step in positions(3, 6):
        for seat in (0, None):
            assert RAJA.asked(scene(step.match, seat)) == tuple(sorted(step.match.asked))


@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("auto", ["first", "random"])
async def test_a_whole_game_is_played_in_lines(ruleset: str, auto: str, tmp_path: Path) -> None:
    bots = "1" if ruleset == "two-player-advanced" else "2"
    playing = ("--solo", bots, "--game", "raja", "--ruleset", ruleset, "--level", "random")
    done = await run(tmp_path, *playing, "--plain", "--auto", auto, "--name", "Anna")
    assert (done.code, done.err) == (0, "")
    (over,) = [line for line in done.out if line.startswith("over: ")]
    assert over.endswith(" wins.") and "Anna has " in over
    fair = "fair: the secret is the one committed to, and your share is in it"
    assert done.out.count(fair) == 1
    rounds = RULESETS[ruleset].last_round
    begun = [line for line in done.out if "begins: the Maharaja comes to " in line]
    assert 1 < len(begun) <= rounds
    scored = [line for line in done.out if " is scored: " in line]
    assert len(scored) == len(begun)


async def test_a_game_is_begun_by_hand(tmp_path: Path) -> None:
    playing = ("--solo", "1", "--game", "raja", "--option", "open-information", "--level", "random")
    async with typist(tmp_path, *playing, "--plain", "--name", "Anna") as anna:
        await anna.line("^table: .* raja standard open-information playing")
        asked = await anna.line("^your character: take <([a-z]+)")
        assert asked is not None
        await anna.type(asked[1], f"Anna takes the {asked[1]}")
        for _ in range(4):
            asked = await anna.line("^your village: found <(v[0-9]+)")
            assert asked is not None
            await anna.type(asked[1][1:], "Anna founds a house in village ")
        await anna.line("^your actions: ")
        await anna.type("choose gold palace gold", "^refused: 'take gold' cannot be added by chit")
        await anna.type("gold quarry", "^#[0-9]+ You have chosen: take gold; take houses from")
        while (asked := await anna.line("^your (turn|replacement): (?:take <)?([a-z]+)"))[
            1
        ] != "turn":
            await anna.type(asked[2])
        assert "gold | quarry | " in anna.lines[-1]
        await anna.type("gold", "Anna takes 2 gold")
        await anna.type("move v7 v8 v9 v10", "^error: from where to where")
        await anna.type("state", "^  Anna: .* gold .you, on turn")
        await anna.type("score", "^  Anna: 0 palaces built")
        await anna.type("end", "Anna did not take houses from the quarry")
        await anna.type("quit")
        assert await anna.gone() == 0


async def test_people_play_at_a_table_of_a_server(tmp_path: Path) -> None:
    table = ("--create", "--game", "raja", "--ruleset", "yogi", "--seats", "3", "--bots", "random")
    async with server() as app:
        where, auto = f"127.0.0.1:{app.port}", ("--plain", "--auto", "random")
        async with typist(tmp_path, where, *auto, *table, "--name", "Anna") as anna:
            opened = await anna.line(r"^table: (\S+) raja yogi waiting; .*you have seat 1$")
            boris = await run(tmp_path, where, opened[1], *auto, "--name", "Boris")
            assert (boris.code, boris.err) == (0, "")
            over = await anna.line(r"^over: .* wins\.$")
            assert over[0] in boris.out
    rounds = sum("begins: the Maharaja comes to" in line for line in boris.out)
    for told in ("You have chosen: ", "Boris has chosen.", "Anna has chosen."):
        # One's own choice is told in full, that of others only as a fact.
        assert sum(told in line for line in boris.out) == rounds > 1

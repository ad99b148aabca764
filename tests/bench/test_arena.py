"""The arena runs, its figures hold together, and each level beats the one below in it."""

from __future__ import annotations

import json

import pytest

from engine.ra.game import RA
from tests.bench.arena import main, play, run, wilson


@pytest.mark.parametrize(
    ("better", "worse", "games", "least"),
    [("easy", "random", 40, 0.9), ("normal", "easy", 60, 0.65), ("hard", "normal", 6, 0.6)],
)
def test_each_level_beats_the_one_below(better: str, worse: str, games: int, least: float) -> None:
    """Fewer games than it takes to be sure how often (docs/bots.md has those), but the
    same ones every time."""
    found = run([better, worse], games, seed=1, budget=24)
    assert [seat["name"] for seat in found["seats"]] == [better, worse]
    assert found["games"] == games
    mine, theirs = (seat["win_rate"] for seat in found["seats"])
    assert mine >= least
    assert mine + theirs == pytest.approx(1)
    assert found["seats"][0]["points"] > found["seats"][1]["points"]


@pytest.mark.parametrize(
    ("better", "worse", "games"), [("easy", "random", 10), ("normal", "easy", 6)]
)
def test_the_levels_of_raja_do_too(better: str, worse: str, games: int) -> None:
    found = run([better, worse], games, seed=1, budget=None, game="raja")
    assert found["seats"][0]["win_rate"] >= 0.8


def test_the_processes_change_nothing_but_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--seats", "normal,easy,random", "--games", "7", "--seed", "3", "--json"]
    said = []
    for processes in ("1", "2"):
        main([*arguments, "--processes", processes])
        output = capsys.readouterr()
        assert "9/9 games" in output.err
        said.append(json.loads(output.out))
    assert said[0]["seats"] == said[1]["seats"]
    assert said[0]["games"] == 9, "whole rotations"
    for figure in ("games_per_s", "decisions_per_s", "p50_s", "p99_s"):
        assert said[0][figure] > 0
    for seat in said[0]["seats"]:
        low, high = seat["ci95"]
        assert 0 <= low <= seat["win_rate"] <= high <= 1


def test_the_figures_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seats", "hard,random", "--games", "2", "--budget", "2", "--processes", "1"])
    assert "hard wins" in capsys.readouterr().out


def test_seats_are_rotated_over_the_same_deal() -> None:
    """Equal bots that take no chances win each deal on the same seat, and so in turn."""
    games = [play("ra", ["easy"] * 3, "standard", 5, None, number) for number in range(3)]
    assert games[0].shares != games[1].shares
    assert [sum(game.shares[player] for game in games) for player in range(3)] == [1, 1, 1]
    assert len({tuple(sorted(game.points)) for game in games}) == 1


@pytest.mark.parametrize("ruleset", list(RA.rulesets))
def test_all_rulesets_are_played(ruleset: str) -> None:
    assert run(["normal"] * 5, 5, seed=2, budget=None, ruleset=ruleset)["games"] == 5


def test_mixed_levels_answer_legally_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    """A shorter form of the hundred thousand decisions of docs/bots.md."""
    main(["--mixed", "5000"])
    made, words = capsys.readouterr().out.split(" ", 1)
    assert int(made.replace(",", "")) >= 5000
    assert words == "decisions, none illegal\n"


def test_the_interval_is_wilsons() -> None:
    low, high = wilson(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    low, high = wilson(1.0, 10)
    assert (round(low, 4), round(high, 4)) == (0.7225, 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--seats", "easy,champion"],
        ["--seats", "easy"],
        ["--seats", "easy,easy", "--ruleset", "alea-1999"],
        ["--ruleset", "unheard-of"],
        ["--game", "raja", "--seats", "easy,easy,easy", "--ruleset", "two-player-advanced"],
        ["--games", "0"],
        ["--budget", "0"],
        ["--seed", "-1"],
        ["--processes", "0"],
    ],
)
def test_what_cannot_be_played_is_said(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(wrong)
    assert stopped.value.code == 2
    assert "error" in capsys.readouterr().err

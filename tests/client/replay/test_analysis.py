"""`ra-replay --analyse`: as text and JSON, the same again, and what cannot be analysed."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest

from client.replay import main
from client.replay.analysis import AnalysisOptions, analyse, json_text
from protocol.project import Projector
from protocol.record import read_record
from protocol.transcript import write_transcript
from tests.client.replay.test_command import GOLDEN, VEILED, running, saved
from tests.games import whole_game

FLAGS = ("--analyse", "--budget", "4", "--processes", "2")


def printed(capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[str, str]:
    assert main([*flags]) == 0
    out, err = capsys.readouterr()
    return out, err


def test_json_and_text_tell_the_same_and_tell_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, str(GOLDEN), *FLAGS, "--json", "--seat", "2")
    told = json.loads(out)
    count = len(told["decisions"])
    assert count > 20 and {one["seat"] for one in told["decisions"]} == {1}
    assert err.splitlines()[-1] == f"{count}/{count} decisions"
    (player,) = told["players"]
    costs = [one["cost"] for one in told["decisions"]]
    assert player["decisions"] == count
    assert player["not_thought_of"] == costs.count(None)
    assert player["cost"] == pytest.approx(sum(cost for cost in costs if cost is not None))
    assert player["agreed"] == sum(one["done"] == one["best"] for one in told["decisions"])
    worst = max(told["decisions"], key=lambda one: one["cost"] or 0)
    assert player["worst"] == worst["number"]
    for one in told["decisions"]:
        values = {option["command"]: option["value"] for option in one["options"]}
        assert one["options"][0]["command"] == one["best"]
        if one["cost"] is None:
            assert one["done"] not in values
        else:
            lost = values[one["best"]] - values[one["done"]]
            assert one["cost"] == pytest.approx(max(lost, 0))
        assert one["reason"].endswith(".")
    text, _ = printed(capsys, str(GOLDEN), *FLAGS, "--seat", "2", "--processes", "1")
    head, *lines = text.splitlines()
    assert "analysed by hard, 4 simulations a decision, seed 1" in head
    assert [int(line.split()[0]) for line in lines[:-1]] == [
        one["number"] for one in told["decisions"]
    ]
    for line, one in zip(lines, told["decisions"], strict=False):
        assert one["done"] in line
        assert ("(as hard)" in line) == (one["done"] == one["best"])
    given = re.search(r"([\d.]+) points given away", lines[-1])
    assert given is not None and float(given[1]) == pytest.approx(player["cost"])


def test_everybody_is_analysed_unless_a_seat_is_named() -> None:
    with GOLDEN.open("rb") as file:
        entries = read_record(file).entries
    of_all = analyse(entries, AnalysisOptions(simulations=2, processes=2), StringIO())
    assert [player.seat for player in of_all.players()] == [0, 1]
    other = analyse(entries, AnalysisOptions(simulations=2, processes=2, seed=2), StringIO())
    assert json_text(other) != json_text(of_all)


def test_what_cannot_be_analysed_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    veiled = saved(whole_game("miniature", VEILED), tmp_path)
    played = running()
    transcript = tmp_path / "game.transcript"
    projector = Projector(played.game)
    transcript.write_bytes(b"".join(write_transcript(played.entries, projector, 0, "tests")))
    for flags, words in (
        ((veiled, "--analyse"), "no bot of miniature can say what it thinks"),
        ((str(transcript), "--analyse"), "a transcript cannot be analysed"),
        ((str(GOLDEN), "--analyse", "--seat", "7"), "there is no seat 7"),
    ):
        assert main([*flags]) == 2
        out, err = capsys.readouterr()
        assert out == "" and words in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "flags",
    [
        ("--budget", "5"),
        ("--analyse", "--plain"),
        ("--analyse", "--verify"),
        ("--analyse", "--at", "3"),
        ("--analyse", "--seat", "spectator"),
        ("--analyse", "--budget", "0"),
    ],
)
def test_flags_that_make_no_sense_together(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([str(GOLDEN), *flags])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1

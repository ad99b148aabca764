"""Games recorded by an independent implementation play the same here, step by step;
and the comparison finds whatever is changed in such a file, and never breaks."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import traces
from tests.conformance.comparison import Comparison

DATA = Path(__file__).parent.parent / "data"
FILE = DATA / "ra-traces.jsonl.gz"
RAJA_FILE = DATA / "raja-traces.jsonl.gz"


@cache
def _first_line() -> bytes:
    with gzip.open(FILE) as file:
        return file.readline()


@cache
def _raja_lines() -> tuple[bytes, ...]:
    with gzip.open(RAJA_FILE) as file:
        return tuple(file)


def _compare(tmp_path: Path, *lines: bytes) -> Comparison:
    path = tmp_path / "traces.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(lines)))
    return traces.compare_file(path)


def test_every_recorded_game_plays_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert traces.main([str(FILE)]) == 0
    assert capsys.readouterr().out == "240 games, 56483 steps, 0 differences\n"


def test_recorded_games_of_raja_play_the_same(tmp_path: Path) -> None:
    """A spread of them: all take a quarter of a minute (tests/data/README.md)."""
    lines = _raja_lines()[::7]
    found = _compare(tmp_path, *lines)
    assert found.differences == []
    assert found.games == 35
    assert found.steps > 9_000
    rulesets = {json.loads(line)["ruleset"] for line in lines}
    assert rulesets == {"standard", "yogi", "short", "two-player-advanced"}


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(trace: dict[str, Any]) -> None:
        inside: Any = trace
        for key in path[:-1]:
            inside = inside[key]
        assert inside[path[-1]] != to or type(inside[path[-1]]) is not type(to)
        inside[path[-1]] = to

    return change


ONE_CHANGE = {
    "owner": _set("steps", 5, "seat", to=7),
    "owner is a bool": _set("steps", 0, "seat", to=False),
    "may draw": _set("steps", 0, "may", "draw", to=False),
    "may spend gods": _set("steps", 0, "may", "gods", to=1),
    "bids": _set("steps", 9, "may", "bids", to=[3, 4, 7]),
    "may pass": _set("steps", 9, "may", "pass", to=False),
    "to discard": _set("steps", 66, "may", "discard", to=1),
    "discard from": _set("steps", 66, "may", "from", "pyramid", to=1),
    "phase": _set("steps", 3, "then", "phase", to="discard"),
    "asked": _set("steps", 3, "then", "player", to=None),
    "epoch": _set("steps", 3, "then", "epoch", to=2),
    "Ra track": _set("steps", 3, "then", "ra", to=5),
    "auction track": _set("steps", 3, "then", "track", to=["nile"]),
    "sun on the board": _set("steps", 3, "then", "board_sun", to=2),
    "face-up suns": _set("steps", 3, "then", "up", to=[[2, 5, 6], [3, 4, 7, 8]]),
    "face-down suns": _set("steps", 3, "then", "down", to=[[9], []]),
    "tiles": _set("steps", 3, "then", "tiles", to=[{"gold": 1}, {}]),
    "bag": _set("steps", 3, "then", "bag", to=179),
    "totals": _set("epochs", 1, "totals", to=[0, 0]),
    "sheet": _set("epochs", 2, "sheet", to=[{}, {}]),
    "winners": _set("winners", to=[0, 1]),
    "last state": _set("steps", -1, "then", "player", to=0),
}


@pytest.mark.parametrize("change", ONE_CHANGE.values(), ids=ONE_CHANGE.keys())
def test_one_changed_value_is_one_difference(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    trace = json.loads(_first_line())
    change(trace)
    found = _compare(tmp_path, json.dumps(trace).encode())
    assert len(found.differences) == 1, found.differences
    assert found.games == 1
    assert found.steps == len(trace["steps"])


SHORTER = {
    "a move that the prompt does not offer": _set("steps", 0, "move", to=["pass"]),
    "a move that is none": _set("steps", 0, "move", to=["sing"]),
    "a sun that was not held": _set("steps", 12, "move", to=["bid", 16]),
    "fewer tiles than are to go": _set("steps", 66, "move", to=["discard", ["palace"]]),
    "bids without the pass": lambda trace: trace["steps"][9]["may"].pop("pass"),
    "a discard from nothing": lambda trace: trace["steps"][66]["may"].pop("from"),
    "a ruleset that is no text": _set("ruleset", to="\ud800"),
    "a ruleset of two lines": _set("ruleset", to="a\nb\u2028c"),
    "a key that is no text": lambda trace: trace["steps"][0]["may"].update({"\ud800\n": 1}),
    "no tile": _set("steps", 0, "move", to=["gods", ["lotus"]]),
    "a bool for a sun": _set("steps", 0, "move", to=["bid", True]),
    "the end missing": lambda trace: trace["steps"].pop(),
    "a step after the end": lambda trace: trace["steps"].append(trace["steps"][0]),
    "an epoch missing": lambda trace: trace["epochs"].pop(),
    "a field missing": lambda trace: trace["steps"][4]["then"].pop("bag"),
    "a field too many": _set("steps", 4, "then", to={"colour": 1}),
    "an unknown ruleset": _set("ruleset", to="house rules"),
    "too few players for the ruleset": _set("ruleset", to="alea-1999"),
    "players no number": _set("players", to="2"),
    "a bag of 179": lambda trace: trace["bag"].pop(),
    "a bag of numbers": _set("bag", to=[1] * 180),
    "suns of nobody": _set("suns", to=[]),
    "suns no numbers": _set("suns", to=[["9"], {}]),
    "steps no list": _set("steps", to={}),
    "a step no object": _set("steps", 2, to=[1]),
    "epochs no list": _set("epochs", to=None),
    "another format": _set("format", to="ra-trace/2"),
}


@pytest.mark.parametrize("change", SHORTER.values(), ids=SHORTER.keys())
def test_a_broken_trace_is_a_difference(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], None]
) -> None:
    trace = json.loads(_first_line())
    change(trace)
    found = _compare(tmp_path, json.dumps(trace).encode(), b"", _first_line())
    assert found.differences
    assert all("\n" not in line for line in found.differences)
    assert found.games == 2, "the games after it are played all the same"
    assert all(line.startswith("game 1") for line in found.differences)
    assert traces.main([str(tmp_path / "traces.jsonl.gz")]) == 1
    printed = capfd.readouterr().out
    assert printed.isascii()
    assert printed.splitlines() == [*found.differences, found.summary()]


RAJA_CHANGE = {
    "asked": _set("steps", 3, "may", to={}),
    "villages": _set("steps", 3, "may", "1", "village", to=["v01"]),
    "phase": _set("steps", 3, "then", "phase", to="over"),
    "track": _set("steps", 3, "then", "track", to=[]),
    "gold": _set("steps", 3, "then", "gold", to=[15, 15, 16]),
    "houses": _set("steps", 3, "then", "houses", to={"v01": [1]}),
    "seat": _set("steps", 3, "seat", to=0),
    "seat is a bool": _set("steps", 3, "seat", to=True),
    "no object": _set("steps", 3, to=[]),
    "a move that is refused": _set("steps", 3, "move", to=["found", "delhi"]),
    "a move that is none": _set("steps", 3, "move", to=["sing"]),
    "a place that is none": _set("steps", 3, "move", to=["found", "v31"]),
    "points of a round": _set("scores", 1, "points", to=[1, 2]),
    "palaces": _set("palaces", to=[]),
    "winners": _set("winners", to=[7]),
    "the first seat": _set("first", to=9),
    "players no number": _set("players", to="3"),
    "an unknown ruleset": _set("ruleset", to="house rules"),
    "the end missing": lambda trace: trace["steps"].pop(),
    "a step after the end": lambda trace: trace["steps"].append(trace["steps"][0]),
}


@pytest.mark.parametrize("change", RAJA_CHANGE.values(), ids=RAJA_CHANGE.keys())
def test_a_changed_trace_of_raja_is_a_difference(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    trace = json.loads(_raja_lines()[0])
    change(trace)
    assert _compare(tmp_path, json.dumps(trace).encode()).differences


def test_the_order_of_bids_and_winners_and_the_name_of_the_format_say_nothing(
    tmp_path: Path,
) -> None:
    with gzip.open(FILE) as file:
        lines = [json.loads(line) for line in file]
    trace = next(trace for trace in lines if len(trace["winners"]) > 1)
    trace["winners"].reverse()
    del trace["format"]
    for step in trace["steps"]:
        if "bids" in step["may"]:
            step["may"]["bids"].reverse()
    assert _compare(tmp_path, json.dumps(trace).encode()).differences == []


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b"null", b"7", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900],
)
def test_a_line_that_is_no_trace_is_a_difference(tmp_path: Path, line: bytes) -> None:
    found = _compare(tmp_path, line)
    assert len(found.differences) == 1
    assert found.games == 1


def test_deep_nesting_within_a_step_is_a_difference(tmp_path: Path) -> None:
    deep = b"[" * 900 + b"]" * 900
    line = _first_line().replace(b'"may":{"draw":true', b'"may":{"deep":' + deep, 1)
    assert line != _first_line()
    assert _compare(tmp_path, line).differences


def test_a_file_that_cannot_be_read_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(FILE.read_bytes()[:5000])
    for path in (torn, tmp_path / "missing", tmp_path):
        assert traces.main([str(path)]) == 1
        assert capsys.readouterr().out.splitlines()[-1].endswith(" 1 differences")


def test_a_plain_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(_first_line())
    found = traces.compare_file(path)
    assert (found.games, found.differences) == (1, [])


def test_the_command_wants_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert traces.main([]) == 2
    assert "usage" in capsys.readouterr().err

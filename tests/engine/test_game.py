"""Finding games, and what can be agreed before a match."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import Code, IllegalAction
from engine.game import Setup, find_game
from tests.games import open_table, setups
from tests.miniature import ROOT, environment
from tests.miniature.game import MINIATURE


def test_games_are_found_by_name() -> None:
    assert find_game("miniature") is MINIATURE
    assert find_game("ra").name == "ra"
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS):
        find_game("chess")


def test_commands_that_all_mean_something_else_are_their_own_canonical_form() -> None:
    match = open_table("miniature", setups("miniature")[-1]).stream.match
    assert match is not None
    for asked in match.asked.values():
        for command in MINIATURE.choices(asked.prompt):
            assert MINIATURE.canonical(command) is command


def test_a_game_is_registered_in_processes_of_their_own(tmp_path: Path) -> None:
    code = "from engine.game import find_game; print(find_game('miniature').name)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "miniature\n"


def test_what_was_on_the_path_before_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert environment()["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)
    assert environment()["PYTHONPATH"].split(os.pathsep)[-1] == "/elsewhere"
    monkeypatch.delenv("PYTHONPATH")
    assert str(ROOT) in environment()["PYTHONPATH"]


def test_an_entry_point_that_is_no_game_is_the_packagers_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "wrong-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[ra_online.games]\nnonsense = engine.deal:commit\nother = tests.miniature.game:MINIATURE\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("nonsense", "other"):
        with pytest.raises(TypeError, match=name):
            find_game(name)


@pytest.mark.parametrize(
    ("setup", "fact"),
    [
        (Setup("shut", 2), "ruleset"),
        (Setup("open", 1), "seats"),
        (Setup("open", 5), "seats"),
        (Setup("open", 10**9), "seats"),
        (Setup("open", 2, ("short",)), "option"),
        (Setup("open", 2, ("long", "long")), "options"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(setup: Setup, fact: str) -> None:
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS) as refusal:
        MINIATURE.check(setup)
    assert fact in refusal.value.facts


def test_options_are_named_once_and_in_order() -> None:
    MINIATURE.check(Setup("open", 2, ("long",)))
    game = find_game("ra")
    game.check(Setup("standard", 5, ("answer-passes", "open-information")))
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS):
        game.check(Setup("standard", 5, ("open-information", "answer-passes")))

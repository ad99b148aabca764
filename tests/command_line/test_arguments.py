"""The command line says what is wrong with it in one line and exit code 2."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client import arguments
from client.arguments import parse_arguments
from client.replay import arguments as replay
from server import config


@pytest.mark.parametrize(
    "line",
    [
        "",
        "CODE",
        "::1",
        "h:0 --plain",
        "h --solo 2",
        "--solo two",
        "--solo 2 --create",
        "h --level hard",
        "h CODE --create",
        "h --watch",
        "h --seats 3",
        "h --game raja",
        "h --option open-information",
        "--solo 2 --seats 3",
        "--solo 2 --game raja --clock 1d",
        "h --auto first",
        "h --plain --auto best",
        "h --nonsense",
        "h CODE more",
        "h --notation",
        "h --unlisted",
    ],
)
def test_what_makes_no_sense_is_one_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    if line == "CODE":
        line = "not:an:address CODE"
    with pytest.raises(SystemExit) as ended:
        parse_arguments(line.split(), {})
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("ra-client: ")
    assert told.err.count("\n") == 1


def test_what_makes_sense_is_read() -> None:
    args = parse_arguments(
        ["h", "--create", "--seats", "4", "--bots", "easy", "--option", "open-information"],
        {"RA_DATA": "/somewhere"},
    )
    assert args.create == {"seats": "4", "bots": "easy", "options": "open-information"}
    assert args.data == Path("/somewhere")
    assert parse_arguments(["h", "--data", "/x"], {"RA_DATA": "/y"}).data == Path("/x")
    assert parse_arguments(["h", "KIWI-42", "--watch"], {}).watch
    assert parse_arguments(["--solo", "3"], {}).address is None
    assert parse_arguments(["--solo", "3", "--level", "hard"], {}).level == "hard"
    solo = parse_arguments(["--solo", "3", "--game", "raja", "--ruleset", "yogi"], {})
    assert (solo.solo_game, solo.create) == ({"game": "raja", "ruleset": "yogi"}, None)


@pytest.mark.parametrize("program", ["ra-client", "ra-server", "ra-replay"])
def test_no_help_needs_what_is_not_there_yet(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python 3.14 expands an argument's help as soon as it is added."""
    add = argparse._ActionsContainer.add_argument

    def expanding(self: Any, *words: Any, **more: Any) -> argparse.Action:
        action = add(self, *words, **more)
        if action.help:
            argparse.HelpFormatter("x")._expand_help(action)
        return action

    monkeypatch.setattr(argparse._ActionsContainer, "add_argument", expanding)
    programs: dict[str, Callable[[list[str]], object]] = {
        "ra-client": arguments.parse_arguments,
        "ra-server": config.parse,
        "ra-replay": replay.parse_arguments,
    }
    read = programs[program]
    with pytest.raises(SystemExit) as end:
        read(["--help"])
    assert end.value.code == 0
    assert program in capsys.readouterr().out

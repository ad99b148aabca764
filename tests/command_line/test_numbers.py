"""Numbers on the command lines of the three programs: what is in bounds is taken, and what is
not is refused with the bounds there really are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from client.arguments import parse_arguments as client
from client.join.table_options import BadTable, new_table
from client.replay.arguments import parse_arguments as replay
from server.config import parse as server

NONE = ("", " ", "1.5", "1_0", "1e3", "-1", "+", "x", "٣", "0x10", "9" * 60)
"""No number from 1 on that anything takes."""


def refused(
    parse: Callable[[list[str]], object], capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    with pytest.raises(SystemExit) as ended:
        parse(list(words))
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.isascii()
    return said


BOUNDS = {
    "--at": (1, 200_000),
    "--epoch": (1, 200_000),
    "--budget": (1, 100_000_000),
    "--seed": (0, 2**64 - 1),
    "--processes": (1, 64),
    "--seat": (1, 255),
}


@pytest.mark.parametrize("flag", BOUNDS)
def test_a_replays_numbers(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    least, most = BOUNDS[flag]
    how = ["--plain"] if flag in ("--at", "--epoch") else ["--analyse"]
    for number in (least, most):
        told = vars(replay(["x.ra", *how, flag, str(number)]))[flag[2:]]
        assert told == (number - 1 if flag == "--seat" else number)
    for text in (*NONE, str(most + 1)):
        assert f"from {least} to {most}" in refused(replay, capsys, "x.ra", *how, f"{flag}={text}")


@pytest.mark.parametrize("text", [*NONE, "0", "5"])
def test_the_bots_of_a_solo_game(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "from 1 to 4" in refused(client, capsys, f"--solo={text}")


@pytest.mark.parametrize("text", [*NONE, "0", "1", "6", "999"])
def test_seats_and_bots_of_a_table(text: str) -> None:
    with pytest.raises(BadTable, match="a table has 2 to 5 seats"):
        new_table({"seats": text})
    if text in ("", "0", "1"):
        return  # so many bots there may be
    with pytest.raises(BadTable, match=r"at most 5 seats|2 to 5 seats|bots are a number from 0"):
        new_table({"bots": text})


@pytest.mark.parametrize(
    ("flag", "text", "bound"),
    [
        ("--port", "-1", "at least 0"),
        ("--port", "65536", "at most 65535"),
        ("--port", "9" * 60, "at most 65535"),
        ("--port", "8_0", "not a whole number"),
        ("--port", "1.5", "not a whole number"),
        ("--port", "٣", "not a whole number"),
        ("--table-entries", "9" * 30, "at most 100000"),
        ("--ping-seconds", "1e12", "at most 1000000000"),
        ("--ping-seconds", "nan", "not a number"),
        ("--bot-budget", "hard=0", "from 1 to 100000000"),
        ("--bot-budget", "hard=100000001", "from 1 to 100000000"),
        ("--bot-budget", "hard=09999999999999999999", "from 1 to 100000000"),
        ("--bot-budget", "hard=1_0", "does not look like hard=1500"),
    ],
)
def test_a_servers_numbers(
    flag: str, text: str, bound: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        server([f"{flag}={text}"], {})
    said = capsys.readouterr().err
    assert bound in said and said.count("\n") == 1

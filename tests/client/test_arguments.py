"""The command line says what is wrong with it in one line and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.arguments import parse_arguments


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

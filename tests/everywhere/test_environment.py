"""Variables that a machine sets for all its programs: proxies, no home, other encodings,
Python's own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.everywhere.cells import Cell
from tests.everywhere.limited import LIMITED
from tests.process.serving import program
from tests.terminal.terminal import Terminal

DEAD = "http://127.0.0.1:9"
"""Nobody listens there."""
PROXIES = {
    name: value
    for lower, value in (
        ("http_proxy", DEAD),
        ("https_proxy", DEAD),
        ("all_proxy", "socks5h://127.0.0.1:9"),
        ("socks_proxy", "socks5://127.0.0.1:9"),
        ("ftp_proxy", "not a proxy at all"),
    )
    for name in (lower, lower.upper())
}
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
PYTHONS = {
    "PYTHONWARNINGS": "error",
    "PYTHONOPTIMIZE": "2",
    "PYTHONSAFEPATH": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONHASHSEED": "0",
}
ODD = {"COLUMNS": "many", "LINES": "-1", "TZ": "Nowhere/At/All", "TMPDIR": "/nonexistent"}


async def test_a_proxy_for_all_programs_is_none_for_this_machine(cell: Cell) -> None:
    cell = cell.changed(**PROXIES)
    _, demo = await asyncio.gather(cell.round(), cell.demo())
    demo.worked("The game is over.")


@pytest.mark.parametrize("home", [None, "/nonexistent/home"])
async def test_without_a_home_all_works_that_needs_none(cell: Cell, home: str | None) -> None:
    cell = Cell(cell.home, {"HOME": home}, through=LIMITED)
    async with cell.served("--db", str(cell.home / "ra.db")) as server:
        joined = await cell.join(server.address, "--data", str(cell.home / "kept"))
        joined.worked("connected as Ann")
        (await server.stopped()).worked()


async def test_without_a_home_and_without_a_name_a_game_is_played(cell: Cell) -> None:
    cell = cell.changed(HOME=None, USER=None, LOGNAME=None)
    (await cell.demo()).worked("The game is over.")


async def test_a_home_that_takes_nothing_is_said_and_hinders_nobody_to_play(cell: Cell) -> None:
    empty = cell.home / "read-only"
    empty.mkdir(mode=0o555)
    cell = Cell(cell.home, {"HOME": str(empty)}, through=LIMITED)
    (await cell.serve()).failed(1, "ra-server: ", str(empty))
    async with cell.served("--memory") as server:
        joined = await cell.join(server.address)
        assert joined.code == 0 and "connected as Ann" in joined.out
        assert joined.err.count("\n") <= 2 and str(empty) in joined.err
        joined.was_clean()
    assert not list(empty.iterdir())


@pytest.mark.parametrize(
    "variables",
    [
        ASCII,
        {"LC_ALL": "xx_XX.nonsense", "PYTHONUTF8": "0", "PYTHONIOENCODING": "iso8859-1:strict"},
    ],
)
async def test_every_encoding_of_the_output_works(cell: Cell, variables: dict[str, str]) -> None:
    cell = cell.changed(**variables)
    replay = cell.run(*cell.program("client.replay"), str(cell.home / "ünknown.ra"), "--plain")
    _, missing = await asyncio.gather(cell.round(), replay)
    missing.failed(3, "ra-replay: ", "No such file")


def test_a_screen_without_utf_8_is_drawn_and_left(tmp_path: Path) -> None:
    client = (program("ra-client"), "--solo", "1", "--name", "Ann")
    surroundings = {**ASCII, "HOME": str(tmp_path)}
    with Terminal(client, environment=surroundings, folder=tmp_path) as terminal:
        terminal.until("Ann", "q leave")
        terminal.press("q")
        terminal.until("Leave the table?")
        terminal.press("y")
        assert terminal.ended() == 0
        assert "Traceback" not in terminal.errors


async def test_pythons_own_variables_and_odd_ones_change_nothing(cell: Cell) -> None:
    cell = cell.changed(**PYTHONS, **ODD)
    _, demo, verified = await asyncio.gather(cell.round(), cell.demo(), cell.verify())
    demo.worked("The game is over.")
    verified.worked("verified: chain")

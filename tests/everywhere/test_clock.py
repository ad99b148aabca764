"""A clock that is decades off, in either direction: nothing is measured by it but ages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.everywhere.cells import Cell

OTHER_TIME = """\
import time

real, real_ns = time.time, time.time_ns
off = {seconds} - int(real())
time.time = lambda: real() + off
time.time_ns = lambda: real_ns() + off * 10**9
"""
YEARS = {1970: 86_400, 2040: 2_208_988_800}


def at(year: int, cell: Cell, folder: Path) -> Cell:
    """The cell in another year."""
    (folder / "sitecustomize.py").write_text(OTHER_TIME.format(seconds=YEARS[year]))
    return cell.changed(PYTHONPATH=str(folder))


@pytest.mark.parametrize("year", YEARS)
async def test_who_came_while_the_clock_was_wrong_comes_back_when_it_is_right(
    cell: Cell, tmp_path: Path, year: int
) -> None:
    database, kept = ("--db", str(cell.home / "ra.db")), ("--data", str(cell.home / "kept"))
    wrong = at(year, cell, tmp_path)
    async with wrong.served(*database) as server:
        port = server.address.rpartition(":")[2]
        create = "create seats=3 bots=1 watch\nquit\n"
        first = await wrong.join(server.address, *kept, typed=create)
        first.worked("you look on (host)")
        (await server.stopped()).worked()
    table = first.out.split("table: ")[1].split()[0]
    # the last word on the command line counts
    async with cell.served("--port", port, *database) as server:
        typed = f"watch {table}\nquit\n"
        (await cell.join(server.address, *kept, typed=typed)).worked("you look on (host)")
        (await server.stopped()).worked()
    checked = await cell.run(*cell.program("server"), "check", database[1])
    checked.worked("nothing is wrong")

"""Machines with one kind of address alone."""

from __future__ import annotations

import sys

import pytest

from tests.everywhere.cells import Cell
from tests.everywhere.unshared import FORBIDDEN, command
from tests.house.places import ROOT


@pytest.mark.parametrize("kind", ["ipv4", "ipv6"])
async def test_a_machine_with_one_kind_of_address(cell: Cell, kind: str) -> None:
    cell = cell.changed(PYTHONPATH=str(ROOT))
    words = (sys.executable, "-m", "tests.everywhere.round", str(cell.home))
    done = await cell.run(*command(kind, *words))
    if done.code == FORBIDDEN:
        pytest.skip(f"the system lets nobody have a network of their own: {done.err}")
    done.worked("all of it works")


async def test_what_cannot_be_listened_on_is_one_line(cell: Cell) -> None:
    server = (*cell.program("server"), "--port", "0", "--memory")
    done = await cell.run(*command("ipv6", *server))
    if done.code == FORBIDDEN:
        pytest.skip(f"the system lets nobody have a network of their own: {done.err}")
    done.failed(1, "ra-server: cannot listen on 127.0.0.1:0")

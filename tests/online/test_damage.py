"""A server over a damaged database serves what can be read, and says once what cannot."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from protocol.messages import ListTables, Refused, Tables, Watch
from tests.patience import PATIENCE
from tests.server.peer import QUIET, peer, server
from tests.server.test_check import CODES, STREAM, change, fill, games


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three tables."""
    path = tmp_path_factory.mktemp("damage") / "ra.db"
    asyncio.run(fill(path))
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "ra.db"
    shutil.copy(made, copy)
    return copy


async def test_a_server_starts_with_damaged_tables_and_refuses_only_those(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The damaged table is refused however often it is asked for, and logged once."""
    change(path, f"UPDATE entries SET body = x'00' WHERE stream = {STREAM} AND number = 5")
    folder = path.parent / "records"
    settings = evolve(QUIET, memory=False, db=path, records=folder, log="plain")
    async with server(settings) as app, peer(app, "Ann") as ann:
        for _ in range(3):
            refused = await ann.ask(Watch(CODES[0], 0), Refused)
            assert refused.code == "table_damaged"
        assert (await ann.watch(CODES[2])).number == len(games()[2].entries)
        await ann.create()
    log = capsys.readouterr().err
    assert log.count("table_damaged") == 1 and "ASPEN-10" in log, log


async def test_a_server_says_at_its_start_that_its_database_is_damaged(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody asks for the table whose pages are damaged."""
    blank_last_page(path, "entries")
    settings = evolve(QUIET, memory=False, db=path, records=path.parent / "records", log="plain")
    log = ""
    async with server(settings) as app, asyncio.timeout(PATIENCE), peer(app, "Ann") as ann:
        while "database_damaged" not in log:
            await ann.ask(ListTables(), Tables)
            log += capsys.readouterr().err
    log += capsys.readouterr().err
    assert log.count("database_damaged") == 1 and "ra-server check" in log, log


async def test_a_server_says_nothing_of_a_sound_database_and_leaves_one_file(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        settings = evolve(QUIET, memory=False, db=path, records=None, log="plain")
        async with server(settings) as app:
            assert app.checking is not None
            await app.checking
        assert {file.name for file in path.parent.glob("ra.db*")} == {"ra.db", "ra.db.lock"}
    assert "damaged" not in capsys.readouterr().err


async def test_a_server_that_stops_before_it_has_looked_leaves_one_file(path: Path) -> None:
    settings = evolve(QUIET, memory=False, db=path, records=None)
    async with server(settings) as app:
        assert app.checking is not None and not app.checking.done()
    assert not app.stuck
    assert {file.name for file in path.parent.glob("ra.db*")} == {"ra.db", "ra.db.lock"}


def blank_last_page(path: Path, name: str) -> None:
    """Overwrite a page that holds only rows of a table."""
    with closing(sqlite3.connect(path)) as other:
        (root,) = other.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)
        ).fetchone()
    page = path.read_bytes()[(root - 1) * 2048 : root * 2048]
    assert page[0] == 5, "the table has more than one page"
    count = int.from_bytes(page[3:5], "big")
    at = int.from_bytes(page[10 + 2 * count : 12 + 2 * count], "big")
    last = int.from_bytes(page[at : at + 4], "big")
    data = bytearray(path.read_bytes())
    data[(last - 1) * 2048 : last * 2048] = bytes(2048)
    path.write_bytes(data)


async def test_damage_to_the_past_of_a_table_in_memory_is_logged_once(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever comes back is shown the table, without what it missed."""
    settings = evolve(QUIET, memory=False, db=path, records=None, log="plain", recent_entries=2)
    async with server(settings) as app, peer(app, "Ann") as ann:
        whole = await ann.watch(CODES[1], 2)
        assert len(whole.since) > 3
        change(path, "UPDATE entries SET body = x'00' WHERE number = 5")
        for _ in range(3):
            assert not (await ann.watch(CODES[1], 2)).since
    log = capsys.readouterr().err
    assert log.count("table_damaged") == 1 and CODES[1] in log, log

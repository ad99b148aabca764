"""A database of version 1 (`tests/data/README.md`) becomes one of this version, wholly or not
at all, and goes on: its tables are played on, and it is known who sits where."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from protocol.messages import ListTables, Tables
from server.__main__ import main as ra_server
from server.store.migrations import STEPS
from server.store.reader import Reader
from server.store.schema import SCHEMA_VERSION, connect, inspect, prepare
from tests.patience import until_it_is
from tests.server.peer import QUIET, Peer, peer, server

DATA = Path(__file__).parents[2] / "data"
FACTS: dict[str, Any] = json.loads((DATA / "version-1.json").read_text())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    copy = tmp_path / "ra.db"
    shutil.copy(DATA / "version-1.sqlite3", copy)
    return copy


def token(name: str) -> bytes:
    return bytes.fromhex(FACTS["tokens"][name])


async def mine(one: Peer) -> set[str]:
    return {row.code for row in (await one.ask(ListTables(), Tables)).tables}


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def header(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[60:64], "big")


async def test_an_old_database_is_brought_to_this_version_and_played_on(path: Path) -> None:
    settings = evolve(QUIET, memory=False, db=path, records=path.parent / "records")
    played, listed, waiting = FACTS["played"], FACTS["listed"], FACTS["waiting"]
    for start in range(2):
        async with (
            server(settings) as app,
            peer(app, "", token("Ann")) as ann,
            peer(app, "", token("Bob")) as bob,
            peer(app, "", token("Cy")) as cy,
        ):
            assert not app.residents.tables.keys() & {played, waiting}, "nobody woke them for this"
            assert await mine(ann) == {played, waiting, listed}
            assert await mine(bob) == {played, listed}
            assert await mine(cy) == {listed}
            row = next(r for r in (await ann.ask(ListTables(), Tables)).tables if r.code == waiting)
            assert (row.seats, row.taken, row.names[0]) == (4, 2, "Ann")
            snapshot = await bob.watch(played)
            assert snapshot.seat == 0 and snapshot.number >= FACTS["number"][played]
            assert (await ann.watch(played)).seat == 1
            if start:
                await asyncio.gather(ann.play(), bob.play())
                assert await mine(ann) == {waiting, listed}
    assert version(path) == SCHEMA_VERSION
    assert ra_server(["check", str(path)]) == 0


async def test_the_record_that_an_old_server_did_not_save_is_saved(path: Path) -> None:
    settings = evolve(QUIET, memory=False, db=path, records=path.parent / "records")
    async with server(settings) as app:

        async def saved() -> list[bool]:
            rows = await app.store.directory([3, 4])
            return [row.saved for row in rows]

        await until_it_is([True, True], saved)
    files = [file.name for file in (path.parent / "records").iterdir()]
    assert files == [f"{FACTS['over']}.ra"]


def test_looking_at_an_old_database_changes_nothing(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    assert ra_server(["check", str(path)]) == 0, capsys.readouterr().out
    with Reader(path) as reader:
        assert reader.version == 1
        rows = {row.code: row for row in reader.directory()}
        assert rows[FACTS["played"]].number == len(reader.read(FACTS["played"]).rows)
        assert {row.seats for row in rows.values()} == {None}
    assert path.read_bytes() == before


def test_seats_of_an_old_database_are_written_by_repairing_its_directory(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE directory SET phase = 1 WHERE phase = 2")
    assert ra_server(["check", str(path)]) == 1
    assert ra_server(["check", str(path), "--repair-directory"]) == 0, capsys.readouterr().out
    with Reader(path) as reader:
        names = {row.code: [one.name for one in row.seated] for row in reader.directory()}
    assert names[FACTS["played"]] == ["Bob", "Ann"]
    assert ra_server(["check", str(path)]) == 0


class Failing(sqlite3.Connection):
    """Fails at a statement of the step."""

    at = 0

    def executescript(self, script: str) -> sqlite3.Cursor:
        parts = script.split(";")
        broken = ";".join([*parts[: self.at], " SELECT no_such_column", *parts[self.at :]])
        return super().executescript(broken)


@pytest.mark.parametrize("at", range(1, STEPS[1].count(";") + 3, 3))
def test_a_step_that_fails_anywhere_leaves_the_old_version(path: Path, at: int) -> None:
    with closing(connect(path, 1000)) as plain:
        before = list(plain.iterdump())
    with closing(sqlite3.connect(path, isolation_level=None, factory=Failing)) as connection:
        connection.at = at
        with pytest.raises(sqlite3.OperationalError):
            prepare(connection, create=True)
    assert version(path) == 1 and inspect(path)
    assert header(path) == 1
    with closing(connect(path, 1000)) as plain:
        assert list(plain.iterdump()) == before
        prepare(plain, create=True)
    assert version(path) == SCHEMA_VERSION
    assert header(path) == SCHEMA_VERSION, "an older server refuses it unopened"


def test_a_new_database_and_one_brought_up_to_date_are_made_the_same(
    path: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.db"
    new.touch()
    made = []
    for one in (path, new):
        with closing(connect(one, 1000)) as connection:
            prepare(connection, create=True)
            made.append(
                connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
            )
    assert made[0] == made[1]

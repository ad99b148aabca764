"""The directory says who sits where: it is known however the server ended, no table is woken for
it, and `ra-server check` compares it with the logs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from engine.table.words import Phase
from protocol.messages import Accepted, LeaveTable, Left, ListTables, StartMatch, TableRow, Tables
from server.__main__ import main as ra_server
from tests.process.player import connected
from tests.process.serving import server_process
from tests.server.peer import QUIET, Peer, peer, server


async def mine(one: Peer) -> list[TableRow]:
    return list((await one.ask(ListTables(), Tables)).tables)


async def test_after_kill_9_everybody_finds_their_unlisted_tables(tmp_path: Path) -> None:
    async with server_process(tmp_path) as running:
        async with connected(running, "Ann") as ann, connected(running, "Bob") as bob:
            waiting = await ann.create(seats=3, bots=("easy",), listed=False)
            played = await bob.create(seats=3, listed=False)
            await ann.join(played)
            await bob.ask(StartMatch(b"go"), Accepted)
            left = await bob.create(seats=3, listed=False)
            await ann.join(left)
            await ann.ask(LeaveTable(b"bye"), Left)
            before = await mine(ann), await mine(bob)
            tokens = ann.token, bob.token
            await running.kill()
        await running.start()
        async with (
            connected(running, "", tokens[0]) as ann,
            connected(running, "", tokens[1]) as bob,
            connected(running, "Eve") as eve,
        ):
            assert (await mine(ann), await mine(bob)) == before
            assert {row.code for row in before[0]} == {waiting, played}
            assert {row.code for row in before[1]} == {left, played}
            row = next(row for row in before[0] if row.code == waiting)
            assert (row.seats, row.taken, row.phase) == (3, 2, Phase.WAITING)
            assert row.names[0] == "Ann"
            assert await mine(eve) == []


async def test_the_list_after_a_start_wakes_no_table(tmp_path: Path) -> None:
    settings = evolve(QUIET, memory=False, db=tmp_path / "ra.db", records=tmp_path / "records")
    async with server(settings) as app, peer(app, "Ann") as ann:
        codes = [await ann.create(listed=n % 2 == 0) for n in range(8)]
        token = ann.token
    async with server(settings) as app, peer(app, "", token) as ann:
        rows = [row.code for row in await mine(ann)]
        unlisted, listed = codes[1::2], codes[::2]
        assert set(rows[:4]) == set(unlisted) and rows[4:] == listed[::-1]
        assert not app.residents.tables


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM seats WHERE person IS NOT NULL", "another seated than the log"),
        ("UPDATE seats SET name = 'Eve' WHERE seat = 0", "another seated than the log"),
        ("UPDATE directory SET seats = 5", "another seats than the log"),
        ("INSERT INTO seats VALUES (77, 0, x'00', 'Eve')", "belongs to no open table"),
    ],
)
async def test_seats_that_the_log_does_not_say_are_found_and_mended(
    sql: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ra.db"
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(seats=3, bots=("easy",))
        token = ann.token
    assert ra_server(["check", str(path)]) == 0
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        assert other.execute(sql).rowcount
    assert ra_server(["check", str(path)]) == 1
    assert told in capsys.readouterr().out
    assert ra_server(["check", str(path), "--repair-directory"]) == 0
    assert ra_server(["check", str(path)]) == 0
    async with server(settings) as app, peer(app, "", token) as ann:
        (row,) = await mine(ann)
        assert (row.code, row.seats, row.names[0]) == (code, 3, "Ann")

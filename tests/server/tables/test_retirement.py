"""Ended tables leave the database when their time has come, and not before; their records stay,
and no other table gets the code of one that is gone."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import ClassVar

import pytest
from attrs import evolve

from protocol.messages import (
    GetRecord,
    GetTranscript,
    LeaveTable,
    Left,
    ListTables,
    Record,
    Refused,
    Tables,
    Watch,
)
from protocol.record import read_record
from server.__main__ import main as ra_server
from server.app import App, serve
from server.settings import Settings
from server.store.port import History, Retired, StoreError, Unavailable
from server.store.sqlite import SqliteStore
from tests.patience import until
from tests.server.pace import Pace
from tests.server.peer import QUIET, Peer, peer

DAY = 86_400_000
SETTINGS = evolve(QUIET, memory=False, retire_days=90, record_days=365, sleep_seconds=0.05)


def at(folder: Path) -> Settings:
    return evolve(SETTINGS, db=folder / "ra.db", records=folder / "records")


async def finished(one: Peer) -> str:
    """The code of a match of bots that is over."""
    code = await one.create("ra", seats=2, bots=("random",) * 2, sit=False)
    while not one.over:
        await one.receive()
    return code


async def swept(app: App, pace: Pace, days: int) -> None:
    """Let time pass while nobody is there, and retire what is too old."""
    await until(lambda: not app.residents.tables)
    await app.archive.close()
    await pace.pass_by(days * DAY)
    await app.retirement.sweep()


def logs(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


async def test_d_a_finished_table_goes_to_its_record_and_that_away(tmp_path: Path) -> None:
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
            never = await ann.create(seats=3)
            await ann.ask(LeaveTable(b"bye"), Left)
            waiting = await ann.create(seats=3)
        await swept(app, pace, 89)
        async with peer(app, "Ann") as ann:
            assert (await ann.watch(code)).number > 10
            data = (await ann.ask(GetRecord(code), Record)).data
        await swept(app, pace, 2)
        async with peer(app, "Ann") as ann:
            for gone in (code, never):
                assert (await ann.ask(Watch(gone, 0), Refused)).code == "table_retired"
            assert (await ann.ask(GetRecord(code), Record)).data == data
            assert (await ann.ask(GetRecord(never), Refused)).code == "table_retired"
            assert await app.store.taken((code, never)) == {code, never}
            assert read_record(BytesIO(data)).header.code == code
            assert waiting not in {row.code for row in (await ann.ask(ListTables(), Tables)).tables}
        await swept(app, pace, 364)
        assert (tmp_path / "records" / f"{code}.ra").exists()
        await swept(app, pace, 2)
        assert not (tmp_path / "records" / f"{code}.ra").exists()
        async with peer(app, "Ann") as ann:
            assert (await ann.ask(Watch(code, 0), Refused)).code == "no_table"
        assert await app.store.taken((code, never)) == set()
    assert logs(tmp_path / "ra.db") == 0
    assert ra_server(["check", str(tmp_path / "ra.db")]) == 0


async def test_without_the_settings_all_is_kept(tmp_path: Path) -> None:
    pace = Pace()
    settings = evolve(at(tmp_path), retire_days=None, record_days=None)
    async with serve(settings, None, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
        await swept(app, pace, 9999)
        async with peer(app, "Bob") as bob:
            await bob.watch(code)
    assert (tmp_path / "records" / f"{code}.ra").exists()


async def test_a_table_that_is_looked_at_is_not_retired(tmp_path: Path) -> None:
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
            await pace.pass_by(100 * DAY)
            await app.retirement.sweep()
            await ann.ask(GetRecord(code), Record)
        await swept(app, pace, 0)
        async with peer(app, "Ann") as ann:
            assert (await ann.ask(Watch(code, 0), Refused)).code == "table_retired"


@pytest.mark.parametrize("trouble", ["gone", "other", "torn", "unreadable", "folder"])
async def test_no_log_goes_before_its_record_is_there(trouble: str, tmp_path: Path) -> None:
    """Whatever happened to the file: it is made again beside what took its place, or the table
    stays if that is impossible."""
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
            data = (await ann.ask(GetRecord(code), Record)).data
        folder = tmp_path / "records"
        file, second = folder / f"{code}.ra", folder / f"{code}.2.ra"
        await until(file.exists)
        found = {"other": b"\x89RAREC of another table", "torn": data[:-5]}.get(trouble)
        file.unlink()
        if trouble == "unreadable":
            file.mkdir()
        elif found is not None:
            file.write_bytes(found)
        if trouble == "folder":
            folder.rmdir()
            folder.write_text("no folder")
        await swept(app, pace, 91)
        async with peer(app, "Ann") as ann:
            if trouble == "folder":
                await ann.watch(code)
                return
            assert (await ann.ask(Watch(code, 0), Refused)).code == "table_retired"
        if trouble == "gone":
            assert file.read_bytes() == data and not second.exists()
            return
        assert file.is_dir() if found is None else file.read_bytes() == found
        assert second.read_bytes() == data
        async with peer(app, "Ann") as ann:
            assert (await ann.ask(GetRecord(code), Record)).data == data
        await swept(app, pace, 366)
        assert file.exists() and not second.exists(), "what is not ours stays"


class Watching(SqliteStore):
    """Notes what was certainly on the disk when a table was retired."""

    synced: ClassVar[set[int]] = set()
    then: ClassVar[set[int]] = set()

    async def retire(self, table: Retired, ran: int) -> None:
        self.then.update(self.synced)
        await super().retire(table, ran)


async def test_the_record_and_its_name_are_on_the_disk_before_the_log_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if another server saved the file, or an operator put it there."""
    pace, fsync = Pace(), os.fsync

    def noted(descriptor: int) -> None:
        fsync(descriptor)
        Watching.synced.add(os.fstat(descriptor).st_ino)

    async with serve(at(tmp_path), Watching(tmp_path / "ra.db"), pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
        folder = tmp_path / "records"
        await until((folder / f"{code}.ra").exists)
        await until(lambda: not app.archive._saving)
        monkeypatch.setattr(os, "fsync", noted)
        await swept(app, pace, 91)
        assert await app.store.retired(code)
    assert Watching.then >= {folder.stat().st_ino, (folder / f"{code}.ra").stat().st_ino}


class Slow(SqliteStore):
    """Somebody comes to a table while its log is read to be retired."""

    reads: asyncio.Event | None = None
    go_on = asyncio.Event()

    async def read(self, table: str, after: int = 0) -> History:
        history = await super().read(table, after)
        if (event := self.reads) is not None:
            self.reads = None
            event.set()
            await self.go_on.wait()
        return history


async def test_a_table_that_somebody_comes_to_meanwhile_is_not_retired(tmp_path: Path) -> None:
    pace, store = Pace(), Slow(tmp_path / "ra.db")
    async with serve(at(tmp_path), store, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
        await until(lambda: not app.residents.tables)
        await app.archive.close()
        await pace.pass_by(91 * DAY)
        store.reads, store.go_on = asyncio.Event(), asyncio.Event()
        read = store.reads
        sweep = asyncio.create_task(app.retirement.sweep())
        await read.wait()
        async with peer(app, "Ann") as ann:
            await ann.watch(code)
            store.go_on.set()
            assert await sweep == 0
            await ann.ask(GetRecord(code), Record)


async def test_the_record_of_a_table_that_was_retired_under_somebody_is_the_saved_one(
    tmp_path: Path,
) -> None:
    """The log was deleted between two steps of somebody who was coming."""
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app, peer(app, "Ann") as ann:
        code = await finished(ann)
        data = (await ann.ask(GetRecord(code), Record)).data
        await app.archive.close()
        table = await app.archive.secure(code)
        assert table is not None
        await app.store.retire(table, app.age.now())
        assert (await ann.ask(GetRecord(code), Record)).data == data
        assert (await ann.ask(GetTranscript(), Refused)).code == "table_retired"


async def test_a_table_whose_record_finds_no_name_keeps_no_other(tmp_path: Path) -> None:
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app:
        async with peer(app, "Ann") as ann:
            codes = [await finished(ann) for _ in range(2)]
        folder = tmp_path / "records"
        await until(lambda: all((folder / f"{code}.ra").exists() for code in codes))
        (folder / f"{codes[0]}.ra").unlink()
        for name in (codes[0], *[f"{codes[0]}.{n}" for n in range(2, 100)]):
            (folder / f"{name}.ra").mkdir()
        await swept(app, pace, 91)
        assert not await app.store.retired(codes[0]) and await app.store.retired(codes[1])


async def test_a_damaged_log_is_left_for_its_host_to_look_at(tmp_path: Path) -> None:
    pace = Pace()
    async with serve(at(tmp_path), None, pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
        await until(lambda: not app.residents.tables)
        await app.archive.close()
    with closing(sqlite3.connect(tmp_path / "ra.db", isolation_level=None)) as other:
        other.execute("UPDATE entries SET body = x'00' WHERE number = 5")
        before = other.execute("SELECT count(*) FROM entries").fetchone()
    async with serve(at(tmp_path), None, pace) as app:
        await swept(app, pace, 999)
        assert not await app.store.retired(code)
    assert (logs(tmp_path / "ra.db"),) == before


class Killed(SqliteStore):
    """Dies while it deletes what a retired table left behind."""

    async def sweep_retired(self) -> bool:
        raise Unavailable("closed")


async def test_what_a_killed_server_left_of_a_retired_table_goes_later(tmp_path: Path) -> None:
    path, pace = tmp_path / "ra.db", Pace()
    async with serve(at(tmp_path), Killed(path), pace) as app:
        async with peer(app, "Ann") as ann:
            code = await finished(ann)
        with pytest.raises(StoreError):
            await swept(app, pace, 91)
        assert await app.store.retired(code)
    assert logs(path) > 10
    assert ra_server(["check", str(path)]) == 0, "it is no table any more"
    async with serve(at(tmp_path), None, pace) as app, peer(app, "Ann") as ann:
        assert (await ann.ask(Watch(code, 0), Refused)).code == "table_retired"
        await app.retirement.sweep()
        assert not [one async for some in app.store.missing() for one in some]
    assert logs(path) == 0


async def test_the_code_of_a_retired_table_is_not_given_again(tmp_path: Path) -> None:
    """Not even if it is drawn by chance."""
    pace = Pace()
    drawn: list[str] = []

    def draw(*, listed: bool) -> Collection[str]:
        return [*drawn, "FREE-77"] if drawn else ["OLD-10"]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("server.tables.lobby.draw", draw)
        async with serve(at(tmp_path), None, pace) as app:
            async with peer(app, "Ann") as ann:
                assert await finished(ann) == "OLD-10"
            await swept(app, pace, 91)
            drawn.append("OLD-10")
            async with peer(app, "Ann") as ann:
                assert await ann.create() == "FREE-77"

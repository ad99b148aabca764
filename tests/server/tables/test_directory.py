"""The directory says nothing that the log does not say: it is rebuilt if it is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from attrs import evolve

from server.store.memory import MemoryStore
from server.store.port import START, DirectoryRow, Row
from server.store.sqlite import SqliteStore
from server.tables.directory import row_of
from tests.patience import until_it_is
from tests.server.book import Book
from tests.server.peer import QUIET, peer, server


async def tables_of_all_kinds(path: Path) -> tuple[list[DirectoryRow], str]:
    """Tables that wait, run and are over: the directory, and the code of one that runs."""
    settings = evolve(QUIET, memory=False, db=path, records=path.parent / "records")
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        await ann.create(listed=False)
        await bob.create(seats=2)
        await bob.create(bots=("random", "random"))
        await bob.play()
        code = await ann.create(bots=("easy", "random"))
    store = SqliteStore(path)
    rows = await store.directory()
    for row in rows:
        assert row_of((await store.read(row.code)).rows) == row
    await store.close()
    assert {int(row.phase) for row in rows} == {1, 2, 3}
    assert {row.listed for row in rows} == {True, False}
    return rows, code


async def test_a_lost_directory_is_rebuilt_beside_the_servers_work(tmp_path: Path) -> None:
    path = tmp_path / "ra.db"
    before, code = await tables_of_all_kinds(path)
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
    for lost in ("number > 3", "1"):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            assert other.execute(f"DELETE FROM directory WHERE {lost}").rowcount > 0
            other.execute("DELETE FROM seats WHERE stream NOT IN (SELECT stream FROM directory)")
        async with server(settings) as app, peer(app, "Cy") as late:
            snapshot = await late.watch(code)  # also before its row is there again
            assert snapshot.number >= next(row.number for row in before if row.code == code)

            async def codes() -> list[str]:
                return [row.code for row in await app.store.directory()]

            await until_it_is([row.code for row in before], codes)
        store = SqliteStore(path)
        for row in await store.directory():
            assert row_of((await store.read(row.code)).rows) == row
        await store.close()


async def test_a_stream_that_cannot_be_read_hinders_no_other(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "ra.db"
    before, code = await tables_of_all_kinds(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(
            "UPDATE entries SET body = x'00' WHERE number = 1 AND stream ="
            " (SELECT id FROM streams WHERE code = ?)",
            (code,),
        )
        other.execute("DELETE FROM directory")
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
    async with server(settings, log=book) as app:

        async def codes() -> list[str]:
            return [row.code for row in await app.store.directory()]

        await until_it_is([row.code for row in before if row.code != code], codes)
    assert ("table_unreadable", code) in [
        (event, facts.get("table")) for event, facts in book.lines
    ]


async def test_nonsense_in_a_stream_is_not_listed(book: Book) -> None:
    store = MemoryStore()
    for n, body in enumerate((b"", b"\xc0", b"\x90", b"\x98" + b"\x90" * 8)):
        row = DirectoryRow(f"T-{n}", "ra", 1, True, 1, None, b"x", None, 1)
        await store.append(f"T-{n}", START, Row(1, body), row)
    store._directory.clear()
    async with server(store=store, log=book) as app, peer(app, "Ann") as ann:
        code = await ann.create()
        assert [row.code for row in await app.store.directory()] == [code]

"""What a server does when it starts with a database: it listens before it has read it, and keeps
nothing in memory about ended tables."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

from attrs import evolve

from engine.clock import Clock, ClockKind
from engine.table.words import Phase
from protocol.messages import Accepted, ListTables, StartMatch, Tables
from server.app import App, serve
from server.store.sqlite import SqliteStore
from tests.bench.stocked import stock
from tests.patience import until, until_it_is
from tests.server.pace import Pace
from tests.server.peer import QUIET, peer, server


async def looked(app: App) -> None:
    """Wait until a server has scanned its database."""
    looking = app.lobby.startup_scan.task
    assert looking is not None
    await looking


async def held(path: Path) -> int:
    """Bytes that a server holds once it has scanned its database."""
    settings = evolve(QUIET, memory=False, db=path, records=path.parent / "records")
    gc.collect()
    tracemalloc.start()
    try:
        async with server(settings) as app:
            await looked(app)
            assert not app.residents.tables
            gc.collect()
            return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


async def test_d_a_server_holds_nothing_of_what_is_finished(tmp_path: Path) -> None:
    few, many = tmp_path / "few.db", tmp_path / "many.db"
    stock(few, finished=30, unfinished=30)
    stock(many, finished=3030, unfinished=30)
    await held(few)  # so that what is made once exists already
    grown = await held(many) - await held(few)
    assert grown < 10 * 3000, "less than ten bytes a table"


async def test_d_unfinished_tables_are_listed_counted_and_timed_and_not_held(
    tmp_path: Path,
) -> None:
    path, pace = tmp_path / "ra.db", Pace()
    stock(path, finished=300, unfinished=30)
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records", list_tables=9)
    async with serve(settings, None, pace) as app, peer(app, "Ann") as ann:
        rows = (await ann.ask(ListTables(), Tables)).tables
        assert len(rows) == 9 and {row.phase for row in rows} == {Phase.WAITING, Phase.PLAYING}
        await looked(app)
        assert not app.residents.tables and len(app.residents.sleepers._alarms) == 10
        assert await app.store.count_open() == 30
        await pace.pass_by(30 * 86_400_000)
        await until(lambda: app.residents.tables)  # their time is up


async def test_what_ends_leaves_nothing_in_memory(tmp_path: Path) -> None:
    settings = evolve(
        QUIET, memory=False, db=tmp_path / "ra.db", records=tmp_path / "records", sleep_seconds=0.05
    )
    async with server(settings) as app:
        async with peer(app, "Ann") as ann:
            code = await ann.create("miniature", seats=2, bots=("random",) * 2, sit=False)
            while not ann.over:
                await ann.receive()
        await until(lambda: not app.residents.tables)
        await app.archive.close()
        residents, store = app.residents, app.store
        assert isinstance(store, SqliteStore)
        for held in (residents.sleepers._alarms, residents.sleepers._left, app.archive._saving):
            assert code not in held
        assert code not in store._writer._batch_writer._tails
        async with peer(app, "Bob") as bob:
            assert (await bob.watch(code)).number > 3, "it is there for whoever has the code"


async def test_what_is_due_at_the_start_is_done_although_nobody_comes(tmp_path: Path) -> None:
    """Bots that have to choose, and a clock: both continue during the start as before it."""
    path = tmp_path / "ra.db"
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
    pace = Pace()
    async with serve(settings, None, pace) as app, peer(app, "Ann") as ann:
        clock = Clock(ClockKind.PER_MOVE, 60_000)
        timed = await ann.create("ra", seats=2, bots=("random",), clock=clock)
        if ann.view.table.phase is Phase.WAITING:
            await ann.ask(StartMatch(b"go"), Accepted)
        table = await app.residents.get(timed)
        await until(lambda: ann.asked() is not None or table.due_in() not in (0, None))
        number = table.stream.number
    pace = Pace()
    async with serve(settings, None, pace) as app:
        await looked(app)

        async def moved() -> bool:
            row = await app.store.find(timed)
            return row is not None and row.number > number

        assert not await moved()
        await pace.pass_by(60_000)
        await until(lambda: timed in app.residents.tables)
        await pace.pass_by(1)
        await until_it_is(True, moved)

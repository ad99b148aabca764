"""Questions to bots: as long as they are wanted, those that somebody waits for first."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.entry import Command
from engine.game import find_game
from engine.table import Phase, TakeBack
from protocol.messages import Act, LeaveTable
from protocol.wire import Wire
from server.bots.line import Inquiry, Line, Unserved
from server.bots.workers import Workers
from server.play import find_play
from server.store.port import History, Row
from tests.patience import PATIENCE, until
from tests.server.book import Book
from tests.server.company import MOODY, registered
from tests.server.moody import MoodyStore
from tests.server.peer import QUIET, Peer, peer, server
from tests.server.test_workers import question, some_workers

ONE = evolve(QUIET, bot_seconds=PATIENCE, bot_workers=1)
RA = find_game("ra")
WIRE = Wire(RA.vocabulary)


@pytest.fixture(autouse=True)
def _bad_company() -> Iterator[None]:
    with registered():
        yield


# as long as they are wanted


async def test_acting_and_taking_back_leaves_no_questions_behind() -> None:
    settings = evolve(ONE, bot_budget=(("hard", 100_000),))
    async with server(settings) as app, peer(app) as ann:
        workers, most = app.bots.workers, 0
        async with asyncio.timeout(3 * PATIENCE):
            code = await ann.create(bots=("hard",), seats=2)
            for _ in range(8):
                await act_until_a_bot_thinks(app.lobby.tables[code], ann)
                most = max(most, workers.waiting)
        assert most <= 1


async def act_until_a_bot_thinks(table: Any, ann: Peer) -> None:
    """Act and take it back, at once."""
    while True:
        match = table.stream.match
        if (asked := match.asked.get(ann.seat)) is not None:
            legal = RA.choices(asked.prompt)
            kinds = {type(command).__name__: command for command in legal}
            command = kinds.get("InvokeRa") or kinds.get("Pass") or legal[0]
            before = match.number
            await ann.send(Act(os.urandom(8), asked.token, WIRE.command.pack(command)))
            await moved(table, before)
            if ann.seat not in match.asked and match.taker_back() == (ann.seat, before):
                back = WIRE.command.pack(TakeBack(before))
                before = match.number
                await ann.send(Act(os.urandom(8), 0, back))
                await moved(table, before)
                return
        else:
            await moved(table, match.number)


async def moved(table: Any, number: int) -> None:
    await until(lambda: table.stream.match.number != number)


async def test_a_question_that_nobody_wants_any_more_does_not_wait() -> None:
    async with some_workers(1) as workers:
        asking = [asyncio.ensure_future(workers.ask(question("hangs"))) for _ in range(50)]
        await until(lambda: workers.waiting == 49)
        last = asyncio.ensure_future(workers.ask(question("random", 2 * PATIENCE)))
        for task in asking:
            task.cancel()
        await asyncio.wait(asking)
        assert workers.waiting == 1
        last.cancel()
        await asyncio.wait([last])
        assert workers.waiting == 0


async def test_what_is_thought_about_in_vain_comes_to_an_end() -> None:
    async with some_workers(1) as workers:
        asking = asyncio.ensure_future(workers.ask(question("searches", 4 * PATIENCE)))
        await until(lambda: any(not one.idle and one.ready for one in workers._workers))
        asking.cancel()
        told = await asyncio.wait_for(workers.ask(question("searches", 1.0)), PATIENCE)
        assert told.trouble == ""
        assert len(workers.pids) == 1


async def test_there_is_a_bound_and_beyond_it_a_quick_bot_chooses(
    book: Book,
) -> None:
    settings = evolve(ONE, bot_questions=1)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("moody", bots=("hangs", "hangs"))
        await until(lambda: app.bots.workers.waiting)
        await ann.create("moody", bots=("toils", "toils"))
        await asyncio.wait_for(ann.play("moody"), PATIENCE / 2)
        assert ann.view.table.phase is Phase.OVER
    assert not book.seats_in_trouble()


async def test_all_questions_of_tables_that_nobody_attends_are_withdrawn_at_the_end() -> None:
    async with server(ONE) as app, peer(app) as ann:
        for _ in range(3):
            await ann.create("moody", bots=("hangs",) * 2, sit=False, seats=2)
        await until(lambda: app.bots.workers.waiting == 5)
        workers = app.bots.workers
    assert workers.waiting == 0


# whose turn it is


async def test_those_whom_somebody_waits_for_come_first_and_tables_by_turns() -> None:
    line, there = Line(100), {"C": True}
    asked = question("random")
    waiting = [
        Inquiry(asked, table, lambda table=table: there.get(table, False))  # type: ignore[misc]
        for table in "AAABBCCD"
    ]
    for inquiry in waiting:
        line.put(inquiry)
    there["D"] = True  # comes to a table that waits already
    order = []
    while (taken := line.take()) is not None:
        order.append(taken.table)
    assert "".join(order) == "CDCABABA"
    assert len(line) == 0


async def test_what_is_full_takes_no_more_until_one_is_dropped() -> None:
    line = Line(2)
    first, second, third = (Inquiry(question("random"), "A", lambda: True) for _ in range(3))
    line.put(first)
    line.put(second)
    with pytest.raises(Unserved):
        line.put(third)
    line.drop(first)
    line.drop(first)
    line.put(third)
    assert (line.take(), line.take(), line.take()) == (second, third, None)


async def test_tables_of_bots_alone_keep_nobody_waiting() -> None:
    settings = evolve(ONE, bot_workers=2)
    async with server(settings) as app, peer(app) as ann, peer(app, "Mal") as mal:
        for _ in range(5):
            await mal.create("moody", bots=("hangs",) * 4, seats=4, sit=False, listed=False)
        await mal.send(LeaveTable(b"leave"))
        await until(lambda: app.bots.workers.waiting >= 17)
        await ann.create("moody", seats=2, bots=("toils",))
        await asyncio.wait_for(ann.play("moody"), PATIENCE / 2)
        assert ann.view.table.phase is Phase.OVER


async def test_waiting_counts_where_somebody_waits_and_a_quick_bot_chooses_then(
    book: Book,
) -> None:
    settings = evolve(ONE, bot_seconds=6.0)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("moody", seats=2, bots=("hangs",))
        await until(lambda: any(worker.ready for worker in app.bots.workers._workers))
        code = await ann.create("moody", seats=2, bots=("cheats",))
        act = ann.answer(MOODY, find_play("moody").projector.wire, Chance(b"x"))
        assert act is not None
        await ann.send(act)
        begin, table = time.monotonic(), app.lobby.tables[code]
        await until(lambda: 1 not in table.stream.match.asked or ann.asked())  # type: ignore[union-attr]
        while (asked := ann.asked()) is None or asked[0] == act.token:
            await ann.receive()
        assert time.monotonic() - begin < 5.5
        assert app.counters.bots_unserved == 1
    assert not book.seats_in_trouble()


async def test_what_nobody_waits_for_waits_until_somebody_comes() -> None:
    there = False
    async with some_workers(1) as workers:
        await ask_hanging(workers)
        asking = asyncio.ensure_future(workers.ask(question("random", 0.2), "A", lambda: there))
        done, _ = await asyncio.wait([asking], timeout=0.6)  # three times its time
        assert not done
        there = True
        with pytest.raises(Unserved):
            await asyncio.wait_for(asking, PATIENCE / 2)


async def ask_hanging(workers: Workers) -> None:
    """The one process hangs from now on."""
    task = asyncio.ensure_future(workers.ask(question("hangs", 3 * PATIENCE)))
    await until(lambda: any(not worker.idle and worker.ready for worker in workers._workers))
    task.cancel()


async def test_where_no_process_can_be_started_quick_bots_choose_and_that_is_told(
    book: Book, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    async with server(ONE) as app, peer(app) as ann:
        await ann.create("moody", options=("long",), bots=("toils", "random"))
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        assert ann.view.table.phase is Phase.OVER
        assert app.counters.bots_unserved >= 5
    events = [event for event, _ in book.lines]
    assert events.count("bot_unserved") == 1 and "bot_trouble" not in events


# what goes wrong before and after


class Damaged(MoodyStore):
    """A store in which logs turn to nonsense."""

    async def read(self, table: str, after: int = 0) -> History:
        history = await super().read(table, after)
        return evolve(history, rows=tuple([Row(row.number, b"junk") for row in history.rows]))


async def test_a_bot_that_cannot_even_be_asked_is_answered_for(
    book: Book,
) -> None:
    settings = evolve(ONE, recent_entries=0)
    async with server(settings, Damaged()) as app, peer(app) as ann:
        await ann.create("moody", bots=("remembers", "random"))
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        assert ann.view.table.phase is Phase.OVER
    assert book.seats_in_trouble() == [1]


async def test_if_the_default_fails_the_table_is_read_anew_and_goes_on(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = 0
    well = type(MOODY).default

    def default(game: Any, state: Any, seat: int) -> Command:
        nonlocal failed
        failed += 1
        if failed == 1:
            raise RuntimeError("not today")
        return well(game, state, seat)

    monkeypatch.setattr(type(MOODY), "default", default)
    async with server(ONE) as app:
        async with peer(app) as ann:
            code, token = await ann.create("moody", seats=2, bots=("raises",)), ann.token
            await asyncio.wait_for(ann.socket.wait_closed(), PATIENCE)
        async with peer(app, "", token) as ann:
            await ann.watch(code)
            await asyncio.wait_for(ann.play("moody"), PATIENCE)
            assert ann.view.table.phase is Phase.OVER
        assert app.counters.faults == 1
    assert [event for event, _ in book.lines].count("table_lost") == 1

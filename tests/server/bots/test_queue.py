"""Questions to bots: as long as they are wanted, those that somebody waits for first."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.entry import Command
from engine.game import find_game
from engine.table.words import Phase, TakeBack
from protocol.messages import Act, LeaveTable
from protocol.wire import Wire
from server.bots.pool import ProcessPool
from server.bots.questions import Answer, Unserved
from server.bots.queue import MOST_BYTES, SOMEBODY, PendingQuestion, QuestionQueue, Waiter
from server.games import game_services
from server.store.port import History, Row
from tests.patience import PATIENCE, until
from tests.server.book import Book
from tests.server.bots.test_pool import question, some_workers
from tests.server.company import MOODY, registered
from tests.server.moody import MoodyStore
from tests.server.peer import QUIET, Peer, peer, server

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
        workers, most = app.bots.processes, 0
        async with asyncio.timeout(3 * PATIENCE):
            code = await ann.create(bots=("hard",), seats=2)
            for _ in range(8):
                await act_until_a_bot_thinks(app.residents.tables[code], ann)
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
            if ann.seat not in match.asked and match.undoable() == (ann.seat, before):
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
        await until(lambda: any(not one.idle and one.ready for one in workers._processes))
        asking.cancel()
        told = await asyncio.wait_for(workers.ask(question("searches", 1.0)), PATIENCE)
        assert told.failure == ""
        assert len(workers.pids) == 1


async def test_there_is_a_bound_and_beyond_it_a_quick_bot_chooses(
    book: Book,
) -> None:
    settings = evolve(ONE, bot_questions=1)
    async with server(settings, log=book) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("moody", bots=("hangs", "hangs"))
        await until(lambda: app.bots.processes.waiting)
        await ann.create("moody", bots=("toils", "toils"))
        await asyncio.wait_for(ann.play("moody"), PATIENCE / 2)
        assert ann.view.table.phase is Phase.OVER
    assert not book.seats_in_trouble()


async def test_all_questions_of_tables_that_nobody_attends_are_withdrawn_at_the_end() -> None:
    async with server(ONE) as app, peer(app) as ann:
        for _ in range(3):
            await ann.create("moody", bots=("hangs",) * 2, sit=False, seats=2)
        await until(lambda: app.bots.processes.waiting == 5)
        workers = app.bots.processes
    assert workers.waiting == 0


# whose turn it is


class Waiting:
    """A queue, and who is at which table."""

    def __init__(self, most: int = 100) -> None:
        self.queue = QuestionQueue(most)
        self.there: dict[str, tuple[Waiter, ...]] = {}

    def put(self, *tables: str, opener: str = "") -> list[PendingQuestion]:
        made = [
            PendingQuestion(b"", 1.0, table, partial(self._at, table), opener) for table in tables
        ]
        for pending in made:
            self.queue.put(pending)
        return made

    def _at(self, table: str) -> tuple[Waiter, ...]:
        return self.there.get(table, ())

    def order(self) -> list[str]:
        """The tables as they are taken up."""
        taken = []
        while (pending := self.queue.take()) is not None:
            taken.append(pending.table)
        assert len(self.queue) == 0
        return taken


def of(person: str, address: str = "") -> tuple[Waiter, ...]:
    return (Waiter(address, person),)


async def test_those_whom_somebody_waits_for_come_first_and_tables_by_turns() -> None:
    waiting = Waiting()
    waiting.there = {"C": of("ann")}
    waiting.put(*"AAABBCCD")
    waiting.there["D"] = of("ann")  # comes to a table that waits already
    waiting.queue.waiters_changed("D")
    assert "".join(waiting.order()) == "CDCABABA"
    waiting.put(*"CA")
    waiting.there = {"A": of("ann")}
    waiting.queue.waiters_changed("C")
    waiting.queue.waiters_changed("A")
    assert "".join(waiting.order()) == "AC"


async def test_people_come_by_turns_however_many_tables_they_are_at() -> None:
    waiting = Waiting()
    mals = [f"m{number}" for number in range(50)]
    waiting.there = {table: of("mal") for table in mals} | {"A": of("ann"), "B": of("bob")}
    waiting.put(*mals, "A", "A", "B")
    assert waiting.order()[:6] == ["m0", "A", "B", "m1", "A", "m2"]


async def test_one_address_is_one_share_however_many_people_it_sends() -> None:
    waiting = Waiting()
    mals = [f"m{number}" for number in range(50)]
    waiting.there = {table: of(table, "mal's") for table in mals}
    waiting.there |= {"A": of("ann", "club"), "B": of("bob", "club"), "C": of("cyd", "home")}
    waiting.put(*mals, "A", "A", "B", "C")
    assert waiting.order()[:8] == ["m0", "A", "C", "m1", "B", "m2", "A", "m3"]


async def test_nobody_slows_down_a_table_by_coming_to_it() -> None:
    waiting = Waiting()
    mals = [f"m{number}" for number in range(50)]
    waiting.there = {table: of(table, "mal's") for table in mals}
    waiting.put(*mals)
    waiting.there["A"] = (*of("mal", "mal's"), *of("ann", "home"))
    waiting.put("A")
    assert waiting.order()[:2] == ["m0", "A"]


async def test_who_comes_to_a_crowds_table_takes_it_out_of_the_crowd() -> None:
    waiting = Waiting()
    mals = [f"m{number}" for number in range(50)]
    waiting.there = {table: of(table, "mal's") for table in mals}
    waiting.put(*mals)
    waiting.there["m40"] += of("ann", "home")
    waiting.queue.waiters_changed("m40")
    waiting.there["m41"] += of("m42", "mal's")
    waiting.queue.waiters_changed("m41")
    assert waiting.order()[:3] == ["m0", "m40", "m1"]


async def test_tables_that_nobody_attends_share_by_who_opened_them() -> None:
    waiting = Waiting()
    waiting.put(*[f"m{number}" for number in range(50)], opener="mal")
    waiting.put("A", opener="ann")
    assert waiting.order()[:2] == ["m0", "A"]


async def test_where_too_many_wait_whoever_has_most_loses_one() -> None:
    waiting = Waiting(4)
    waiting.there = {"A": of("ann"), "B": of("bob"), "M": of("mal"), "N": of("nat", "far")}
    alone, *mals = waiting.put("X", "M", "M", "M")
    waiting.put("A")
    with pytest.raises(Unserved):
        alone.answer.result()
    waiting.put("N")
    with pytest.raises(Unserved):
        mals[2].answer.result()
    waiting.put("B")
    with pytest.raises(Unserved):
        mals[1].answer.result()
    for table in "MABX":  # nobody has fewer than these
        with pytest.raises(Unserved):
            waiting.put(table)
    assert sorted(waiting.order()) == ["A", "B", "M", "N"]


async def test_what_is_dropped_waits_no_more() -> None:
    waiting = Waiting(2)
    first, second = waiting.put("A", "A")
    waiting.queue.drop(first)
    waiting.queue.drop(first)
    assert first not in waiting.queue and second in waiting.queue
    waiting.put("B")
    assert waiting.order() == ["A", "B"]


async def test_questions_that_wait_have_a_bound_of_bytes_and_whoever_has_most_loses_one() -> None:
    waiting = Waiting()
    waiting.there = {"A": of("ann"), "M": of("mal", "far")}
    large = bytes(MOST_BYTES // 2)
    mals = [PendingQuestion(large, 1.0, "M", partial(waiting._at, "M")) for _ in range(3)]
    for pending in mals[:2]:
        waiting.queue.put(pending)
    with pytest.raises(Unserved):
        waiting.queue.put(mals[2])
    waiting.queue.put(PendingQuestion(b"x", 1.0, "A", partial(waiting._at, "A")))
    with pytest.raises(Unserved):
        mals[1].answer.result()
    assert len(waiting.queue.clear()) == 2
    waiting.put("A")
    assert waiting.order() == ["A"]


async def test_tables_of_bots_alone_keep_nobody_waiting() -> None:
    settings = evolve(ONE, bot_workers=2)
    async with server(settings) as app, peer(app) as ann, peer(app, "Mal") as mal:
        for _ in range(5):
            await mal.create("moody", bots=("hangs",) * 4, seats=4, sit=False, listed=False)
        await mal.send(LeaveTable(b"leave"))
        await until(lambda: app.bots.processes.waiting >= 17)
        await ann.create("moody", seats=2, bots=("toils",))
        await asyncio.wait_for(ann.play("moody"), PATIENCE / 2)
        assert ann.view.table.phase is Phase.OVER


async def test_a_strangers_tables_keep_nobody_else_waiting_though_they_are_attended() -> None:
    async with server(ONE) as app, AsyncExitStack() as there:
        for number in range(10):
            mal = await there.enter_async_context(peer(app, f"Mal{number}", host="127.0.0.2"))
            await mal.create("moody", bots=("hangs",) * 4, seats=4, sit=False, listed=False)
        await until(lambda: app.bots.processes.waiting >= 39)
        ann = await there.enter_async_context(peer(app))
        await ann.create("moody", seats=2, bots=("toils",))
        await asyncio.wait_for(ann.play("moody"), PATIENCE / 2)
        assert ann.view.table.phase is Phase.OVER
        assert app.counters.bots_unserved == 0


async def test_waiting_counts_where_somebody_waits_and_a_quick_bot_chooses_then(
    book: Book,
) -> None:
    settings = evolve(ONE, bot_seconds=6.0)
    async with server(settings, log=book) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("moody", seats=2, bots=("hangs",))
        await until(lambda: any(worker.ready for worker in app.bots.processes._processes))
        code = await ann.create("moody", seats=2, bots=("cheats",))
        act = ann.answer(MOODY, game_services("moody").projector.wire, Chance(b"x"))
        assert act is not None
        await ann.send(act)
        begin, table = time.monotonic(), app.residents.tables[code]
        await until(lambda: 1 not in table.stream.match.asked or ann.asked())  # type: ignore[union-attr]
        while (asked := ann.asked()) is None or asked[0] == act.token:
            await ann.receive()
        assert time.monotonic() - begin < 5.5
        assert app.counters.bots_unserved == 1
    assert not book.seats_in_trouble()


async def test_what_nobody_waits_for_waits_until_somebody_comes() -> None:
    there = False
    async with some_workers(1) as workers:
        hanging = await ask_hanging(workers)
        asked = question("random", 0.2)
        asking = asyncio.ensure_future(
            workers.ask(asked, "A", lambda: (SOMEBODY,) if there else ())
        )
        done, _ = await asyncio.wait([asking], timeout=0.6)  # three times its time
        assert not done
        there = True
        workers.waiters_changed("A")
        with pytest.raises(Unserved):
            await asyncio.wait_for(asking, PATIENCE / 2)
        hanging.cancel()


async def ask_hanging(workers: ProcessPool) -> asyncio.Task[Answer]:
    """The one process hangs from now on."""
    task = asyncio.ensure_future(workers.ask(question("hangs", 3 * PATIENCE)))
    await until(lambda: any(not worker.idle and worker.ready for worker in workers._processes))
    return task


async def test_where_no_process_can_be_started_quick_bots_choose_and_that_is_told(
    book: Book, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    async with server(ONE, log=book) as app, peer(app) as ann:
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
    async with server(settings, Damaged(), log=book) as app, peer(app) as ann:
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
    async with server(ONE, log=book) as app:
        async with peer(app) as ann:
            code, token = await ann.create("moody", seats=2, bots=("raises",)), ann.token
            await asyncio.wait_for(ann.socket.wait_closed(), PATIENCE)
        async with peer(app, "", token) as ann:
            await ann.watch(code)
            await asyncio.wait_for(ann.play("moody"), PATIENCE)
            assert ann.view.table.phase is Phase.OVER
        assert app.counters.faults == 1
    assert [event for event, _ in book.lines].count("table_lost") == 1

"""Every question to a bot ends within its time, whatever a game's view holds and whatever
becomes of the process that has it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from attrs import evolve

from engine.table.words import Phase
from protocol.codec import dumps
from protocol.messages import AskHint, Hint, Refused
from server.bots import pool, process
from server.bots.pool import ProcessPool
from server.bots.questions import MOST_BYTES, Answer, BotFailed, Unserved
from server.bots.threads import ThreadPool
from server.store.port import Damaged, History
from tests.miniature.words.views import Hand
from tests.patience import PATIENCE, until
from tests.server.book import Book
from tests.server.bots.test_pool import ask, question, some_workers
from tests.server.company import MOODY, registered
from tests.server.moody import MoodyStore
from tests.server.peer import QUIET, peer, server

SOON = 20.0
"""Far less than the time of the bots here: what ends so soon did not wait for that."""
PATIENT = evolve(QUIET, bot_seconds=PATIENCE, bot_workers=1)


@pytest.fixture(autouse=True)
def _bad_company() -> Iterator[None]:
    with registered():
        yield


# what a view holds

VIEWS: dict[str, Callable[[Hand], object]] = {
    "a float": lambda hand: evolve(hand, points=0.5),  # type: ignore[arg-type]
    "an object": lambda hand: evolve(hand, cards=(object(),)),  # type: ignore[arg-type]
    "no cards at all": lambda hand: evolve(hand, cards=None),  # type: ignore[arg-type]
    "a number beyond 64 bits": lambda hand: evolve(hand, points=1 << 64),
    "half a character": lambda hand: evolve(hand, cards=("\ud800",)),  # type: ignore[arg-type]
    "megabytes": lambda hand: evolve(hand, cards=(b"x" * MOST_BYTES,)),  # type: ignore[arg-type]
    "a word for a number": lambda hand: evolve(hand, points="many"),  # type: ignore[arg-type]
    "another class": lambda hand: hand.cards,
}


@pytest.mark.parametrize("held", VIEWS)
async def test_whatever_a_view_holds_the_default_is_played_at_once(
    held: str, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = type(MOODY).private

    def private(game: Any, state: Any, seat: int) -> object:
        hand = well(game, state, seat)
        return VIEWS[held](hand) if seat else hand

    monkeypatch.setattr(type(MOODY), "private", private)
    async with server(PATIENT, log=book) as app, peer(app) as ann:
        await ann.create("moody", seats=2, bots=("toils",))
        await asyncio.wait_for(ann.play("moody"), SOON)
        assert ann.view.table.phase is Phase.OVER
        assert app.bots.processes.waiting == 0
    assert book.seats_in_trouble() == [1]


async def test_what_cannot_be_packed_keeps_no_other_question_waiting() -> None:
    async with some_workers(1) as made:
        bad = evolve(question("random"), private=object())
        first, second = await asyncio.gather(ask(made, bad), ask(made, question("random")))
    assert first == Answer("cannot be asked: TypeError")
    assert second.failure == ""


async def test_a_question_about_a_very_long_table_is_read() -> None:
    asked = evolve(question("remembers"), happened=(dumps(()),) * 20_000)
    async with some_workers(1) as made:
        assert (await ask(made, asked)).failure == ""


# what a bot answers


@pytest.mark.parametrize(
    ("level", "trouble"),
    [
        ("quits", "raised SystemExit"),
        ("garbles", "gave an answer that cannot be packed: TypeError"),
        ("overflows", "gave an answer that cannot be packed: too large"),
        ("interrupts", "answered nonsense"),
        ("mutes", "its process died"),
    ],
)
async def test_whatever_a_bot_answers_the_question_ends_and_the_next_is_answered(
    level: str, trouble: str
) -> None:
    async with some_workers(1) as made:
        assert (await asyncio.wait_for(made.ask(question(level)), SOON)).failure == trouble
        assert (await asyncio.wait_for(made.ask(question("random")), SOON)).failure == ""


async def test_who_asks_for_a_hint_is_answered_whatever_the_bot_says() -> None:
    settings = evolve(PATIENT, hints=True)
    async with server(settings) as app, peer(app) as ann:
        await ann.create("moody", seats=2, bots=("random",))
        while ann.asked() is None:
            await ann.receive()
        told = await asyncio.wait_for(ann.ask(AskHint(b"hint"), (Hint, Refused)), SOON)
        assert isinstance(told, Refused)
        assert (told.id, told.code) == (b"hint", "no_hints")


# what happened cannot be read


class Stuck(MoodyStore):
    """A store whose reads do not end, once they are asked for."""

    async def read(self, table: str, after: int = 0) -> History:
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_log_that_is_not_read_in_time_keeps_no_bot_from_its_turn(book: Book) -> None:
    settings = evolve(PATIENT, bot_seconds=0.3, recent_entries=0, hints=True)
    async with server(settings, Stuck(), log=book) as app, peer(app) as ann:
        await ann.create("moody", seats=2, bots=("remembers",))
        while ann.asked() is None:
            await ann.receive()
        told = await asyncio.wait_for(ann.ask(AskHint(b"hint"), (Hint, Refused)), SOON)
        assert isinstance(told, Refused)
        await asyncio.wait_for(ann.play("moody"), SOON)
        assert ann.view.table.phase is Phase.OVER
        assert app.counters.bots_unserved >= 3
    assert not book.seats_in_trouble(), "that was no fault of the bot's"


class Broken(MoodyStore):
    async def read(self, table: str, after: int = 0) -> History:
        raise Damaged("changed", table=table, number=1)


async def test_a_damaged_log_is_not_read_again_and_again() -> None:
    settings = evolve(PATIENT, recent_entries=0)
    async with server(settings, Broken()) as app, peer(app) as ann:
        await ann.create("moody", seats=2, bots=("remembers",))
        await asyncio.wait_for(ann.play("moody"), SOON)
        assert ann.view.table.phase is Phase.OVER


# what becomes of a process


def program(folder: Path, script: str) -> str:
    """A program in the place of Python."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


async def test_processes_that_never_get_ready_are_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(process, "START_SECONDS", 0.1)
    monkeypatch.setattr(pool, "START_SECONDS", 0.1)
    monkeypatch.setattr(sys, "executable", program(tmp_path, "exec sleep 3600"))
    async with some_workers(1) as made:
        with pytest.raises(Unserved):
            await asyncio.wait_for(made.ask(question("random", 1.0)), SOON)


async def test_a_question_that_is_not_even_read_ends_in_its_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The pipe is full: the process says that it is ready, and reads nothing."""
    script = "printf '\\000\\000\\000\\000'; exec sleep 3600"
    monkeypatch.setattr(sys, "executable", program(tmp_path, script))
    async with some_workers(1) as made:
        large = evolve(question("random", 0.5), happened=(bytes(3 << 20),))
        told = await asyncio.wait_for(made.ask(large), SOON)
        assert told.failure == "took too long"
        await until(lambda: not made.pids)


async def test_a_process_that_dies_while_it_starts_is_replaced() -> None:
    async with some_workers(1) as made:
        asking = asyncio.ensure_future(made.ask(question("random")))
        (pid,) = await until(lambda: made.pids)
        os.kill(pid, signal.SIGKILL)
        assert (await asyncio.wait_for(asking, SOON)).failure == ""


async def test_a_process_that_dies_without_a_question_is_replaced() -> None:
    async with some_workers(1) as made:
        assert (await ask(made, question("random"))).failure == ""
        (pid,) = made.pids
        os.kill(pid, signal.SIGKILL)  # not noticed yet when the next question is handed over
        told = await asyncio.wait_for(made.ask(question("random")), SOON)
        assert told.failure in ("", "its process died")
        assert (await asyncio.wait_for(made.ask(question("random")), SOON)).failure == ""


async def test_a_process_that_stands_still_is_replaced() -> None:
    async with some_workers(1) as made:
        assert (await ask(made, question("random"))).failure == ""
        (pid,) = made.pids
        os.kill(pid, signal.SIGSTOP)
        told = await asyncio.wait_for(made.ask(question("random", 0.5)), SOON)
        assert told.failure == "took too long"
        assert (await asyncio.wait_for(made.ask(question("random")), SOON)).failure == ""


async def test_a_question_withdrawn_when_it_is_handed_over_is_thought_about_no_longer() -> None:
    async with some_workers(1) as made:
        assert (await ask(made, question("random"))).failure == ""
        asking = asyncio.ensure_future(made.ask(question("hangs")))
        asking_too = asyncio.ensure_future(made.ask(question("random")))
        await until(lambda: made.waiting == 1)
        asking.cancel()
        made.serve()  # before the one who asked has heard of it
        assert (await asyncio.wait_for(asking_too, SOON)).failure == ""


async def test_thinking_that_is_broken_off_leaves_its_process_to_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "_STOP_SECONDS", PATIENCE)
    async with some_workers(1) as made:
        assert (await ask(made, question("random"))).failure == ""
        pids = made.pids
        for delay in (0.0, 0.0, 0.001, 0.01, 0.1):
            asking = asyncio.ensure_future(made.ask(question("hangs")))
            await until(lambda: any(one.pending is not None for one in made._processes))
            await asyncio.sleep(delay)
            asking.cancel()
            assert (await ask(made, question("random"))).failure == ""
        assert made.pids == pids


async def test_what_nobody_waits_for_stands_back_and_is_asked_again() -> None:
    async with some_workers(1) as made:
        alone = asyncio.ensure_future(made.ask(question("hangs"), "A", lambda: ()))
        await until(lambda: any(one.unattended for one in made._processes))
        assert (await asyncio.wait_for(made.ask(question("toils"), "B"), SOON)).failure == ""
        await until(lambda: any(one.unattended for one in made._processes))
        assert not alone.done()
        alone.cancel()


async def test_what_nobody_waits_for_ends_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_UNATTENDED_SECONDS", 0.3)
    async with some_workers(1) as made:
        hanging = asyncio.ensure_future(made.ask(question("hangs")))
        await until(lambda: any(one.ready and not one.idle for one in made._processes))
        with pytest.raises(Unserved, match="waited too long"):
            await asyncio.wait_for(made.ask(question("random", 0.2), "A", lambda: ()), SOON)
        hanging.cancel()


async def test_what_cannot_be_started_for_whatever_reason_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def start(owner: ProcessPool) -> None:
        raise MemoryError

    monkeypatch.setattr(pool, "start_process", start)
    async with some_workers(1) as made:
        with pytest.raises(Unserved):
            await asyncio.wait_for(made.ask(question("random", 1.0), "A", lambda: ()), SOON)


# in threads


async def test_where_no_thread_can_be_started_that_is_said_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quick = ThreadPool(2, seconds=PATIENCE)

    def no_more(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", no_more)
        for _ in range(3):
            with pytest.raises(Unserved, match="no thread can be started"):
                await asyncio.wait_for(quick.call(lambda: 1), SOON)
    assert await asyncio.wait_for(quick.call(lambda: 1), SOON) == 1
    quick.close()


async def test_a_quick_bot_that_quits_takes_no_thread_with_it() -> None:
    threads = ThreadPool(1, seconds=PATIENCE)
    for error in (SystemExit, KeyboardInterrupt, GeneratorExit):

        def choose(error: type[BaseException] = error) -> None:
            raise error

        with pytest.raises(BotFailed, match=f"raised {error.__name__}"):
            await asyncio.wait_for(threads.call(choose), SOON)
    threads.close()


async def test_a_process_that_is_killed_leaves_no_pipe_behind() -> None:
    before = psutil.Process().num_fds()
    begin = time.monotonic()
    async with some_workers(1) as made:
        await asyncio.wait_for(made.ask(question("hangs", 0.3)), SOON)
    await until(lambda: psutil.Process().num_fds() <= before)
    assert time.monotonic() - begin < SOON

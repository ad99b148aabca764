"""Bots that think in processes: bad ones, dead ones, and what they are told."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from attrs import evolve
from websockets.asyncio.client import connect

from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.game import Setup
from engine.match import Match
from engine.stream import Stream
from engine.table.words import Phase
from protocol.messages import SUBPROTOCOL, Beat, Heartbeat
from server.bots.answering import answer
from server.bots.executor import bot_key
from server.bots.pool import ProcessPool
from server.bots.questions import Answer, Question, Unserved, bot_seed, pack_happened
from server.bots.queue import Waiter
from server.games import game_services
from tests.patience import PATIENCE, until
from tests.server.book import Book
from tests.server.company import MOODY, registered
from tests.server.peer import QUIET, Peer, peer, server

PATIENT = evolve(QUIET, bot_seconds=PATIENCE, bot_workers=1)


@pytest.fixture(autouse=True)
def _bad_company() -> Iterator[None]:
    with registered():
        yield


# at tables


@pytest.mark.parametrize("level", ["cheats", "hangs", "spins", "dies"])
async def test_for_a_bot_that_fails_the_default_is_played_and_logged_once(
    level: str, book: Book
) -> None:
    settings = evolve(PATIENT, bot_seconds=0.5)
    async with server(settings, log=book) as app, peer(app) as ann:
        await ann.create("moody", options=("long",), bots=(level, "random"))
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        assert ann.view.table.phase is Phase.OVER
    assert book.seats_in_trouble() == [1]


async def test_what_a_bot_prints_and_reads_disturbs_nobody() -> None:
    async with server(PATIENT) as app, peer(app) as ann:
        code = await ann.create("moody", bots=("prints",) * 2)
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        assert bots_choices(await entries_of(app, code))


async def test_bots_that_hang_only_delay_those_of_other_tables() -> None:
    settings = evolve(PATIENT, bot_seconds=0.2)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("moody", seats=2, bots=("hangs",))
        await ann.create("moody", seats=2, bots=("toils",))
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        await asyncio.wait_for(bob.play("moody"), PATIENCE)


async def test_while_bots_think_everybody_is_answered() -> None:
    async with server(PATIENT) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await ann.create("moody", bots=("spins", "spins"))
        for _ in range(20):
            begin = time.monotonic()
            await bob.ask(Beat(), Heartbeat)
            assert time.monotonic() - begin < 5, "they think for a minute"


async def test_a_server_that_stops_waits_for_no_bot_and_leaves_none_behind() -> None:
    async with server(PATIENT) as app, peer(app) as ann:
        await ann.create("moody", bots=("spins", "hangs"))
        pids = await until(lambda: app.bots.processes.pids)
        begin = time.monotonic()
    assert time.monotonic() - begin < 10, "they think for a minute"
    assert not any(map(psutil.pid_exists, pids))


async def test_no_bot_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    paths = os.pathsep.join(path for path in sys.path if path)
    program = [sys.executable, "-m", "server", "--port", "0", "--db", str(tmp_path / "ra.db")]
    child = await asyncio.create_subprocess_exec(
        *(*program, "--bot-seconds", "60"),
        env={**os.environ, "PYTHONPATH": paths},
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    port = int((await child.stdout.readline()).rpartition(b":")[2])
    async with greeted(port) as ann:
        await ann.create("moody", bots=("spins", "hangs"))
        process = psutil.Process(child.pid)
        await until(niced(process))  # they stand back
        workers = tuple(process.children())
        child.kill()
    await child.wait()
    gone, alive = await asyncio.to_thread(psutil.wait_procs, workers, PATIENCE)
    assert len(gone) == len(workers) and not alive


@asynccontextmanager
async def greeted(port: int) -> AsyncIterator[Peer]:
    uri = f"ws://127.0.0.1:{port}"
    async with connect(uri, subprotocols=[SUBPROTOCOL], compression=None) as socket:  # type: ignore[list-item]
        one = Peer(socket)
        await one.hello()
        yield one


def niced(process: psutil.Process) -> Any:
    """The processes of bots that are past their first steps."""
    return lambda: [child for child in process.children() if child.nice() > process.nice()]


# what they know


async def test_bots_know_all_that_happened_and_choose_the_same_after_a_restart(
    tmp_path: Path,
) -> None:
    settings = evolve(PATIENT, memory=False, db=tmp_path / "ra.db", bot_seed="one")
    settings = evolve(settings, sleep_seconds=0.05, recent_entries=3)
    async with server(settings) as app, peer(app) as ann:
        bots = ("remembers",)
        code = await ann.create("moody", "veiled", seats=2, options=("long",), bots=bots)
        token = ann.token
        await play_some(ann, 2)
    async with server(settings) as app, peer(app, "", token) as ann:
        await ann.watch(code)
        await asyncio.wait_for(ann.play("moody"), PATIENCE)
        entries = await entries_of(app, code)
    choices = bots_choices(entries)
    assert len(choices) == 5 and len({*map(repr, choices)}) > 2
    for number, command in choices:
        assert command in thoughts(entries, number, bot_key("one"))
    others = [thoughts(entries, number, bot_key("two")) for number, _ in choices]
    assert not all(command in other for (_, command), other in zip(choices, others, strict=True))


async def play_some(one: Peer, actions: int) -> None:
    """So many actions of ours, then until we are asked again."""
    wire, chance = game_services("moody").projector.wire, Chance(b"some")
    said: set[int] = set()
    while len(said) <= actions:
        act = one.answer(MOODY, wire, chance)
        if act is not None and act.token not in said:
            said.add(act.token)
            if len(said) > actions:
                return
            await one.send(act)
        await one.receive()


async def entries_of(app: Any, code: str) -> list[Entry]:
    codec = game_services("moody").entries
    return [codec.decode(row.body) for row in (await app.store.read(code)).rows]


def bots_choices(entries: list[Entry]) -> list[tuple[int, Any]]:
    return [(entry.number, entry.command) for entry in entries if entry.cause is Cause.BOT]


def thoughts(entries: list[Entry], number: int, key: bytes) -> list[Any]:
    """What the bot of entry `number` chooses in this process, by what it may have known: it is
    asked when its prompt opens, or again after a restart, when others may have acted."""
    stream, seat = Stream.replay(entries[: number - 1]), entries[number - 1].seat
    assert stream.match is not None and seat is not None
    first = stream.match.asked[seat].token
    return [thought_again(entries[:known], seat, key) for known in range(first, number)]


def thought_again(before: list[Entry], seat: int, key: bytes) -> Any:
    """What the bot of match seat `seat` chooses when it is asked after these entries."""
    play = game_services("moody")
    stream = Stream.replay(before)
    assert stream.match is not None
    state, asked = stream.match.state, stream.match.asked[seat]
    wire = play.projector.wire
    found = answer(
        Question(
            game="moody",
            level="remembers",
            explain=False,
            happened=tuple(pack_happened(play, entry, seat) for entry in before),
            public=wire.public.pack(MOODY.public(state)),
            private=wire.private.pack(MOODY.private(state, seat)),
            prompt=wire.prompt.pack(asked.prompt),
            seed=bot_seed(key, stream.seating.code, seat, asked.token),
            simulations=0,
            milliseconds=10_000,
        )
    )
    return wire.command.unpack(found.options[0][0])


# the processes by themselves


def question(level: str, seconds: float = PATIENCE, simulations: int = 0) -> Question:
    play = game_services("moody")
    setup = Setup("open", 2)
    match = Match(MOODY, setup, MOODY.deal(setup, Chance(b"deal")))
    wire = play.projector.wire
    return Question(
        game="moody",
        level=level,
        explain=False,
        happened=(),
        public=wire.public.pack(MOODY.public(match.state)),
        private=wire.private.pack(MOODY.private(match.state, 0)),
        prompt=wire.prompt.pack(match.asked[0].prompt),
        seed=bytes(32),
        simulations=simulations,
        milliseconds=int(seconds * 1000),
    )


@asynccontextmanager
async def some_workers(most: int) -> AsyncIterator[ProcessPool]:
    workers = ProcessPool(most)
    try:
        yield workers
    finally:
        await workers.stop()
    assert not any(map(psutil.pid_exists, workers.pids))


async def ask(
    workers: ProcessPool, asked: Question, waiters: Callable[[], Collection[Waiter]] | None = None
) -> Answer:
    asking = workers.ask(asked) if waiters is None else workers.ask(asked, waiters=waiters)
    return await asyncio.wait_for(asking, PATIENCE)


def nobody() -> tuple[Waiter, ...]:
    """Nobody waits: the time of a question begins when a process takes it up."""
    return ()


async def test_every_question_is_answered_once_and_no_more_processes_run_than_may() -> None:
    levels = ["random", "hangs", "raises", "dies", "random", "toils", "babbles", "cheats"]
    async with some_workers(2) as workers:
        asked = [question(level, 1.5) for level in levels]
        answers = await asyncio.gather(*[ask(workers, one, nobody) for one in asked])
        assert len(workers.pids) <= 2
    troubles = {level: told.failure for level, told in zip(levels, answers, strict=True)}
    assert troubles == {
        "random": "",
        "hangs": "took too long",
        "raises": "raised RuntimeError",
        "dies": "its process died",
        "toils": "",
        "babbles": "chose a str",
        "cheats": "chose a Cheat",
    }


async def test_a_process_that_is_killed_is_replaced() -> None:
    async with some_workers(1) as workers:
        asking = asyncio.ensure_future(ask(workers, question("hangs")))
        await ask_until_taken(workers)
        (pid,) = workers.pids
        os.kill(pid, signal.SIGKILL)
        assert (await asking).failure == "its process died"
        assert (await ask(workers, question("random"))).failure == ""
        assert workers.pids != (pid,)


async def ask_until_taken(workers: ProcessPool) -> None:
    """Until the one process is ready, and so has its question."""
    await until(lambda: workers.pids)
    await until(lambda: any(worker.ready for worker in workers._processes))


async def test_where_no_process_can_be_started_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    async with some_workers(2) as workers:
        for _ in range(4):
            with pytest.raises(Unserved, match="no process for bots can be started"):
                await ask(workers, question("random"))


async def test_where_no_more_processes_can_be_started_those_there_are_answer_everything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The machine is full: what can be started is tried a few times and then let be."""
    tried, program = tmp_path / "tried", tmp_path / "no-python"
    program.write_text(f"#!/bin/sh\necho >> {tried}\n")
    program.chmod(0o755)
    async with some_workers(3) as workers:
        assert (await ask(workers, question("random"))).failure == ""
        (pid,) = workers.pids
        monkeypatch.setattr(sys, "executable", str(program))
        slow = [asyncio.ensure_future(ask(workers, question("toils"))) for _ in range(12)]
        answers = await asyncio.gather(*slow)
        assert [told.failure for told in answers] == [""] * 12
        assert workers.pids == (pid,)
        most = len(tried.read_text())
        assert 3 <= most <= 5, "three fail, and those that were on their way by then"
        assert (await ask(workers, question("random"))).failure == ""
        asking = [asyncio.ensure_future(ask(workers, question("hangs"))) for _ in range(3)]
        await until(lambda: workers.waiting == 2)
        os.kill(pid, signal.SIGKILL)
        told = await asyncio.gather(*asking, return_exceptions=True)
        assert told[0] == Answer("its process died")
        assert [str(one) for one in told[1:]] == ["no process for bots can be started"] * 2
        assert len(tried.read_text()) == most


async def test_a_process_for_bots_knows_no_settings_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RA_BOT_SEED", "secret")
    monkeypatch.setenv("LIKE_RA_BUT_OTHER", "kept")
    async with some_workers(1) as workers:
        assert (await ask(workers, question("random"))).failure == ""
        (pid,) = workers.pids
        known = psutil.Process(pid).environ()
    assert known["LIKE_RA_BUT_OTHER"] == "kept"
    assert not [name for name in known if name.startswith("RA_")]


async def test_a_bot_is_told_how_much_to_think_and_when_there_is_no_more_time() -> None:
    wire = game_services("moody").projector.wire
    async with some_workers(1) as workers:
        for simulations, card in ((0, 1), (3, 3)):
            begin = time.monotonic()
            told = await ask(workers, question("searches", 1.0, simulations))
            assert time.monotonic() - begin > 0.4
            assert (
                wire.command.unpack(told.options[0][0])
                == MOODY.choices(wire.prompt.unpack(question("random").prompt))[card]
            )


async def test_one_that_cannot_say_what_it_thinks_says_so() -> None:
    async with some_workers(1) as workers:
        told = await ask(workers, evolve(question("random"), explain=True))
        assert told == Answer("cannot say what it thinks")


def test_the_same_question_has_the_same_answer_and_seeds_differ() -> None:
    seeds = [partial(bot_seed, bytes(32), "KIWI-42"), partial(bot_seed, bytes(32), "KIWI-43")]
    found = {seed(seat, number) for seed in seeds for seat in range(5) for number in range(50)}
    assert len(found) == 500
    asked = question("remembers")
    assert answer(asked) == answer(asked)
    others = [answer(evolve(asked, seed=bytes([n]) * 32)) for n in range(8)]
    assert any(other != others[0] for other in others)

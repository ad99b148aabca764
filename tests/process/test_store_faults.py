"""Faults of the disk under a running server, one after the other, while three tables play:
what cannot be stored is refused with its reason, whoever only asks is answered, and when
the cause is gone all go on by themselves with nothing lost and nothing doubled."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from protocol.messages import Beat, Heartbeat, ListTables, Tables
from tests.chaos.trial import FLAGS, trial
from tests.process.player import connected
from tests.process.serving import ServerProcess, program, run, server_process
from tests.process.test_two_at_once import held_lock

Fault = Callable[[ServerProcess], AbstractAsyncContextManager[None]]


def locked(server: ServerProcess) -> AbstractAsyncContextManager[None]:
    """Another program holds the write lock."""
    return held_lock(server.database)


@asynccontextmanager
async def no_growth(server: ServerProcess) -> AsyncIterator[None]:
    """No file of the server may grow: the system refuses its writes."""
    log = server.database.with_name(server.database.name + "-wal")
    async with limit(server, log.stat().st_size):
        yield


@asynccontextmanager
async def no_writes(server: ServerProcess) -> AsyncIterator[None]:
    """No write of the server to any file succeeds."""
    async with limit(server, 0):
        yield


@asynccontextmanager
async def limit(server: ServerProcess, size: int) -> AsyncIterator[None]:
    _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))


@asynccontextmanager
async def second_server(server: ServerProcess) -> AsyncIterator[None]:
    """Others try to serve the same database, and are turned away."""
    command = ("--port", "0", "--db", str(server.database), "--log", "off")
    status, _, errors = await run(program("ra-server"), *command)
    assert status == 1 and "another server uses it" in errors, errors
    yield


FAULTS: tuple[tuple[Fault, frozenset[str]], ...] = (
    (locked, frozenset({"locked"})),
    (no_growth, frozenset({"io_error", "disk_full"})),
    (second_server, frozenset()),
    (no_writes, frozenset({"io_error", "disk_full"})),
)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of others are Linux's")
async def test_every_fault_of_the_disk_is_got_over_without_a_restart(tmp_path: Path) -> None:
    async with (
        server_process(tmp_path, *FLAGS) as server,
        trial(server.database, server.port, 3, "faults", silence=5.0) as playing,
        connected(server, "Eve") as eve,
    ):
        await playing.go_on(0.5)
        for fault, reasons in FAULTS:
            for player in playing.players:
                player.reasons.clear()
            async with fault(server):
                going = asyncio.ensure_future(playing.go_on(0.6))
                while not going.done():
                    begin = monotonic()
                    await eve.ask(Beat(), Heartbeat)
                    await eve.ask(ListTables(), Tables)
                    assert monotonic() - begin < 1.5, "who only asks is not answered"
                    await asyncio.sleep(0.05)
                await going
            told = {reason for player in playing.players for reason in player.reasons}
            assert bool(told) == bool(reasons) and told <= reasons, (fault.__name__, told)
            before = playing.answered
            await playing.go_on(0.4)
            await playing.rest()
            assert playing.answered > before, "they did not go on"
        assert server.starts == 1
        code, output, _ = await run(program("ra-server"), "check", str(server.database))
        assert code == 0, output
        assert await server.terminate() == 0

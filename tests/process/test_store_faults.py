"""Faults of the disk under a running server, one after the other, while three tables play:
what cannot be stored is refused with its reason, whoever only asks is answered, and when
the cause is gone all go on by themselves with nothing lost and nothing doubled. All the
while nobody reads the server's log, in which each of them is told."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from protocol.messages import Beat, Heartbeat, ListTables, Tables
from tests.chaos.trial import FLAGS, Trial, trial
from tests.patience import PATIENCE
from tests.process.badlog import gone
from tests.process.locking import locked
from tests.process.player import connected
from tests.process.serving import ServerProcess, program, run, server_process

Fault = Callable[[ServerProcess], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def write_lock(server: ServerProcess) -> AsyncIterator[None]:
    """Another program holds the write lock."""
    with locked(server.database):
        yield


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
    command = ("--port", "0", "--db", str(server.database))
    status, _, errors = await run(program("ra-server"), *command)
    assert status == 1 and "another server uses it" in errors, errors
    yield


FAULTS: tuple[tuple[Fault, frozenset[str]], ...] = (
    (write_lock, frozenset({"locked"})),
    (no_growth, frozenset({"io_error", "disk_full"})),
    (second_server, frozenset()),
    (no_writes, frozenset({"io_error", "disk_full"})),
)


def told(playing: Trial) -> set[str]:
    """Why the store could not take what was said, by what the players were told."""
    return {reason for player in playing.players for reason in player.reasons}


@pytest.fixture
def nobody_reads() -> Iterator[int]:
    with gone() as log:
        yield log


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of others are Linux's")
async def test_every_fault_of_the_disk_is_got_over_without_a_restart(
    tmp_path: Path, nobody_reads: int
) -> None:
    async with (
        server_process(tmp_path, *FLAGS, stderr=nobody_reads) as server,
        trial(server.database, server.port, 3, "faults", silence=5.0) as playing,
        connected(server, "Eve") as eve,
    ):
        await playing.go_on(0.5)
        for fault, reasons in FAULTS:
            for player in playing.players:
                player.reasons.clear()
            async with fault(server):
                begin = monotonic()
                while monotonic() - begin < 0.6 or (reasons and not told(playing)):
                    await playing.go_on(0.05)
                    asked = monotonic()
                    await eve.ask(Beat(), Heartbeat)
                    await eve.ask(ListTables(), Tables)
                    assert monotonic() - asked < 1.5, "who only asks is not answered"
                    assert monotonic() - begin < PATIENCE, f"nobody is told of {fault.__name__}"
            assert bool(told(playing)) == bool(reasons), (fault.__name__, told(playing))
            assert told(playing) <= reasons, (fault.__name__, told(playing))
            before = playing.answered
            async with asyncio.timeout(PATIENCE):
                while playing.answered <= before:
                    await playing.go_on(0.4)
            await playing.rest()
        assert server.starts == 1
        code, output, _ = await run(program("ra-server"), "check", str(server.database))
        assert code == 0, output
        assert await server.terminate() == 0

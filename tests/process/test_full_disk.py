"""The disk of a running server is full for a while: actions are refused and nothing else,
and all goes on by itself when there is room again."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.stream import Stream
from protocol.messages import Beat, Create, Heartbeat, ListTables, Refused, Tables
from tests.process.patient import play_patiently
from tests.process.player import connected
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored, verify

pytestmark = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="the limits of another process are Linux's"
)


OPENING = Create(b"id", "ra", "standard", (), 3, (), True, True, bytes(16))


@contextmanager
def full_disk(server: ServerProcess) -> Iterator[None]:
    """The server has no room for a single byte. Its log of writes was emptied while it was quiet,
    and needs room again."""
    _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))


async def test_a_full_disk_refuses_actions_and_is_got_over(tmp_path: Path) -> None:
    async with (
        server_process(tmp_path) as server,
        connected(server, "Ann") as ann,
        connected(server, "Bob") as other,
    ):
        code = await ann.create(bots=("random", "easy"))
        with full_disk(server):
            playing = asyncio.create_task(play_patiently(ann))
            counts = set()
            # What was under way is answered before this is: all is stored in order.
            assert (await other.ask(OPENING, Refused)).code == "store_unavailable"
            for _ in range(10):
                counts.add(len(stored(server.database, code)))
                await other.ask(Beat(), Heartbeat)
                await other.ask(ListTables(), Tables)
                await asyncio.sleep(0.05)  # for half a second they try, and it stays full
            counts.add(len(stored(server.database, code)))
            assert len(counts) == 1, "something was stored"
            assert not playing.done()
        async with asyncio.timeout(60):
            await playing
        stream = Stream.replay(stored(server.database, code))
        assert stream.match is not None and stream.match.result is not None
        assert server.starts == 1
        assert await server.terminate() == 0
    await verify(server.database, code)

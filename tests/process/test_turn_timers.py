"""A turn's time over a kill and a new start of the real server: the seat gets back all that
it had at its last entry, one timer fires, once, and the token still resumes the seat."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from time import monotonic

from websockets.asyncio.client import connect

from engine.clock import Clock, ClockKind
from engine.entry import Cause
from protocol.messages import SUBPROTOCOL
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored
from tests.server.peer import Peer

SPAN_MS = 4_000


async def connected(server: ServerProcess, name: str, token: bytes | None = None) -> Peer:
    uri = server.uri
    socket = await connect(uri, subprotocols=[SUBPROTOCOL], compression=None)  # type: ignore[list-item]
    made = Peer(socket)
    await made.hello(name, token)
    return made


async def test_a_turn_begun_before_a_kill_has_its_whole_time_after_it(tmp_path: Path) -> None:
    clock = Clock(ClockKind.PER_MOVE, SPAN_MS)
    async with server_process(tmp_path) as server:
        ann = await connected(server, "Ann")
        code = await ann.create(seats=2, clock=clock, id=os.urandom(8))
        bob = await connected(server, "Bob")
        await bob.join(code)
        while ann.public[1] is None:
            await ann.receive()
        number = ann.number
        token = ann.token
        # The turn runs while the server lives, and its wall-clock deadline passes after. It
        # is time itself that must pass; most of the span is left for a busy machine.
        await asyncio.sleep(SPAN_MS / 4000)
        await server.kill()
        assert [entry.number for entry in stored(server.database, code)] == [1, 2]
        await asyncio.sleep(SPAN_MS / 1000)
        before = monotonic()
        await server.start()
        again = await connected(server, "", token)
        snapshot = await again.watch(code, number)
        assert (snapshot.number, snapshot.seat) == (number, 0)
        while again.number == number:
            await again.receive()
        assert monotonic() - before >= SPAN_MS / 1000
        await server.kill()
        acts = [entry for entry in stored(server.database, code) if entry.number > number]
        assert [entry.cause for entry in acts] == [Cause.TIMEOUT]
        for one in (ann, bob, again):
            await one.socket.close()

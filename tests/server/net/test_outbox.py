"""A peer that does not read is dropped, and nobody waits for it."""

from __future__ import annotations

import asyncio
import socket as sockets

from attrs import evolve

from engine.game import find_game
from protocol.messages import (
    SERVER_CODEC,
    Said,
)
from tests.patience import PATIENCE
from tests.server.peer import QUIET, peer, server


async def test_a_reader_that_does_not_read_is_dropped_and_the_game_goes_on() -> None:
    settings = evolve(QUIET, outbox_bytes=4096, close_seconds=0.2)
    async with server(settings) as app, peer(app, "Ann") as ann:
        bots = tuple(find_game("ra").bots)[:1] * 2
        code = await ann.create(bots=bots)
        async with peer(app, None) as lazy:
            lazy.socket.transport.get_extra_info("socket").setsockopt(
                sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096
            )
            await lazy.hello("Lazy")
            await lazy.watch(code)
            attending = app.residents.tables[code].broadcast.subscribers
            (subscriber,) = [subscriber for subscriber in attending if subscriber.name == "Lazy"]
            lazy.socket.transport.pause_reading()
            # whatever the system keeps for a reader, it is full some day
            burst = SERVER_CODEC.encode(Said(None, "Lazy", "x" * 3000))
            for _ in range(3000):
                subscriber.outbox.push(burst)  # type: ignore[attr-defined]
                if subscriber not in attending:
                    break
                await asyncio.sleep(0)  # a turn in which what can be written is
            assert subscriber not in attending
            await asyncio.wait_for(ann.play(), PATIENCE)
            assert ann.over
            lazy.socket.transport.abort()

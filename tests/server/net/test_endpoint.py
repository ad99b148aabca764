"""What the endpoint does for all its connections."""

from __future__ import annotations

from attrs import evolve

from protocol.messages import (
    CLIENT_CODEC,
    VERSION,
    Beat,
    Heartbeat,
    Hello,
    Refused,
)
from tests.server.peer import QUIET, peer, server


async def test_heartbeats_come_by_themselves_with_the_number_of_the_table() -> None:
    async with server(evolve(QUIET, heartbeat_seconds=0.05)) as app, peer(app) as one:
        assert (await one.until(Heartbeat)).number == 0
        await one.create()
        assert (await one.until(Heartbeat)).number == one.number
        hello = CLIENT_CODEC.encode(Hello(VERSION, "x", (), "en", "Ann", None))
        await one.socket.send(hello)
        assert (await one.until(Refused)).code == "out_of_place"
        assert isinstance(await one.ask(Beat(), Heartbeat), Heartbeat)

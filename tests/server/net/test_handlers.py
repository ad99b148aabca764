"""Every message of a client is handled, or refused where it is out of place."""

from __future__ import annotations

from typing import get_args

from protocol.messages import (
    Act,
    Beat,
    FromClient,
    Heartbeat,
    Refused,
    Say,
)
from server.net.handlers import HANDLERS
from tests.server.peer import peer, server


async def test_a_message_out_of_place_is_refused_and_the_connection_goes_on() -> None:
    async with server() as app, peer(app) as one:
        assert (await one.ask(Act(b"id", 1, (32,)), Refused)).id == b"id"
        assert (await one.ask(Say("hello?"), Refused)).code == "out_of_place"
        await one.ask(Beat(), Heartbeat)


def test_every_message_of_a_client_has_a_handler() -> None:
    assert set(HANDLERS) == set(get_args(FromClient))

"""Connections are made without delay, and made again past an address that has died."""

from __future__ import annotations

import asyncio
import socket

from attrs import evolve

from client.dial.address import Address
from client.dial.dialler import Dialler, hang_up
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, Patience
from client.state.events import Greeted
from tests.client.dial.nowhere import Names, black_hole
from tests.patience import until
from tests.server.peer import QUIET, server


async def test_small_messages_go_at_once() -> None:
    async with server() as app:
        connection = await Dialler(Address("127.0.0.1", app.port)).dial(20)
        handle = connection.transport.get_extra_info("socket")
        assert handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await hang_up(connection)


async def test_a_running_client_gets_past_an_address_that_has_died(names: Names) -> None:
    """The server has moved from one of its addresses to the other."""
    conversation = Conversation(Identity("test", "Anna"))
    greeted: list[Greeted] = []
    conversation.listeners.append(lambda change: _keep(greeted, change))
    names.known["ra.test"] = ["127.0.0.1", "127.83.0.2"]
    async with server() as app:
        port = app.port
        link = Link(Address("ra.test", port), conversation, Patience(first=0.01, cap=0.05))
        running = asyncio.create_task(link.run())
        await until(lambda: conversation.online)
    with black_hole("127.0.0.1", port):
        async with server(evolve(QUIET, host=("127.83.0.2",), port=port)):
            await until(lambda: len(greeted) == 2)
            link.stop()
            await running


def _keep(kept: list[Greeted], change: object) -> None:
    if isinstance(change, Greeted):
        kept.append(change)

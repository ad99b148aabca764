"""A server that vanishes without a word (B43): noticed within the written bound, waited
for at no cost, and found again by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, LinkLost, Patience
from client.state.events import ConnectionChanged, ConnectionStatus
from protocol.messages import SUBPROTOCOL
from tests.client.online import online
from tests.process.serving import server_process

HEARTBEAT = 0.4


async def test_b43_a_stopped_server_is_noticed_in_time_and_found_again(tmp_path: Path) -> None:
    async with server_process(tmp_path, "--heartbeat-seconds", str(HEARTBEAT)) as process:
        async with online(process.port) as client:
            client.link.patience = Patience(connect=1.0, first=0.05, cap=0.2)
            client.conversation.requests.create("ra", "standard", 2, bots=("random",))
            await client.until(lambda: client.conversation.model.scene and client.scene.mine)
            before = client.scene
            os.kill(process.pid, signal.SIGSTOP)
            try:
                start = time.monotonic()
                lost = await client.until(
                    lambda: next(
                        (
                            c
                            for c in client.changes
                            if isinstance(c, ConnectionChanged) and c.detail
                        ),
                        None,
                    )
                )
                bound = HEARTBEAT * client.link.patience.silence
                assert bound / 2 < time.monotonic() - start < bound + 5
                assert (lost.status, lost.detail) == (
                    ConnectionStatus.WAITING,
                    "the server is silent",
                )
                # It does not answer: the tries go on, and the table stays in sight.
                seen = len(client.changes)
                await client.until(
                    lambda: [
                        c
                        for c in client.changes[seen:]
                        if isinstance(c, ConnectionChanged) and c.detail == "no answer"
                    ]
                )
                assert client.scene == before
            finally:
                os.kill(process.pid, signal.SIGCONT)
            await client.until(lambda: client.conversation.online and client.scene.mine)
            client.answer()
            await client.until(lambda: not client.conversation.requests.commands)
            assert client.scene.number > before.number


async def test_b43_waiting_for_a_server_that_says_nothing_costs_nothing() -> None:
    async def say_nothing(socket: ServerConnection) -> None:
        await socket.wait_closed()

    protocols = [Subprotocol(SUBPROTOCOL)]
    async with serve(say_nothing, "127.0.0.1", 0, subprotocols=protocols) as silent:
        address = Address("127.0.0.1", silent.sockets[0].getsockname()[1])
        link = Link(address, Conversation(Identity("test", "Anna")), Patience(connect=1.5))
        cpu, start = time.process_time(), time.monotonic()
        with pytest.raises(LinkLost, match="the server is silent"):
            async with asyncio.timeout(10):
                await link.run()
        assert time.monotonic() - start >= 1.5
        assert time.process_time() - cpu < 0.75, "half of the time is spent at work"

"""People who come from two addresses of this machine."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack

import pytest

from server.app import App
from tests.server.peer import Peer, peer

HERE, THERE = "127.0.0.2", "127.0.0.3"

needs_two_addresses = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this machine has one address"
)


async def crowd(app: App, stack: AsyncExitStack, count: int, host: str = HERE) -> list[Peer]:
    """`count` people from one address."""
    return [
        await stack.enter_async_context(peer(app, f"Eve {chr(97 + n)}", host=host))
        for n in range(count)
    ]

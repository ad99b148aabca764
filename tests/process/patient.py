"""Playing on through a store that cannot take an action now."""

from __future__ import annotations

import asyncio

from engine.deal import Chance
from protocol.messages import Accepted, Act, Refused
from tests.process.player import RA, WIRE
from tests.server.peer import Peer


async def play_patiently(player: Peer) -> None:
    """Play to the end; what the store could not take is sent again, with the same id."""
    chance = Chance(b"patient")
    pending: Act | None = None
    while not player.over:
        if pending is None:
            pending = player.answer(RA, WIRE, chance)
            if pending is not None:
                await player.send(pending)
        message = await player.receive()
        if pending is not None and getattr(message, "id", None) == pending.id:
            if isinstance(message, Accepted):
                pending = None
            elif isinstance(message, Refused):
                assert message.code == "store_unavailable", message
                await asyncio.sleep(0.05)  # nothing tells when a store is well again
                await player.send(pending)

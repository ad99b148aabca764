"""Every audience is sent an update for every entry."""

from __future__ import annotations

import asyncio
import os

from protocol.messages import (
    JoinTable,
    Snapshot,
    Update,
    Watch,
)
from tests.server.peer import peer, server


async def test_an_update_follows_every_entry_without_gap_for_every_audience() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create("miniature", "veiled", seats=2)
        await eve.watch(code)
        async with peer(app, "Bob") as bob:
            await bob.send(JoinTable(b"j", code, os.urandom(16)))
            await bob.until(Snapshot)
            await asyncio.gather(ann.play("miniature"), bob.play("miniature"))
            while not eve.over:
                message = await eve.receive()
                assert not isinstance(message, Update) or message.private is None
            await eve.send(Watch(code, 0))
            assert (await eve.until(Snapshot)).public == ann.public == bob.public

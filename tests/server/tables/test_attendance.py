"""Everybody at a table is told who is there."""

from __future__ import annotations

from protocol.messages import (
    LeaveTable,
    Left,
    Presence,
)
from protocol.messages import (
    Peer as Present,
)
from tests.server.peer import peer, server


async def test_presence_says_who_is_there() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(bots=("random",))
        async with peer(app, "Bob") as bob:
            await bob.watch(code)
            await eve.watch(code)
            here = Presence((Present.HERE, None, Present.BOT), 2)
            while await ann.until(Presence) != here:
                pass
            while await eve.until(Presence) != here:
                pass
        while await ann.until(Presence) != Presence((Present.HERE, None, Present.BOT), 1):
            pass
        async with peer(app, "", ann.token) as again:
            await again.watch(code)
            await again.ask(LeaveTable(b"bye"), Left)
            while await eve.until(Presence) != Presence((None, None, Present.BOT), 1):
                pass

"""Who is at a table: everybody there is told, and one address has no more than its places."""

from __future__ import annotations

from contextlib import AsyncExitStack

from attrs import evolve

from protocol.messages import (
    Accepted,
    LeaveTable,
    Left,
    Presence,
    Refused,
    Snapshot,
    Watch,
)
from protocol.messages import (
    Peer as Present,
)
from tests.server.addresses import THERE, crowd, needs_two_addresses
from tests.server.peer import QUIET, Peer, peer, server


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


async def told(one: Peer, code: str) -> str:
    """Watch a table: "" if that is possible, else the code of the refusal."""
    answer = await one.ask(Watch(code, 0), (Snapshot, Refused))
    return answer.code if isinstance(answer, Refused) else ""


@needs_two_addresses
async def test_one_address_does_not_take_all_places_to_watch() -> None:
    settings = evolve(QUIET, watchers=4, watchers_per_address=2)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        code = await ann.create()
        eves = await crowd(app, stack, 3)
        assert [await told(eve, code) for eve in eves] == ["", "", "too_many_watchers"]
        assert await told(eves[0], code) == "", "who is there already stays"
        bob, cyd, dan = await crowd(app, stack, 3, THERE)
        assert [await told(one, code) for one in (bob, cyd, dan)] == ["", "", "too_many_watchers"]
        assert isinstance(await eves[2].join(code), Accepted), "a seat is no place to watch"

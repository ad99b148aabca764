"""What one address may have of what all share, and what is left for the others."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from attrs import evolve
from websockets.exceptions import InvalidStatus

from protocol.messages import Accepted, Refused, Said, Say, Snapshot, StartMatch, Watch
from server.app import App
from server.store.memory import MemoryStore
from server.store.port import DirectoryRow, Position, Row
from tests.patience import until
from tests.server.peer import QUIET, Peer, peer, server

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this machine has one address"
)
HERE, THERE = "127.0.0.2", "127.0.0.3"


async def told(one: Peer, code: str) -> str:
    """What comes of watching: "" is a table, else why not."""
    answer = await one.ask(Watch(code, 0), (Snapshot, Refused))
    return answer.code if isinstance(answer, Refused) else ""


async def crowd(app: App, stack: AsyncExitStack, count: int, host: str = HERE) -> list[Peer]:
    """So many people of one address."""
    return [
        await stack.enter_async_context(peer(app, f"Eve {chr(97 + n)}", host=host))
        for n in range(count)
    ]


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


async def test_one_address_does_not_fill_the_chat() -> None:
    settings = evolve(QUIET, chat_rate=0.01, chat_burst=2, people_per_address=3)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        code = await ann.create()
        lines = []
        for eve in await crowd(app, stack, 5):
            await eve.watch(code)
            for _ in range(2):
                answer = await eve.ask(Say("mine is longer"), (Said, Refused))
                lines.append(answer.code if isinstance(answer, Refused) else "")
        assert lines == [""] * 6 + ["too_fast"] * 4
        (bob,) = await crowd(app, stack, 1, THERE)
        await bob.watch(code)
        assert isinstance(await bob.ask(Say("hello"), (Said, Refused)), Said)
        assert isinstance(await ann.ask(Say("hello"), (Said, Refused)), Said)


class Slow(MemoryStore):
    """A store whose appends wait for the test."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        return self._slow(table, expect, row, directory)

    async def _slow(self, *what: Any) -> Position:
        await self.gate.wait()
        return await super().append(*what)


async def test_those_who_only_watch_do_not_fill_a_tables_inbox() -> None:
    store = Slow()
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(evolve(QUIET, inbox=8), store))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        code = await ann.create(seats=3)
        eve, bob = await crowd(app, stack, 2)
        await eve.watch(code)
        store.gate.clear()
        joining = asyncio.create_task(bob.join(code))
        table = app.lobby.tables[code]
        await until(lambda: not table._inbox.idle)
        for n in range(10):
            await eve.send(StartMatch(b"eve%d" % n))
        busy = [(await eve.until(Refused)).code for _ in range(6)]
        assert busy == ["busy"] * 6
        await ann.send(StartMatch(b"ann"))
        await until(lambda: len(table._inbox) == 5)
        store.gate.set()
        assert isinstance(await joining, Accepted)
        assert [(await eve.until(Refused)).code for _ in range(4)] == ["not_host"] * 4
        assert isinstance(await ann.until((Accepted, Refused)), Accepted)


async def test_the_last_connections_are_kept_for_addresses_that_have_few() -> None:
    settings = evolve(QUIET, connections=20, connections_per_address=30)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        await crowd(app, stack, 18)
        with pytest.raises(InvalidStatus) as refused:
            await crowd(app, stack, 1)
        assert refused.value.response.status_code == 503
        await crowd(app, stack, 2, THERE)
        with pytest.raises(InvalidStatus) as refused:
            await crowd(app, stack, 1, THERE)
        assert refused.value.response.status_code == 503, "that is all there are"

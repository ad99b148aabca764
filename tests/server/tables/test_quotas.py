"""How many tables and seats one person and one address may have."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from contextlib import AsyncExitStack
from typing import Any

from attrs import evolve

from engine.game import find_game
from protocol.messages import (
    Accepted,
    CloseTable,
    Create,
    Refused,
    Snapshot,
)
from server.store.memory import MemoryStore
from server.store.port import Held
from tests.server.addresses import HERE, THERE, crowd, needs_two_addresses
from tests.server.peer import QUIET, Peer, peer, server
from tests.server.tables.test_attendance import told
from tests.server.tables.test_lobby import create

pytestmark = needs_two_addresses


class Counting(MemoryStore):
    """A store that notes for how many sessions it is asked at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    async def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        self.asked.append(len(people))
        return await super().held(people)


async def opened(one: Peer, **fields: Any) -> str:
    """Open a table: "" if that is possible, else the code of the refusal."""
    ruleset = next(iter(find_game("ra").rulesets))
    facts: dict[str, Any] = {"listed": True, "sit": True, "bots": (), "seats": 3, **fields}
    create = Create(
        id=os.urandom(8), game="ra", ruleset=ruleset, options=(), nonce=os.urandom(16), **facts
    )
    answer = await one.ask(create, (Accepted, Refused))
    if isinstance(answer, Refused):
        return answer.code
    await one.until(Snapshot)
    return ""


async def test_one_address_opens_so_many_tables_with_however_many_sessions() -> None:
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(evolve(QUIET, tables_per_address=3)))
        eves = await crowd(app, stack, 4)
        assert sorted(await asyncio.gather(*[opened(eve) for eve in eves])) == [
            "", "", "", "too_many_tables"
        ]  # fmt: skip
        # people who are gone count too
        await eves[0].socket.close()
        (late,) = await crowd(app, stack, 1)
        assert await opened(late) == "too_many_tables"
        (bob,) = await crowd(app, stack, 1, THERE)
        assert await opened(bob) == ""
        (there,) = [eve for eve in eves[1:] if eve.public is not None][:1]
        assert isinstance(await there.ask(CloseTable(b"x"), (Accepted, Refused)), Accepted)
        assert await opened(late) == ""


async def test_all_of_an_address_are_counted_only_where_the_bound_is_near() -> None:
    """A count of everybody for each table would cost more the busier an address is."""
    store = Counting()
    settings = evolve(QUIET, tables_per_address=9)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings, store))
        eves = await crowd(app, stack, 4)
        assert [await opened(eve) for eve in eves + eves] == [""] * 8
        assert sum(count > 1 for count in store.asked) == 0
        assert await opened(eves[0]) == ""
        assert await opened(eves[0]) == "too_many_tables"
        assert store.asked[-1] == 4
        assert isinstance(await eves[0].ask(CloseTable(b"x"), (Accepted, Refused)), Accepted)
        assert await opened(eves[1]) == ""
        assert await opened(eves[1]) == "too_many_tables"


async def test_a_table_that_is_refused_costs_of_the_rate_too() -> None:
    """Whether a table may be opened is a question to the directory, which others need as well."""
    settings = evolve(QUIET, create_rate=0.01, create_burst=4, tables_per_session=1)
    async with server(settings) as app, peer(app, "Eve") as eve:
        came = [await opened(eve) for _ in range(6)]
        assert came == ["", *["too_many_tables"] * 3, *["too_fast"] * 2]


async def test_a_session_counts_where_it_came_last_also_after_a_restart() -> None:
    store, settings = Lasting(), evolve(QUIET, tables_per_address=2)
    async with server(settings, store) as app, peer(app, "Eve", host=HERE) as eve:
        assert [await opened(eve) for _ in range(2)] == ["", ""]
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings, store))
        await stack.enter_async_context(peer(app, "", eve.token, host=HERE))
        (mal,) = await crowd(app, stack, 1)
        assert await opened(mal) == "too_many_tables"
        # she goes elsewhere, and her tables count there
        await stack.enter_async_context(peer(app, "", eve.token, host=THERE))
        assert await opened(mal) == ""
        (bob,) = await crowd(app, stack, 1, THERE)
        assert await opened(bob) == "too_many_tables"


async def test_a_new_session_opens_few_tables_and_sits_at_few() -> None:
    store = Lasting()
    settings = evolve(QUIET, tables_per_new_session=2, seats_per_new_session=3)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings, store))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        codes = [await ann.create() for _ in range(2)]
        assert await opened(ann) == "too_many_tables"
        bob = await stack.enter_async_context(peer(app, "Bob"))
        assert await opened(bob) == ""
        told = [await bob.join(code) for code in codes]
        assert all(isinstance(answer, Accepted) for answer in told)
        assert await opened(bob, sit=True) == "too_many_tables", "it would be the fourth seat"
        assert await opened(bob, sit=False) == ""
    hour = 3_600_000
    store._sessions = {h: evolve(r, created=r.created - hour) for h, r in store._sessions.items()}
    async with server(settings, store) as app, peer(app, "", ann.token) as again:
        assert await opened(again) == ""


async def test_one_address_takes_so_many_seats() -> None:
    settings = evolve(QUIET, seats_per_address=2, seats_per_session=1)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        ann, bob = [
            await stack.enter_async_context(peer(app, name, host=THERE)) for name in ("Ann", "Bob")
        ]
        codes = [await ann.create(), await bob.create()]
        eves = await crowd(app, stack, 3)
        first = [await eve.join(codes[0]) for eve in eves[:2]]
        assert all(isinstance(answer, Accepted) for answer in first)
        for eve in (eves[0], eves[2]):
            refused = await eve.join(codes[1])
            assert isinstance(refused, Refused) and refused.code == "too_many_tables"
        assert isinstance(await eves[0].join(codes[0]), Refused), "seated, and told so"
        assert await told(eves[0], codes[0]) == "", "its own seat is never refused"


class Lasting(MemoryStore):
    """A store that outlives the server that used it."""

    async def close(self) -> None:
        """Do nothing: the next server uses it."""


async def test_a_session_may_open_so_many_tables_and_again_when_some_are_closed() -> None:
    settings = evolve(QUIET, tables=5, tables_per_session=3)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        for _ in range(3):
            await ann.create()
        assert (await ann.ask(create(), Refused)).code == "too_many_tables"
        for _ in range(2):
            await bob.create()
        assert (await bob.ask(create(), Refused)).code == "too_many_tables"
        await ann.ask(CloseTable(b"c"), Accepted)
        await ann.create()


async def test_tables_are_opened_at_a_slow_rate() -> None:
    settings = evolve(QUIET, create_burst=2, create_rate=0.01)
    async with server(settings) as app, peer(app, "Ann") as ann:
        for _ in range(2):
            await ann.create()
            await ann.ask(CloseTable(os.urandom(8)), Accepted)
        assert (await ann.ask(create(), Refused)).code == "too_fast"
        async with peer(app, "Bob") as bob:
            code = await bob.create()
        refused = await ann.join(code)
        assert isinstance(refused, Refused) and refused.code == "too_fast"

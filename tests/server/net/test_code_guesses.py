"""Wrong codes are bounded by address, and right ones cost nothing."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from time import monotonic

import pytest
from attrs import evolve

from protocol.messages import Accepted, Beat, GetRecord, Heartbeat, Refused, Watch
from server.net import code_guesses as guesses
from tests.patience import until
from tests.server.peer import QUIET, Peer, peer, server
from tests.server.tables.test_codes import elsewhere, store_with, told

FEW = evolve(QUIET, wrong_codes=3)


async def wrong(one: Peer, count: int, first: int = 0) -> list[str]:
    return [await told(one, f"NONE-{first + n:04}") for n in range(count)]


async def test_wrong_codes_are_bounded_by_address_wherever_they_are_said() -> None:
    async with server(FEW) as app, peer(app, "Ann") as ann:
        code, secret = await ann.create(), await ann.create(listed=False)
        async with peer(app, "Eve") as eve, peer(app, "Mal") as mal:
            assert await wrong(eve, 1) == ["no_table"]
            assert (await eve.join("NONE-77-ABCD-EFGH-JKMN")).code == "no_table"  # type: ignore[union-attr]
            assert (await mal.ask(GetRecord("NONE-78"), Refused)).code == "no_table"
            for one in (eve, mal):
                assert await told(one, "NONE-79") == "too_many_codes"
            # what is no guess goes on, and so does everything else
            assert await told(eve, code) == await told(mal, secret) == ""
            assert await mal.ask(Beat(), Heartbeat)
            refused = await eve.ask(GetRecord("NONE-80"), Refused)
            assert refused.code == "too_many_codes"
            assert int(dict(refused.facts)["seconds"]) > 0


async def test_a_right_code_costs_nothing() -> None:
    async with server(FEW) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, secret = await ann.create(), await ann.create(listed=False)
        assert [await told(bob, known) for _ in range(5) for known in (code, secret)] == [""] * 10
        assert await wrong(bob, 3) == ["no_table"] * 3


async def test_a_short_code_of_an_unlisted_table_is_kept_by_the_budget() -> None:
    """It is from an earlier version: it leads to its table as ever, but not those who try."""
    store = await store_with("KIWI-42", listed=False)
    async with server(FEW, store) as app, peer(app, "Bob") as bob:
        assert await told(bob, "kiwi 42") == ""
        assert isinstance(await bob.join("KIWI-42"), Accepted)
        async with peer(app, "Eve") as eve:
            await wrong(eve, 3)
            assert await told(eve, "KIWI-42") == "too_many_codes"
            assert (await eve.join("KIWI-42")).code == "too_many_codes"  # type: ignore[union-attr]
            # whoever sits there is behind the same address, and not locked out
            assert await told(bob, "KIWI-42") == ""


async def test_whoever_goes_on_with_wrong_codes_is_not_heard_for_a_while() -> None:
    async with server(FEW) as app, peer(app, "Eve") as eve, peer(app, "Ann") as ann:
        await wrong(eve, 3)
        start = monotonic()
        for n in range(40):
            await eve.send(Watch(f"NONE-{n:02}", 0))
        assert await ann.ask(Beat(), Heartbeat), "the others are"
        assert [(await eve.until(Refused)).code for _ in range(40)] == ["too_many_codes"] * 40
        assert monotonic() - start > 32 * 0.01, "at the pace of the address"


async def test_whoever_is_not_heard_is_not_dropped_for_pings_answered_late() -> None:
    """It would come back at once, and a handshake costs more than its codes."""
    async with server(evolve(FEW, ping_seconds=0.2)) as app, peer(app, "Eve") as eve:
        await wrong(eve, 3)
        for n in range(100):
            await eve.send(Watch(f"NONE-{n:02}", 0))
        assert [(await eve.until(Refused)).code for _ in range(100)] == ["too_many_codes"] * 100
        assert await eve.ask(Beat(), Heartbeat)


async def test_whoever_answers_no_ping_is_dropped_though_it_was_not_heard_for_a_while() -> None:
    async with server(evolve(FEW, ping_seconds=0.2)) as app, peer(app, "Eve") as eve:
        await wrong(eve, 20)
        (connection,) = app.endpoint.connections
        eve.socket.transport.pause_reading()  # no ping is answered any more
        await until(lambda: connection not in app.endpoint.connections)
        eve.socket.transport.resume_reading()


async def test_whoever_is_not_heard_and_goes_is_gone_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guesses, "_PACE_SECONDS", 1000)
    async with server(FEW) as app, peer(app, "Eve") as eve:
        await wrong(eve, 3 + 16)
        await eve.socket.close()
        await until(lambda: not app.endpoint.connections, seconds=20)


async def test_many_connections_at_once_get_no_more_wrong_codes_than_one() -> None:
    """Each is looked at before any is found to be wrong."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(FEW))
        eves = [await stack.enter_async_context(peer(app, f"Eve {n}x")) for n in range(8)]
        told_them = await asyncio.gather(*[wrong(eve, 1, n) for n, eve in enumerate(eves)])
        assert sorted(word for (word,) in told_them) == ["no_table"] * 3 + ["too_many_codes"] * 5


@elsewhere
async def test_another_address_has_a_budget_of_its_own() -> None:
    async with server(FEW) as app, peer(app, "Eve") as eve:
        assert await wrong(eve, 4) == ["no_table"] * 3 + ["too_many_codes"]
        async with peer(app, "Ann", host="127.0.0.2") as ann:
            assert await wrong(ann, 1) == ["no_table"]

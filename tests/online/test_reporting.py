"""Faults whose report fails too: what has to be done is done all the same. A table gives itself
up, every request has its answer, everybody is sent what is theirs, a server drains."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from engine.stream import Stream
from protocol.entries import EntryCodec
from protocol.messages import Accepted, Act, Beat, Closing, Heartbeat, Refused
from server.log import NullLog
from server.metrics import Counters
from server.net.connected_client import ConnectedClient
from server.net.flush_scheduler import FlushScheduler
from server.tables.table import Table
from tests.patience import until
from tests.server.moody import Mood, MoodyStore
from tests.server.peer import QUIET, Peer, farewell, peer, server
from tests.server.tables.test_table import CHANCE, RA, WIRE


class Fault(Exception):
    """A fault of ours."""


class Broken(NullLog):
    """A log that cannot be written, and says so."""

    def info(self, event: str, **facts: Any) -> None:
        raise Fault(event)

    warning = error = info


def faulty(*_: object, **__: object) -> Any:
    raise Fault


async def asked(one: Peer) -> Act:
    """Wait until something is asked: a legal answer."""
    while (made := one.answer(RA, WIRE, CHANCE)) is None:
        await one.receive()
    return made


async def act(one: Peer) -> None:
    """Answer what is asked."""
    await one.send(await asked(one))


@pytest.mark.parametrize(("part", "step"), [(Stream, "draft"), (EntryCodec, "encode")])
async def test_a_fault_before_an_entry_is_stored_is_answered(
    part: type, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(log=Broken()) as app, peer(app, "Ann") as ann:
        await ann.create(bots=("random", "random"))
        made = await asked(ann)
        with monkeypatch.context() as patched:
            patched.setattr(part, step, faulty)
            await ann.send(made)
            refused = await ann.until(Refused)
            assert refused.code == "fault"
        await act(ann)
        assert isinstance(await ann.until((Accepted, Refused)), Accepted)
        assert app.counters.faults and app.log.lost


@pytest.mark.parametrize("mood", [Mood.UNAVAILABLE, Mood.UNKNOWN_NOT_WRITTEN])
async def test_what_the_store_cannot_take_is_refused_and_taken_later(mood: Mood) -> None:
    store = MoodyStore()
    async with server(QUIET, store, log=Broken()) as app, peer(app, "Ann") as ann:
        await ann.create(bots=("random", "random"))
        await act(ann)
        await ann.until(Accepted)
        made = await asked(ann)
        store.mood = mood
        await ann.send(made)
        assert (await ann.until(Refused)).code == "store_unavailable"
        store.mood = Mood.WELL
        await act(ann)
        await ann.until(Accepted)


async def test_a_table_that_fails_gives_itself_up_and_tells_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of those who are to be told cannot be, too; it comes back from its log."""
    async with server(log=Broken()) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(bots=("random", "random"))
        await bob.watch(code)
        made = await asked(ann)
        lose = ConnectedClient.lose_table

        def lose_all_but_ann(client: ConnectedClient) -> None:
            lose(client)
            if client.name == "Ann":
                raise Fault

        with monkeypatch.context() as patched:
            patched.setattr(ConnectedClient, "lose_table", lose_all_but_ann)
            patched.setattr(Table, "_adopt", faulty)
            await ann.send(made)
            for one in (ann, bob):
                assert (await farewell(one))[0].code == "table_lost"
        async with peer(app, "", ann.token) as again:
            await again.watch(code)
            await act(again)
            await again.until(Accepted)


async def test_everybody_is_sent_what_is_theirs_in_spite_of_one() -> None:
    sent: list[int] = []
    scheduler = FlushScheduler(Broken(), Counters())
    for _ in range(2):
        scheduler.put(lambda: sent.append(1))
        scheduler.put(faulty)
        scheduler.put(lambda: sent.append(2))
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(asyncio.get_running_loop(), "call_exception_handler", lambda _: None)
            await until(lambda: not scheduler._due)
    assert sent == [1, 2, 1, 2]


async def test_a_server_whose_log_is_broken_drains() -> None:
    async with server(log=Broken()) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        await ann.create(bots=("random", "random"))
        await bob.ask(Beat(), Heartbeat)
        stopping = asyncio.create_task(app.stop())
        for one in (ann, bob):
            closing = await one.until(Closing)
            assert closing.code == "restart"
            with pytest.raises(ConnectionClosed):
                await one.receive()
        await stopping
        assert not app.stuck

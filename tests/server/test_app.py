"""Starting, stopping, figures and log lines."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from attrs import evolve

from protocol.messages import Accepted, Act, FromServer, Refused
from server.store.port import StoreError, Unavailable
from server.tables.residency import Residency, Stage
from tests.patience import until
from tests.server.book import Book
from tests.server.moody import LastingStore, MoodyStore
from tests.server.peer import QUIET, farewell, peer, server
from tests.server.tables.test_table import CHANCE, RA, WIRE


def mute(port: int) -> socket.socket:
    """A client that finishes the handshake and then never sends or reads anything."""
    made = socket.create_connection(("127.0.0.1", port))
    made.sendall(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: ra.v1\r\n\r\n"
    )
    return made


async def test_a_server_without_clients_stops_at_once() -> None:
    begin = time.monotonic()
    async with server():
        pass
    assert time.monotonic() - begin < 2.5, "less than it would drain"


async def test_whatever_goes_wrong_at_the_end_the_store_is_closed_and_people_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MoodyStore()

    def faulty(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    async with server(store=store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            await ann.create()
            await bob.create()
            monkeypatch.setattr(Residency, "_end", faulty)
            monkeypatch.setattr(app.archive, "close", faulty)
            monkeypatch.setattr(app.bots, "stop", faulty)
            await app.stop()
            for one in (ann, bob):
                assert (await farewell(one))[0].code == "restart"
        assert app.counters.faults >= 4
    with pytest.raises(StoreError):
        await store.directory()


class FullAtTheEnd(MoodyStore):
    """A store whose disk is full from when `full` is set."""

    full = False

    async def keep_age(self, age: int) -> None:
        if self.full:
            raise Unavailable("disk_full")
        await super().keep_age(age)

    async def close(self) -> None:
        await super().close()
        if self.full:
            self.full = False
            raise Unavailable("disk_full")


async def test_a_store_that_fails_while_the_server_stops_is_no_fault_of_ours(book: Book) -> None:
    store = FullAtTheEnd()
    async with server(store=store, log=book) as app:
        store.full = True
        await app.stop()
        assert app.counters.faults == 0 and app.counters.store_failures == 2
    said = [facts["why"] for event, facts in book.lines if event == "store_failure"]
    assert said[:2] == ["the disk is full"] * 2


async def test_what_nobody_waits_for_is_counted_and_tells_nothing_private(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def faulty() -> None:
        raise ValueError("what a peer sent")

    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    async with server(evolve(QUIET, log="plain")) as app:
        loop.call_soon(faulty)
        loop.call_exception_handler({"message": "what a peer sent"})
        await asyncio.sleep(0)  # the turn in which it is called
        assert app.counters.faults == 2
    assert loop.get_exception_handler() is before
    lines = capsys.readouterr().err
    assert "loop_fault" in lines and "ValueError at " in lines and "test_app.py" in lines
    assert "what a peer sent" not in lines


async def test_stopping_tells_everybody_to_come_back_and_waits_for_nobody() -> None:
    """Idle clients, one that never answers, bots in the middle of a game."""
    settings = evolve(QUIET, close_seconds=1.0)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        await ann.create(seats=5, bots=("easy",) * 5, sit=False)
        with mute(app.port):
            await until(lambda: len(app.endpoint.connections) == 3)
            begin = time.monotonic()
            stopping = asyncio.create_task(app.stop())
            for closing, code in await asyncio.gather(farewell(ann), farewell(bob)):
                assert (closing.code, code) == ("restart", 1012)
                assert closing.retry > 0
            await stopping
            assert time.monotonic() - begin < 4
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", app.port), 1).close()


async def test_an_append_under_way_is_finished_and_told_what_waits_is_refused() -> None:
    store = LastingStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=2)
        await bob.join(code)
        while ann.number < 2:
            await ann.receive()
        actor = ann if ann.asked() else bob
        made = actor.answer(RA, WIRE, CHANCE)
        assert isinstance(made, Act)
        store.gate.clear()
        await actor.send(made)
        await actor.send(evolve(made, id=b"later"))
        table = app.residents.tables[code]
        await until(lambda: table.inbox)
        stopping = asyncio.create_task(app.stop())
        await until(lambda: table._residency.stage is Stage.DRAINING)
        store.gate.set()
        told: dict[bytes | None, FromServer] = {}
        while len(told) < 2:
            message = await actor.receive()
            if isinstance(message, (Accepted, Refused)):
                told[message.id] = message
        assert told[made.id] == Accepted(made.id, 3)
        later = told[b"later"]
        assert isinstance(later, Refused) and later.code == "stopping"
        await stopping
        assert len((await store.read(code)).rows) == 3


# as a process


@contextmanager
def program(*flags: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "server", "--port", "0", "--log", "json", *flags]
    with process(*command, **environment) as child:
        yield child


@contextmanager
def process(*command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A process with pipes, killed in the end if it still runs."""
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


def ready(child: subprocess.Popen[str]) -> int:
    """The port that a starting server prints."""
    assert child.stdout is not None
    line = child.stdout.readline()
    assert line.startswith("listening on 127.0.0.1:")
    return int(line.rsplit(":", 1)[1])


# figures and log

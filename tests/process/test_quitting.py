"""Leaving waits for no server, whatever it does; and the way back that is told is a way to a
table, whatever the server calls it."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client.join.invocation import command_line, way_to
from engine.game import Setup
from protocol.messages import CLIENT_CODEC, SERVER_CODEC, SUBPROTOCOL, Hello, Snapshot
from tests.client.joined import WELCOME, Joined
from tests.client.seated import Seated
from tests.client.typed_runs import Typist, typist
from tests.client.wire_cutter import proxy
from tests.games import open_table
from tests.patience import until
from tests.server.peer import server

BOUND = 5.0
"""Seconds that a client may take to leave, its start not counted; far more than it needs."""
OTHERS = ["--data=/tmp/x", "-h", "--help", "$(reboot)", "a b;c", "`id`"]


@asynccontextmanager
async def stubborn(*, greets: bool, code: str = "OTHER-1") -> AsyncIterator[str]:
    """A server that answers nothing but with another table than the one asked for; or not at
    all, not even a farewell."""
    over = asyncio.Event()

    async def handle(socket: ServerConnection) -> None:
        async for frame in socket:
            assert isinstance(frame, bytes)
            if not greets:
                await over.wait()
            if isinstance(CLIENT_CODEC.decode(frame), Hello):
                await socket.send(SERVER_CODEC.encode(WELCOME))
            else:
                public, private = Joined(open_table("ra", Setup("standard", 2), code=code)).views()
                await socket.send(SERVER_CODEC.encode(Snapshot(9, 0, public, private, ())))
                await over.wait()

    protocols = [Subprotocol(SUBPROTOCOL)]
    async with serve(handle, "127.0.0.1", 0, subprotocols=protocols) as server:
        try:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            over.set()


async def ends(data: Path, where: str, *flags: str, typed: str, first: str = "") -> list[str]:
    """A plain client ends within the bound when `typed`, once `first` was said."""
    async with typist(data, where, *flags, "--plain", "--name", "Anna") as anna:
        if first:
            await anna.line(first)
        await anna.type(typed)
        begun = time.monotonic()
        assert await anna.end() == 0
        assert time.monotonic() - begun < BOUND or not first
        return anna.lines


async def test_quit_waits_for_no_other_table(tmp_path: Path) -> None:
    async with stubborn(greets=True) as where:
        async with asyncio.timeout(30):
            await ends(tmp_path, where, "KIWI-42", typed="quit", first="^table: OTHER-1")
            await ends(tmp_path, where, "KIWI-42", typed="tables\nstate\nquit")


async def test_quit_waits_for_no_greeting(tmp_path: Path) -> None:
    async with stubborn(greets=False) as where:
        begun = time.monotonic()
        await ends(tmp_path, where, typed="quit")
        assert time.monotonic() - begun < 2 * BOUND


async def test_quit_ends_a_wait(tmp_path: Path) -> None:
    async with stubborn(greets=True) as where:
        async with typist(tmp_path, where, "--plain", "--name", "Anna") as anna:
            await anna.line("^link: connected")
            await anna.type("tables\nwait")
            await asyncio.sleep(2)  # typed by somebody who has waited, and not piped in
            await anna.type("quit")
            async with asyncio.timeout(BOUND):
                assert await anna.end() == 0


@asynccontextmanager
async def cut_off(data: Path, first: str = "", *, hangs: bool = False) -> AsyncIterator[Typist]:
    """A plain client that has typed `first` and then lost its connection: the next ones are
    refused, or get no answer."""
    async with server() as app, proxy(app.port) as between:
        where = f"127.0.0.1:{between.port}"
        async with typist(data, where, "--plain", "--name", "Anna") as anna:
            await anna.line("^link: connected")
            if first:
                await anna.type(first, "^present: ")
            if hangs:
                between.freeze()
            else:
                between.target = 1
            made = between.connections
            between.cut()
            await anna.line(r"^link: .*next try in")
            await until(lambda: between.connections > made)
            yield anna


@pytest.mark.parametrize("hangs", [False, True])
@pytest.mark.parametrize("first", ["", "create seats=2"])
async def test_quit_is_heard_at_once_without_a_connection(
    tmp_path: Path, first: str, hangs: bool
) -> None:
    async with cut_off(tmp_path, first, hangs=hangs) as anna:
        await anna.type("quit")
        async with asyncio.timeout(BOUND):
            assert await anna.gone() == 0


async def test_the_end_of_the_input_waits_for_no_connection(tmp_path: Path) -> None:
    async with cut_off(tmp_path, "create seats=2") as anna:
        begun = time.monotonic()
        assert await anna.end() == 0
        assert time.monotonic() - begun < BOUND
        assert anna.lines[-1].startswith("back: ")


async def test_a_line_that_waits_for_a_connection_is_not_lost_at_the_end(tmp_path: Path) -> None:
    async with server() as app, proxy(app.port) as between:
        where = f"127.0.0.1:{between.port}"
        async with typist(tmp_path, where, "--plain", "--name", "Anna") as anna:
            await anna.line("^link: connected")
            between.target = 1
            between.cut()
            await anna.line(r"^link: .*next try in")
            await anna.type("tables")
            between.target = app.port
            assert await anna.end() == 0
            assert "tables: 0" in anna.lines


@pytest.mark.parametrize("code", OTHERS[:2])
async def test_a_code_that_no_server_gives_stands_on_no_command_line(
    tmp_path: Path, code: str
) -> None:
    async with stubborn(greets=True, code=code) as where:
        lines = await ends(tmp_path, where, "KIWI-42", typed="quit", first="^table: ")
    (back,) = [line for line in lines if line.startswith("back: ")]
    words = shlex.split(back.removeprefix("back: "))
    assert words[:3] == ["ra-client", where, "--plain"]


@pytest.mark.parametrize("code", OTHERS)
def test_nor_on_the_screen(code: str) -> None:
    sitting = Seated()
    public: Any = sitting.joined.views()[0]
    table = list(public[0])
    table[0], table[5], table[8], table[14] = code, 1, (), ()
    sitting.joined.down(Snapshot(9, 0, (tuple(table), None, (), None, None), None, ()))
    scene = sitting.joined.conversation.model.scene
    assert scene is not None and way_to(scene) == ()
    assert "ra-client example.org:8765 " not in sitting.screen(100)
    sitting.press("q")
    sitting.press("y")
    left = sitting.left()
    assert left is not None and left.text == f"Come back with: {command_line('example.org:8765')}"


@pytest.mark.parametrize("code", ["KIWI-42", "KIWI-42-7QXM", "kiwi salt drum 9x2m-77rk"])
def test_codes_of_every_form_lead_back(code: str) -> None:
    played = open_table("ra", Setup("standard", 2), code=code)
    joined = Joined(played)
    joined.attend()
    assert joined.conversation.model.scene is not None
    assert way_to(joined.conversation.model.scene) == (code,)

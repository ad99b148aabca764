"""The host of a table that waits: with a seat or without, at once or after coming back."""

from __future__ import annotations

import pytest
from attrs import evolve

from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.plain.printer import table_line
from client.state.events import Attended
from protocol.messages import CloseTable, StartMatch
from protocol.table import Phase
from tests.client.online import Online, online
from tests.client.screen.test_keymap import room
from tests.client.wire_cutter import proxy
from tests.server.peer import QUIET, peer, server

TABLE = NewTable("ra", "standard", 3, bots=("random", "random"), sit=False)


async def opened(host: Online) -> str:
    """A table opened by somebody who does not sit down: its code."""
    opener = Opener(host.conversation, Opening())
    host.conversation.listeners.insert(0, opener)
    opener.open(TABLE)
    await host.heard(Attended)
    return host.scene.table.code


@pytest.mark.parametrize("way", ["start", "close"])
async def test_a_host_without_a_seat_comes_back_and_is_the_host(way: str) -> None:
    async with server(QUIET) as app, proxy(app.port) as wire, online(wire.port) as host:
        await opened(host)
        assert host.scene.host and host.scene.may_start and host.scene.may_close
        seen = len(host.changes)
        wire.cut()
        await host.heard(Attended, seen)
        assert (host.scene.table_seat, host.scene.table.host) == (None, None)
        assert host.scene.may_start and host.scene.may_close
        assert table_line(host.scene).endswith("you look on (host)")
        if way == "start":
            host.conversation.requests.start()
            await host.until(lambda: host.scene.table.phase is not Phase.WAITING)
            assert not host.scene.may_start
        else:
            host.conversation.requests.close()
            await host.until(lambda: host.scene.table.phase is Phase.CLOSED)
        assert not host.scene.may_close


async def test_whoever_looks_on_is_not_the_host() -> None:
    async with server(QUIET) as app, online(app.port) as host, online(app.port, "Eve") as eve:
        eve.conversation.requests.watch(await opened(host))
        await eve.heard(Attended)
        assert not eve.scene.host and not eve.scene.may_start
        assert table_line(eve.scene).endswith("you look on")


async def test_a_table_that_started_has_nothing_to_start_or_close() -> None:
    async with server(QUIET) as app, online(app.port) as host, peer(app, "Ben") as ben:
        await ben.join(await opened(host))
        await host.until(lambda: host.scene.table.phase is Phase.PLAYING)
        assert host.scene.host and not host.scene.may_start and not host.scene.may_close


async def test_a_host_that_sits_down_is_the_host_by_its_seat() -> None:
    async with server(QUIET) as app, online(app.port) as host, peer(app, "Ben") as ben:
        opener = Opener(host.conversation, Opening())
        host.conversation.listeners.insert(0, opener)
        opener.open(evolve(TABLE, seats=4, sit=True))
        await host.until(lambda: host.conversation.model.scene and host.scene.table_seat == 0)
        assert host.scene.table.host == 0 and host.scene.may_close
        await ben.join(host.scene.table.code)
        await host.until(lambda: host.scene.table.seats[1] is not None)
        assert host.scene.host and ben.view.table.host == 0


def test_the_keys_of_a_host_without_a_seat() -> None:
    made = room(None, None)
    screen = made.screen()
    assert "You are the host and are watching." in screen
    assert "s start with 3" in screen and "x close the table" in screen
    made.press("s")
    made.press("y")
    assert any(isinstance(said, StartMatch) for said in made.joined.up())


def test_closing_a_table_is_asked() -> None:
    made = room(None, None)
    made.press("x")
    assert "Close the table?" in made.bar()[0]
    made.press("n")
    assert not made.joined.up()
    made.press("x")
    made.press("y")
    assert any(isinstance(said, CloseTable) for said in made.joined.up())


def test_a_guest_cannot_close() -> None:
    made = room(1)
    made.press("x")
    assert "does nothing here" in made.state.notice
    scene = made.state.timeline.scene
    assert scene is not None and not evolve(scene, host=False).may_close

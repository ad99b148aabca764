"""The link over real sockets: it comes back by itself, keeps its seat, loses nothing and
doubles nothing."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import TypeGuard

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosedError

from client.dial.address import Address, parse_address
from client.net.conversation import Conversation
from client.net.endings import Dismissed, TryLater
from client.net.identity import Identity
from client.net.link import Link, LinkLost, Patience
from client.state.events import (
    Attended,
    Change,
    Chatted,
    CommandAccepted,
    ConnectionChanged,
    ConnectionStatus,
    FileCame,
    Greeted,
    RequestRefused,
    Stepped,
)
from engine.ra.words.happenings import Passed, TileDrawn
from protocol.codec import ProtocolError
from protocol.messages import SERVER_CODEC, Heartbeat, Update
from server.settings import Settings
from tests.client.online import Online, online
from tests.client.wire_cutter import proxy
from tests.patience import PATIENCE, until
from tests.server.peer import QUIET, server


async def seated(client: Online, bots: int = 1) -> None:
    """Open a table with bots; asked for the first time."""
    client.conversation.requests.create("ra", "standard", bots + 1, bots=("random",) * bots)
    await client.until(lambda: client.conversation.model.scene and client.scene.mine)


async def test_a_game_to_the_end_and_its_record() -> None:
    async with server() as app, online(app.port) as client:
        await seated(client)
        await client.play()
        assert client.steps() == list(range(2, client.scene.number + 1))
        client.conversation.requests.get_record(client.scene.table.code)
        file = await client.heard(FileCame)
        assert (file.kind, file.code) == ("record", client.scene.table.code)
        client.conversation.requests.get_transcript()
        await client.until(
            lambda: any(
                isinstance(change, FileCame) and change.kind == "transcript"
                for change in client.changes
            )
        )


async def test_b05_an_answer_lost_on_its_way_comes_again_and_the_action_happened_once() -> None:
    async with server() as app, proxy(app.port) as between, online(between.port) as client:
        await seated(client)
        await client.until(lambda: client.scene.mine and not client.conversation.requests.commands)
        async with online(app.port, "Boris") as witness:
            witness.conversation.requests.watch(client.scene.table.code)
            await witness.heard(Attended)
            before = client.scene.number
            between.swallow_down = True
            id = client.answer()
            await witness.until(lambda: before + 1 in witness.steps())
            assert len(client.conversation.requests.commands) == 1
            between.cut()
            answered = await client.until(
                lambda: [c for c in client.changes if isinstance(c, CommandAccepted) and c.id == id]
            )
            assert [answer.number for answer in answered] == [before + 1]
            assert between.connections == 2
            acted = [
                happening
                for change in witness.changes
                if isinstance(change, Stepped)
                for happening in change.happenings
                if isinstance(happening, TileDrawn | Passed) and happening.seat == client.scene.seat
            ]
            assert len(acted) == 1


async def test_a_cut_link_comes_back_to_the_same_seat_and_the_game_goes_on() -> None:
    async with server() as app, proxy(app.port) as between, online(between.port) as client:
        await seated(client)

        async def cut_a_little_later(turns: int) -> None:
            for _ in range(turns):
                await asyncio.sleep(0)  # turns of the loop: another moment each time
            between.cut()

        cuts: list[asyncio.Task[None]] = []

        def sent(at: int) -> None:
            if at % 4 == 0:
                cuts.append(asyncio.create_task(cut_a_little_later(at % 11)))

        await client.play(sent)
        await asyncio.gather(*cuts)
        assert between.connections > 2
        answered = [c.number for c in client.changes if isinstance(c, CommandAccepted)]
        assert len(answered) == len(set(answered))
        known = set(client.steps())
        for change in client.changes:
            if isinstance(change, Attended):
                known |= {number for number, _ in change.missed}
        assert known >= set(range(2, client.scene.number + 1)), "nothing is missed"


async def test_b43_a_silent_server_is_noticed_and_left_for_a_new_connection() -> None:
    settings = evolve(QUIET, heartbeat_seconds=0.1)
    async with server(settings) as app, proxy(app.port) as between, online(between.port) as client:
        await seated(client)
        between.freeze()
        start = time.monotonic()
        lost = await client.until(lambda: next((c for c in client.changes if is_waiting(c)), None))
        assert time.monotonic() - start < 5
        assert lost.detail == "the server is silent"
        between.thaw()
        await client.until(lambda: client.conversation.online)
        client.answer()
        await client.until(lambda: not client.conversation.requests.commands)


def is_waiting(change: object) -> TypeGuard[ConnectionChanged]:
    return isinstance(change, ConnectionChanged) and change.status is ConnectionStatus.WAITING


async def test_b43_a_quiet_table_keeps_its_connection() -> None:
    settings = evolve(QUIET, heartbeat_seconds=0.3)
    conversation = Listening(Identity("test", "Anna"))
    async with (
        server(settings) as app,
        proxy(app.port) as between,
        online(between.port, conversation=conversation) as client,
    ):
        client.conversation.requests.create("ra", "standard", 3)
        await client.heard(Attended)
        client.link.patience = Patience(silence=4)
        begin, bound, conversation.beats = time.monotonic(), 0.3 * client.link.patience.silence, 0
        # Twice as long as it waits for a server that says nothing, heartbeats alone come.
        await until(lambda: time.monotonic() - begin > 2 * bound and conversation.beats >= 8)
        assert between.connections == 1
        assert not any(is_waiting(change) for change in client.changes)


class Listening(Conversation):
    """A conversation that counts heartbeats."""

    beats = 0

    def take(self, data: bytes) -> Dismissed | TryLater | ProtocolError | None:
        self.beats += isinstance(SERVER_CODEC.decode(data), Heartbeat)
        return super().take(data)


class Forgetful(Conversation):
    """A conversation that loses the frame of one update on its way."""

    lose: int | None = None
    lost = 0

    def take(self, data: bytes) -> Dismissed | TryLater | ProtocolError | None:
        message = SERVER_CODEC.decode(data)
        if isinstance(message, Update) and message.number == self.lose:
            self.lose = None
            self.lost += 1
            return None
        return super().take(data)


async def test_b10_a_lost_last_update_is_made_good_although_nothing_follows() -> None:
    settings = evolve(QUIET, heartbeat_seconds=0.1)
    conversation = Forgetful(Identity("test", "Anna"))
    async with server(settings) as app, online(app.port, conversation=conversation) as client:
        client.conversation.requests.create("ra", "standard", 2)
        await client.heard(Attended)
        async with online(app.port, "Boris") as other:
            conversation.lose = client.scene.number + 1
            other.conversation.requests.watch(client.scene.table.code)
            await other.heard(Attended)
            other.conversation.requests.join(client.scene.table.code)
            await other.until(lambda: other.scene.running)
            await client.until(lambda: client.scene.running)
            assert conversation.lost == 1
            assert client.scene.board == other.scene.board
            assert client.scene.number == other.scene.number


async def test_a_server_that_restarts_finds_its_clients_again(tmp_path: Path) -> None:
    settings = Settings(port=0, db=tmp_path / "ra.sqlite3", retry_seconds=0.01)
    async with server(settings) as app:
        port = app.port
        client = Online(port)
        client.running = asyncio.create_task(client.link.run())
        await seated(client)
        seat, code = client.scene.table_seat, client.scene.table.code
    await client.until(
        lambda: client.conversation.model.connection.status is ConnectionStatus.WAITING
    )
    client.answer()
    async with server(evolve(settings, port=port)):
        await client.until(
            lambda: client.conversation.online and not client.conversation.requests.commands
        )
        assert (client.scene.table_seat, client.scene.table.code) == (seat, code)
        await client.play()
        client.link.stop()
        await client.running


async def test_b43_what_a_server_asks_to_wait_holds_for_one_wait(tmp_path: Path) -> None:
    settings = Settings(port=0, db=tmp_path / "ra.sqlite3", retry_seconds=0.5)

    def waits() -> list[float]:
        return [change.wait for change in client.changes if is_waiting(change)]

    async with server(settings) as app:
        client = Online(app.port)
        client.running = asyncio.create_task(client.link.run())
        await client.until(lambda: client.conversation.online)
    await client.until(lambda: len(waits()) >= 3)
    client.link.stop()
    await client.running
    first, *others = waits()
    assert first >= 0.5
    assert max(others) <= client.link.patience.cap


async def test_another_name_may_take_longer_to_type_than_a_server_waits_for_a_hello() -> None:
    async with server(evolve(QUIET, hello_seconds=0.2)) as app:
        client = Online(app.port, "!!")
        client.running = asyncio.create_task(client.link.run())
        for name in ("??", "Anna"):
            count = len(client.changes)
            assert (await client.heard(RequestRefused, count)).code == "bad_name"
            # The server has let us go.
            await until(lambda: not app.endpoint.connections)
            assert not client.running.done()
            assert not any(is_waiting(change) for change in client.changes)
            client.conversation.rename(name)
        await client.heard(Greeted, count)
        assert client.conversation.online
        client.link.stop()
        await client.running


async def test_stopping_while_another_name_is_needed_is_at_once() -> None:
    async with server() as app:
        client = Online(app.port, "!!")
        client.running = asyncio.create_task(client.link.run())
        await client.heard(RequestRefused)
        client.link.stop()
        async with asyncio.timeout(10):
            await client.running


async def test_b22_an_address_in_brackets_is_reached() -> None:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            pass
    except OSError:
        pytest.skip("this machine has no IPv6")
    async with server(evolve(QUIET, host=("::1",))) as app:
        conversation = Conversation(Identity("test", "Anna"))
        link = Link(parse_address(f"[::1]:{app.port}"), conversation)
        conversation.listeners.append(
            lambda change: link.stop() if isinstance(change, Greeted) else None
        )
        await link.run()
        assert conversation.model.session is not None


async def test_two_people_chat_and_see_each_other() -> None:
    async with server() as app, online(app.port) as anna, online(app.port, "Boris") as boris:
        anna.conversation.requests.create("ra", "standard", 3)
        await anna.heard(Attended)
        boris.conversation.requests.watch(anna.scene.table.code)
        await boris.heard(Attended)
        boris.conversation.requests.say("hello\n\x1b[31mthere")
        said = await anna.heard(Chatted)
        assert said == Chatted("Boris (watching)", "hello [31mthere")
        boris.conversation.requests.watch("NONE-00")
        assert (await boris.heard(RequestRefused)).text == "there is no such table"


@given(st.integers(0, 60), st.floats(0, 1))
def test_b43_waits_grow_to_a_cap_and_are_spread(tries: int, chance: float) -> None:
    patience = Patience()
    wait = patience.wait(tries, chance)
    assert patience.first / 2 <= wait <= patience.cap
    assert patience.wait(tries + 1, chance) >= wait
    assert patience.wait(60, chance) >= patience.cap / 2


async def test_who_cannot_connect_at_first_is_told_at_once() -> None:
    async with proxy(1) as nowhere:
        port = nowhere.port
    link = Link(Address("127.0.0.1", port), Conversation(Identity("test", "Anna")))
    with pytest.raises(LinkLost, match=r"cannot connect to 127\.0\.0\.1:\d+: connection refused"):
        await link.run()


async def test_b43_stopping_during_the_wait_is_at_once_and_patience_ends() -> None:
    async with server() as app:
        client = Online(app.port)
        client.link.patience = Patience(first=60, cap=60)
        client.running = asyncio.create_task(client.link.run())
        await client.until(lambda: client.conversation.online)
    await client.until(
        lambda: client.conversation.model.connection.status is ConnectionStatus.WAITING
    )
    start = time.monotonic()
    client.link.stop()
    await client.running
    assert time.monotonic() - start < 10, "it waits up to a minute"

    async with server() as app:
        client = Online(app.port)
        client.link.patience = Patience(first=0.01, cap=0.02, whole=0.2)
        client.running = asyncio.create_task(client.link.run())
        await client.until(lambda: client.conversation.online)
    with pytest.raises(LinkLost, match="could not reconnect to"):
        await client.running


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        BrokenPipeError(),
        TimeoutError("slow disk"),
        EOFError(),
        ProtocolError("of a file that was read"),
        TryLater("not of this server"),
        Dismissed("nor for good"),
        ConnectionClosedError(None, None),
        ValueError("a fault of ours"),
    ],
)
@pytest.mark.parametrize("change", [ConnectionChanged, Greeted, Attended])
async def test_what_a_listener_stumbles_over_is_no_trouble_of_the_connection(
    error: Exception, change: type[Change]
) -> None:
    """Otherwise the link would connect again, and everything done on arrival would be repeated."""
    async with server() as app, proxy(app.port) as between:
        client = Online(between.port)

        def stumble(told: Change) -> None:
            if isinstance(told, Greeted):
                client.conversation.requests.create("ra", "standard", 2)
            if isinstance(told, change):
                raise error

        client.conversation.listeners.append(stumble)
        with pytest.raises(type(error)) as raised:
            async with asyncio.timeout(PATIENCE):
                await client.link.run()
        assert raised.value is error
        assert between.connections == (0 if change is ConnectionChanged else 1)
        await until(lambda: not app.endpoint.connections)


async def test_a_secret_that_cannot_be_kept_is_no_fault_of_the_server() -> None:
    def keep(token: bytes, name: str) -> None:
        raise ValueError("a fault of ours")

    async with server() as app:
        conversation = Conversation(Identity("test", "Anna"), keep_token=keep)
        with pytest.raises(ValueError, match="a fault of ours"):
            await Link(Address("127.0.0.1", app.port), conversation).run()

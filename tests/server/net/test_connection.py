"""The edge: what a peer may do to its own connection, and nothing beyond."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
from typing import get_args

import msgpack
import pytest
from attrs import evolve
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from engine.game import find_game
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    VERSION,
    Act,
    Beat,
    Closing,
    FromClient,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Said,
    Say,
    Tables,
    TooOld,
    Watch,
)
from server.net.handlers import HANDLERS
from tests.patience import PATIENCE
from tests.server.peer import QUIET, Peer, peer, server


async def closed(one: Peer) -> tuple[int, str | None]:
    """(close code, code of the Closing message before it) once the server has closed."""
    word = None
    try:
        while True:
            message = await one.receive()
            if isinstance(message, Closing):
                word = message.code
    except ConnectionClosed:
        assert one.socket.close_code is not None
        return one.socket.close_code, word


async def test_who_says_no_hello_in_time_is_closed() -> None:
    async with server(evolve(QUIET, hello_seconds=0.1)) as app, peer(app, None) as one:
        assert await closed(one) == (1008, "hello_timeout")


async def test_who_only_says_wrong_hellos_is_closed_in_time_too() -> None:
    async with server(evolve(QUIET, hello_seconds=1.0)) as app, peer(app, None) as one:
        hello = Hello(VERSION, "x", (), "en", "\u200b", None)
        assert (await one.ask(hello, Refused)).code == "bad_name"
        assert await closed(one) == (1008, "hello_timeout")


HOSTILE = {
    "nil": b"\xc0",
    "an integer": b"\x01",
    "an empty array": b"\x90",
    "the unused byte": b"\xc1",
    "nothing": b"",
    "trailing bytes": b"\x01\x02",
    "depth": b"\x91" * 10_000 + b"\xc0",
    "a huge array": b"\xdd\xff\xff\xff\xff",
    "a huge map": b"\xdf\xff\xff\xff\xff",
    "a huge text": b"\xdb\xff\xff\xff\xffa",
    "unhashable keys": b"\x81\x91\x01\x02",
    "a double key": b"\x82\xa1a\x01\xa1a\x02",
    "bad UTF-8": b"\xa2\xff\xfe",
    "an extension": b"\xc7\x01\x05x",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x01",
    "a tag beyond": msgpack.packb([99]),
    "a tag that is true": msgpack.packb([True]),
    "a hello of the wrong size": msgpack.packb([1, 1]),
    "noise": os.urandom(8000),
}


@pytest.mark.parametrize("greeted", [False, True])
async def test_hostile_bytes_close_their_own_connection_alone(greeted: bool) -> None:
    async with server() as app, peer(app, "Witness") as witness:
        for name, data in HOSTILE.items():
            async with peer(app, "Mallory" if greeted else None) as one:
                await one.socket.send(data)
                code, word = await closed(one)
                assert (code, word) == (1002, "malformed"), name
                assert not any(b"Traceback" in frame or b".py" in frame for frame in one.frames)
            assert isinstance(await witness.ask(ListTables(), Tables), Tables)
        assert app.counters.faults == 0


async def test_text_messages_are_refused() -> None:
    async with server() as app, peer(app) as one:
        await one.socket.send("hello")
        assert await closed(one) == (1003, "text_message")


async def test_a_message_beyond_the_limit_is_not_read() -> None:
    async with server() as app, peer(app) as one:
        await one.socket.send(b"\x00" * (QUIET.message_bytes + 1))
        assert (await closed(one))[0] == 1009


async def test_a_client_of_long_ago_is_told_so() -> None:
    async with server() as app, peer(app, None) as one:
        hello = Hello(0, "old/0", (), "en", "Ann", None)
        assert (await one.ask(hello, TooOld)).newest == VERSION
        assert (await closed(one))[0] == 4001


async def test_web_pages_of_others_and_unknown_subprotocols_do_not_get_in() -> None:
    async with server(evolve(QUIET, origins=("https://ours.example",))) as app:
        uri = f"ws://127.0.0.1:{app.port}"
        ours = Origin("https://ours.example")
        async with connect(uri, subprotocols=[Subprotocol("ra.v1")], origin=ours):
            pass
        evil = Origin("http://evil.example")
        with pytest.raises(InvalidStatus) as refused:
            await connect(uri, subprotocols=[Subprotocol("ra.v1")], origin=evil)
        assert refused.value.response.status_code == 403
        with pytest.raises(InvalidStatus):
            await connect(uri, subprotocols=[Subprotocol("ra.v0")])


async def test_more_connections_than_allowed_are_turned_away() -> None:
    async with server(evolve(QUIET, connections=2)) as app, peer(app), peer(app):
        with pytest.raises(InvalidStatus) as turned_away:
            async with peer(app):
                pass
        assert turned_away.value.response.status_code == 503


async def test_the_name_is_cleaned_and_the_token_resumes_the_session() -> None:
    async with server() as app:
        async with peer(app, None) as one:
            welcome = await one.hello("  Zo\u200b\u202eë\x1b ")
            assert welcome.name == "Zoë" and welcome.token is not None
            assert len(welcome.token) >= 16
        async with peer(app, None) as again:
            resumed = await again.hello("", welcome.token)
            assert (resumed.session, resumed.name) == (welcome.session, "Zoë")
            assert resumed.token is None
        async with peer(app, None) as other:
            anew = await other.hello("Zoë", os.urandom(24))
            assert anew.session != welcome.session and anew.token is not None


async def test_who_talks_too_fast_is_refused_then_closed_and_nobody_else_suffers() -> None:
    settings = evolve(
        QUIET, message_rate=1.0, message_burst=5, flood_messages=50, close_seconds=0.2
    )
    async with server(settings) as app, peer(app, "Calm") as calm, peer(app, "Loud") as loud:
        for _ in range(4):
            await loud.ask(Beat(), Heartbeat)
        refused = await loud.ask(Act(b"id", 1, (32,)), Refused)
        assert refused.code in ("too_fast", "out_of_place")
        for _ in range(60):
            await loud.send(Beat())
        assert await closed(loud) == (1008, "flood")
        await calm.ask(Beat(), Heartbeat)


async def test_chat_is_cleaned_limited_and_kept_nowhere() -> None:
    settings = evolve(QUIET, chat_burst=2, chat_rate=0.01)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create()
        await bob.watch(code)
        number = ann.number
        said = await bob.ask(Say("  hi\x1b[31m\u202e\nthere "), Said)
        assert (said.seat, said.name, said.text) == (None, "Bob", "hi[31m there")
        assert await ann.until(Said) == said
        assert (await ann.ask(Say("Me too"), Said)).seat == 0
        assert (await bob.ask(Say("\u200b"), Refused)).code == "empty_text"
        await bob.ask(Say("2"), Said)
        assert (await bob.ask(Say("3"), Refused)).code == "too_fast"
        assert app.residents.tables[code].stream.number == number


async def test_a_reader_that_does_not_read_is_dropped_and_the_game_goes_on() -> None:
    settings = evolve(QUIET, outbox_bytes=4096, close_seconds=0.2)
    async with server(settings) as app, peer(app, "Ann") as ann:
        bots = tuple(find_game("ra").bots)[:1] * 2
        code = await ann.create(bots=bots)
        async with peer(app, None) as lazy:
            lazy.socket.transport.get_extra_info("socket").setsockopt(
                sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096
            )
            await lazy.hello("Lazy")
            await lazy.watch(code)
            attending = app.residents.tables[code].broadcast.subscribers
            (subscriber,) = [subscriber for subscriber in attending if subscriber.name == "Lazy"]
            lazy.socket.transport.pause_reading()
            # whatever the system keeps for a reader, it is full some day
            burst = SERVER_CODEC.encode(Said(None, "Lazy", "x" * 3000))
            for _ in range(3000):
                subscriber.outbox.push(burst)  # type: ignore[attr-defined]
                if subscriber not in attending:
                    break
                await asyncio.sleep(0)  # a turn in which what can be written is
            assert subscriber not in attending
            await asyncio.wait_for(ann.play(), PATIENCE)
            assert ann.over
            lazy.socket.transport.abort()


async def test_a_message_out_of_place_is_refused_and_the_connection_goes_on() -> None:
    async with server() as app, peer(app) as one:
        assert (await one.ask(Act(b"id", 1, (32,)), Refused)).id == b"id"
        assert (await one.ask(Say("hello?"), Refused)).code == "out_of_place"
        await one.ask(Beat(), Heartbeat)


async def test_codes_of_no_table_are_refused() -> None:
    async with server() as app, peer(app) as one:
        for text in ("", "KIWI", "NONE-00", "\x00", "../../x", "K" * 64):
            assert (await one.ask(Watch(text, 0), Refused)).code == "no_table"
            assert (await one.join(text)).code == "no_table"  # type: ignore[union-attr]


async def test_commands_that_are_none_of_the_game_are_refused() -> None:
    async with server() as app, peer(app) as one:
        await one.create(bots=("random", "random"))
        for tree in (None, 7, (), (99,), (32, 1), ("x",), ((32,),), (True,)):
            refused = await one.ask(Act(b"id", 1, tree), Refused)
            assert (refused.code, refused.id) == ("bad_field", b"id")


async def test_heartbeats_come_by_themselves_with_the_number_of_the_table() -> None:
    async with server(evolve(QUIET, heartbeat_seconds=0.05)) as app, peer(app) as one:
        assert (await one.until(Heartbeat)).number == 0
        await one.create()
        assert (await one.until(Heartbeat)).number == one.number
        hello = CLIENT_CODEC.encode(Hello(VERSION, "x", (), "en", "Ann", None))
        await one.socket.send(hello)
        assert (await one.until(Refused)).code == "out_of_place"
        assert isinstance(await one.ask(Beat(), Heartbeat), Heartbeat)


def test_every_message_of_a_client_has_a_handler() -> None:
    assert set(HANDLERS) == set(get_args(FromClient))

"""The edge: what a peer may do to its own connection, and nothing beyond."""

from __future__ import annotations

import os

import msgpack
import pytest
from attrs import evolve
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.messages import (
    VERSION,
    Act,
    Beat,
    Closing,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Tables,
    TooOld,
)
from server.rate_limit import TokenBucket
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


async def test_an_action_that_its_address_may_not_send_costs_its_session_one() -> None:
    settings = evolve(QUIET, message_rate=0.1, message_burst=20, address_rate=1.0)
    async with server(settings) as app, peer(app, "Ann") as ann:
        await ann.create()
        for number in range(16):
            await ann.send(Act(b"%d" % number, 1, (32,)))
        codes = [(await ann.until(Refused)).code for _ in range(16)]
        assert codes.count("too_fast") >= 6
        (address,) = app.endpoint.admission._addresses.values()
        address.messages = TokenBucket(1e6, 1e6)
        assert isinstance(await ann.ask(Beat(), (Heartbeat, Refused)), Heartbeat)

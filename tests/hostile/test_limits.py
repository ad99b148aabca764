"""B37: the open edge. Each limit has its documented answer, and nobody else notices."""

from __future__ import annotations

import asyncio
import os
import re
import zlib
from contextlib import AsyncExitStack, suppress
from time import monotonic
from typing import Any

import psutil
import pytest
from attrs import evolve
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from protocol.messages import (
    CLIENT_CODEC,
    Act,
    Beat,
    Closing,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Say,
    Tables,
    Watch,
)
from protocol.session import CloseCode
from server.refusals import DisconnectReason
from tests.patience import PATIENCE, until
from tests.server.peer import QUIET, Peer, peer, server
from tests.server.raw import HANDSHAKE, Raw, raw

RA = Subprotocol("ra.v1")


async def slowest_beat(one: Peer, doing: asyncio.Future[Any]) -> float:
    """The longest that a calm client waits for an answer while something goes on, in
    seconds."""
    worst = 0.0
    while not doing.done():
        begin = monotonic()
        await one.ask(Beat(), Heartbeat)
        worst = max(worst, monotonic() - begin)
        await asyncio.sleep(0.01)  # calm: it asks now and then
    await doing
    return worst


def grown(before: int) -> int:
    """By how many bytes this process, the server in it, has grown."""
    return int(psutil.Process().memory_info().rss) - before


def rss() -> int:
    return int(psutil.Process().memory_info().rss)


# rates


@pytest.mark.parametrize("kind", ["chat", "beat", "act", "list", "ping", "hello"])
async def test_a_flood_of_one_seat_ends_that_seats_connection_alone(kind: str) -> None:
    """2,000 messages a second and more from one seat."""
    act = CLIENT_CODEC.encode(Act(b"id", 1, (32,)))
    said = {
        "chat": CLIENT_CODEC.encode(Say("x" * 200)),
        "beat": CLIENT_CODEC.encode(Beat()),
        "act": act,
        "list": CLIENT_CODEC.encode(ListTables()),
        "hello": CLIENT_CODEC.encode(Hello(2, "x", (), "en", "\u200b", None)),
        "ping": b"",
    }[kind]
    settings = evolve(QUIET, flood_messages=100, close_seconds=0.3, message_burst=100)
    async with server(settings) as app, peer(app, "Calm") as calm, raw(app) as loud:
        await loud.handshake()
        if kind != "hello":
            loud.frame(2, CLIENT_CODEC.encode(Hello(2, "x", (), "en", "Loud", None)))
        if kind == "chat":
            code = await calm.create()
            loud.frame(2, bytes([0x93, 5, 0xA0 + len(code)]) + code.encode() + b"\0")

        async def flood() -> None:
            with suppress(ConnectionError):
                for _ in range(100):
                    for _ in range(100):
                        loud.frame(9 if kind == "ping" else 2, said)
                    await asyncio.wait_for(loud.writer.drain(), PATIENCE)

        before = rss()
        flooding = asyncio.ensure_future(flood())
        code_, word = await loud.end()
        await flooding
        assert (code_, word) in ((1008, "flood"), (None, "")), (code_, word)
        assert app.counters.dropped == 1 and app.counters.faults == 0
        await until(lambda: len(app.endpoint.connections) == 1)
        assert grown(before) < 64 << 20
        await calm.ask(Beat(), Heartbeat)


async def test_a_flood_makes_nobody_else_wait() -> None:
    async with server() as app, peer(app, "Calm") as calm, peer(app, "Loud") as loud:

        async def flood() -> None:
            with suppress(ConnectionClosed):
                for _ in range(6000):
                    await loud.send(Beat())

        async def read() -> Closing:
            return await loud.until(Closing)

        reading = asyncio.ensure_future(read())
        worst = await slowest_beat(calm, asyncio.ensure_future(flood()))
        assert worst < 2, "client and server share one core here"
        assert (await reading).code == "flood"


async def test_an_address_has_a_rate_whoever_speaks() -> None:
    settings = evolve(QUIET, address_rate=2.0)
    async with server(settings) as app, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(peer(app, f"P{n}")) for n in range(4)]
        codes = []
        for one in crowd * 3:
            answer = await one.ask(Beat(), (Heartbeat, Refused))
            codes.append(answer.code if isinstance(answer, Refused) else "")
        assert codes[:6] == [""] * 6 and "too_fast" in codes[6:]


async def test_what_a_session_may_not_say_takes_nothing_from_its_neighbours() -> None:
    settings = evolve(QUIET, message_rate=0.1, message_burst=5, address_rate=8.0)
    async with server(settings) as app, peer(app, "Eve") as eve, peer(app, "Ann") as ann:
        refused = 0
        for _ in range(60):
            await eve.send(Beat())
        while refused < 50:
            refused += isinstance(await eve.receive(), Refused)
        assert isinstance(await ann.ask(Beat(), (Heartbeat, Refused)), Heartbeat)


async def test_new_sessions_of_an_address_have_a_rate() -> None:
    async with server(evolve(QUIET, new_sessions_per_address=2)) as app:
        async with peer(app, "A"), peer(app, "B") as known, peer(app, None) as third:
            hello = Hello(2, "x", (), "en", "C", None)
            assert (await third.ask(hello, Refused)).code == "too_fast"
            async with peer(app, "", known.token):
                pass


# sockets


async def test_more_connections_of_one_address_than_allowed_are_turned_away() -> None:
    async with server(evolve(QUIET, connections_per_address=2)) as app, peer(app), peer(app):
        with pytest.raises(InvalidStatus) as turned_away:
            async with peer(app):
                pass
        assert turned_away.value.response.status_code == 429
    async with server(evolve(QUIET, connects_per_address=3)) as app:
        for _ in range(3):
            async with peer(app):
                pass
        with pytest.raises(InvalidStatus) as turned_away:
            async with peer(app):
                pass
        assert turned_away.value.response.status_code == 429


async def test_500_silent_sockets_are_gone_in_their_time_and_nobody_waits() -> None:
    """Half of them shake hands and say no Hello, half do not even shake hands."""
    settings = evolve(QUIET, hello_seconds=1.0, open_seconds=1.0, connections_per_address=1000)
    async with server(settings) as app, peer(app, "Calm") as calm, AsyncExitStack() as stack:
        before = rss()
        silent = []
        for number in range(500):
            one = await stack.enter_async_context(raw(app))
            if number % 2:
                await one.handshake()
            silent.append(one)
        begin = monotonic()
        ends = asyncio.gather(*[one.end() for one in silent])
        assert await slowest_beat(calm, ends) < 2
        assert monotonic() - begin < PATIENCE
        assert {end for number, end in enumerate(await ends) if number % 2} == {
            (1008, "hello_timeout")
        }
        await until(lambda: app.endpoint.admission.sockets == 1)
        assert grown(before) < 100 << 20


async def test_silent_sockets_far_beyond_the_limit_are_cut_off_at_once() -> None:
    settings = evolve(QUIET, connections_per_address=5, open_seconds=30.0)
    async with server(settings) as app, peer(app, "Calm") as calm, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(raw(app)) for _ in range(150)]
        await until(lambda: app.endpoint.admission.sockets <= 105)
        assert await asyncio.wait_for(crowd[-1].end(), 10) == (None, ""), "before its time"
        await calm.ask(Beat(), Heartbeat)


async def test_a_slow_handshake_is_cut_off() -> None:
    async with server(evolve(QUIET, open_seconds=0.5)) as app, raw(app) as slow:
        begin = monotonic()
        with suppress(ConnectionError):
            for byte in HANDSHAKE:
                slow.writer.write(bytes([byte]))
                await slow.writer.drain()
                await asyncio.sleep(0.05)  # it is slow: all of it would take longer than 8 s
                if app.endpoint.admission.sockets == 0:
                    break
        await until(lambda: app.endpoint.admission.sockets == 0)
        assert monotonic() - begin < 6


async def test_who_says_nothing_in_the_lobby_for_very_long_is_sent_away() -> None:
    settings = evolve(QUIET, idle_seconds=0.3, heartbeat_seconds=0.05)
    async with server(settings) as app, peer(app, "Idle") as idle, peer(app, "Sits") as sits:
        await sits.create()
        closing = await idle.until(Closing)
        assert (closing.code, closing.retry) == ("idle", 0)
        with pytest.raises(ConnectionClosed):
            await idle.receive()
        assert idle.socket.close_code == 1008
        await sits.ask(Beat(), Heartbeat)


# sizes


async def test_a_message_of_two_megabytes_is_not_read() -> None:
    async with server() as app, peer(app, "Calm") as calm, raw(app) as big:
        await big.handshake()
        before = rss()
        big.writer.write(b"\x82\xff" + (2 << 20).to_bytes(8, "big") + b"\0\0\0\0" + b"\0" * 60_000)
        assert (await big.end())[0] == 1009
        assert grown(before) < 32 << 20
        await calm.ask(Beat(), Heartbeat)


@pytest.mark.parametrize("size", [0, 1])
async def test_a_message_in_ten_thousand_fragments_is_not_put_together(size: int) -> None:
    """Also fragments of nothing, of which no size is ever too big."""
    async with server() as app, peer(app, "Calm") as calm, raw(app) as odd:
        await odd.handshake()
        odd.frame(2, b"\x00" * size, fin=False)
        with suppress(ConnectionError):
            for _ in range(10_000):
                odd.frame(0, b"\x00" * size, fin=False)
            await odd.writer.drain()
        assert await odd.end() in ((1008, "fragments"), (None, ""))
        assert app.counters.dropped == 1
        await calm.ask(Beat(), Heartbeat)


async def test_a_message_in_a_few_fragments_is_read_with_pings_between() -> None:
    async with server() as app, raw(app) as odd:
        await odd.handshake()
        hello = CLIENT_CODEC.encode(Hello(2, "x", (), "en", "Odd", None))
        odd.frame(2, hello[:1], fin=False)
        for at in range(1, len(hello)):
            odd.frame(9, b"ping")
            odd.frame(0, hello[at : at + 1], fin=at == len(hello) - 1)
        tags = []
        while 1 not in tags:
            opcode, data = await odd.next_frame()
            tags += [data[1]] if opcode == 2 else []
        assert tags == [1]


async def test_fifty_megabytes_of_zeros_are_never_unpacked() -> None:
    """Compressed: with compression on it is too big, without it it is no frame at all."""
    offer = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
    for on, megabytes, code in ((False, 10, 1002), (True, 10, 1009), (True, 50, 1009)):
        bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = bomb.compress(b"\0" * (megabytes << 20)) + bomb.flush(zlib.Z_SYNC_FLUSH)
        async with server(evolve(QUIET, compression=on)) as app, raw(app) as one:
            answer = await one.handshake(offer)
            assert (b"permessage-deflate" in answer) is on
            before = rss()
            one.frame(2, data[:-4], rsv1=True)
            assert (await one.end())[0] == code
            assert grown(before) < 32 << 20


async def test_with_compression_a_client_that_asks_for_it_plays() -> None:
    async with server(evolve(QUIET, compression=True)) as app:
        uri = f"ws://127.0.0.1:{app.port}"
        async with connect(uri, subprotocols=[RA], compression="deflate") as socket:
            one = Peer(socket)
            await one.hello()
            await one.create("ra", bots=("random", "random"))
            await one.play()
            assert one.over and socket.protocol.extensions
        async with peer(app, "Bob") as bob:
            await bob.ask(ListTables(), Tables)


async def test_compression_is_off_unless_asked_for() -> None:
    async with server() as app, connect(f"ws://127.0.0.1:{app.port}", subprotocols=[RA]) as socket:
        assert not socket.protocol.extensions


# those who do not read


async def drained(one: Raw) -> None:
    """Wait a moment for the system to take what was written."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0.1):
            await one.writer.drain()


async def test_who_asks_and_does_not_read_is_dropped() -> None:
    """Answers pile up for one who never reads them, pings of the socket's own too."""
    settings = evolve(
        QUIET, outbox_bytes=16384, message_rate=1e6, address_rate=1e6, control_rate=1e6
    )
    settings = evolve(settings, close_seconds=0.2, chat_rate=1e6, chat_cells=2000)
    for opcode in (2, 9):
        async with server(settings) as app, peer(app, "Calm") as calm, raw(app) as deaf:
            await deaf.handshake()
            deaf.frame(2, CLIENT_CODEC.encode(Hello(2, "x", (), "en", "Deaf", None)))
            code = await calm.create()
            deaf.frame(2, CLIENT_CODEC.encode(Watch(code, 0)))
            before = rss()
            deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
            said = CLIENT_CODEC.encode(Say("x" * 2000)) if opcode == 2 else b"p" * 120
            with suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while len(app.endpoint.connections) > 1:
                        for _ in range(500):
                            if not deaf.writer.is_closing():
                                deaf.frame(opcode, said)
                        await drained(deaf)
            assert len(app.endpoint.connections) == 1 and app.counters.dropped == 1
            assert grown(before) < 64 << 20
            await calm.ask(Beat(), Heartbeat)


# words


def test_every_close_reason_fits_its_frame() -> None:
    """A close frame has room for 123 bytes of reason."""
    for word in DisconnectReason:
        assert 0 < len(str(word).encode()) <= 123
        assert re.fullmatch(r"[a-z_]+", word)
    assert len({int(code) for code in CloseCode}) == len(CloseCode)
    assert CloseCode(1012) is CloseCode.RESTART


async def test_every_way_of_closing_is_a_word_of_the_page() -> None:
    """Whatever ends a connection, the reason is one of the documented ones."""
    reasons = []
    hostile = (b"\xc1", "text", b"\x00" * (QUIET.message_bytes + 1), os.urandom(50))
    async with server(evolve(QUIET, flood_messages=5, message_burst=5, message_rate=1.0)) as app:
        for said in hostile:
            async with peer(app) as one:
                await one.socket.send(said)
                with suppress(ConnectionClosed):
                    while True:
                        await one.receive()
                reasons.append(one.socket.close_reason or "")
    assert all(len(reason.encode()) <= 123 for reason in reasons)
    assert reasons[:2] == ["malformed", "text_message"] and reasons[3] == "malformed"

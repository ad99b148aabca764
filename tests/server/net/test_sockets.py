"""The server's socket, and the parts of websockets and asyncio that it uses beyond what their
documentation promises: a test for each fails if a new version changes such a part
(docs/architecture.md, "What is used of websockets"). A peer that does not read is dropped, and
nobody waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from socket import SO_RCVBUF, SOL_SOCKET
from typing import Any, TypeAlias, cast

import pytest
from attrs import evolve
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from engine.game import find_game
from protocol.messages import SERVER_CODEC, Said
from server.log import NullLog
from server.metrics import Counters
from server.net.admission import Admission
from server.net.flush_scheduler import FlushScheduler
from server.net.sockets import Socket, header, library_log
from server.settings import Settings
from tests.patience import PATIENCE
from tests.server.peer import QUIET, peer, server
from tests.server.raw import Raw

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
Handling: TypeAlias = Callable[[Socket], Awaitable[None]]


class Listening(Socket):
    """A socket that notes how much asyncio reads at once."""

    reads: list[int]

    def data_received(self, data: bytes) -> None:
        self.reads = [*getattr(self, "reads", ()), len(data)]
        super().data_received(data)


@asynccontextmanager
async def serving(handling: Handling, settings: Settings = QUIET) -> AsyncIterator[Raw]:
    """A client of bytes, connected to a bare `Socket` that is served by `handling`."""
    admission, counters = Admission(settings), Counters()
    scheduler = FlushScheduler(NullLog(), counters)

    def accept(*arguments: Any, **options: Any) -> Socket:
        return Listening(
            *arguments,
            admission=admission,
            scheduler=scheduler,
            settings=settings,
            counters=counters,
            **options,
        )

    async def handle(socket: ServerConnection) -> None:
        assert isinstance(socket, Socket)
        await handling(socket)

    create = cast("type[ServerConnection]", accept)
    async with serve(
        handle,
        "127.0.0.1",
        0,
        create_connection=create,
        ping_interval=settings.ping_seconds,
        logger=library_log(),
    ) as server:
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield Raw(reader, writer)
        finally:
            writer.transport.abort()


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 1 << 20])
def test_a_message_is_framed_as_the_library_would(length: int) -> None:
    message = bytes(length)
    frame = Frame(Opcode.BINARY, message).serialize(mask=False, extensions=())
    assert header(length) + message == frame


async def test_the_library_gives_each_frame_to_process_event() -> None:
    """A whole binary message is offered while the reader waits, before it is queued."""
    offered: list[bytes] = []
    read: asyncio.Future[list[str | bytes]] = asyncio.get_running_loop().create_future()

    def take(data: bytes) -> bool:
        offered.append(data)
        return data != b"queued"

    async def handling(socket: Socket) -> None:
        socket.on_message = take
        read.set_result([await socket.next(), await socket.next()])

    async with serving(handling) as one:
        await one.handshake()
        for data in (b"first", b"second", b"queued"):
            one.frame(BINARY, data)
        one.frame(TEXT, b"text")
        assert await asyncio.wait_for(read, PATIENCE) == [b"queued", "text"]
    assert offered == [b"first", b"second", b"queued"]


async def test_asyncio_reads_no_more_at_once_than_the_transport_is_told() -> None:
    """`transport.max_size`: without it a flood is parsed whole before anybody else's turn."""
    reads: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()

    async def handling(socket: Socket) -> None:
        assert isinstance(socket, Listening)
        await socket.next()
        reads.set_result(socket.reads)

    async with serving(handling) as one:
        await one.handshake()
        one.frame(BINARY, bytes(60_000))
        found = await asyncio.wait_for(reads, PATIENCE)
    assert max(found) <= 4096 and sum(found) > 60_000


async def test_what_the_library_sends_leaves_after_what_was_put() -> None:
    """`send_data`, `data_to_send`: the library sends all it has through the one, from the
    other, so that frames keep their order though they are made without it."""

    async def handling(socket: Socket) -> None:
        await socket.next()
        socket.put(b"before")
        await socket.ping(b"ping")
        socket.put(b"after")
        await socket.close(1012, "restart")

    async with serving(handling) as one:
        await one.handshake()
        one.frame(BINARY, b"go")
        frames = [await asyncio.wait_for(one.next_frame(), PATIENCE) for _ in range(4)]
        one.frame(CLOSE, b"\x03\xf4")
        assert await one.end() == (None, ""), "and then the stream ends"
    assert frames[:3] == [(BINARY, b"before"), (PING, b"ping"), (BINARY, b"after")]
    assert frames[3] == (CLOSE, (1012).to_bytes(2, "big") + b"restart")


async def test_the_library_answers_many_pings_in_one_write() -> None:
    writes: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()

    async def handling(socket: Socket) -> None:
        written: list[bytes] = []
        write = socket.transport.write

        def note(data: Any) -> None:
            written.append(bytes(data))
            write(data)

        socket.transport.write = note  # type: ignore[method-assign]
        await socket.next()
        writes.set_result(list(written))

    async with serving(handling) as one:
        await one.handshake()
        for _ in range(3):
            one.frame(PING, b"?")
        one.frame(BINARY, b"go")
        assert b"".join(await asyncio.wait_for(writes, PATIENCE)) == b"\x8a\x01?" * 3
        assert len(await writes) == 1


async def test_the_state_of_the_protocol_is_open_until_a_close_begins() -> None:
    states: asyncio.Future[list[State]] = asyncio.get_running_loop().create_future()

    async def handling(socket: Socket) -> None:
        before = socket.protocol.state
        closing = asyncio.ensure_future(socket.close())
        await asyncio.sleep(0)
        states.set_result([before, socket.protocol.state])
        await closing

    async with serving(handling) as one:
        await one.handshake()
        assert await asyncio.wait_for(states, PATIENCE) == [State.OPEN, State.CLOSING]


async def test_with_an_extension_frames_are_made_by_the_library() -> None:
    """`protocol.extensions`: what was agreed on in the handshake."""

    async def handling(socket: Socket) -> None:
        assert socket.protocol.extensions
        socket.put(bytes(10_000))
        await socket.wait_closed()

    offer = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
    async with serving(handling) as one:
        assert b"permessage-deflate" in await one.handshake(offer)
        opcode, data = await asyncio.wait_for(one.next_frame(), PATIENCE)
    assert opcode == BINARY and len(data) < 100


async def test_the_library_runs_our_keepalive_which_fails_an_unanswered_ping() -> None:
    """`keepalive`, `send_context`, `protocol.fail`: the library starts the one, and the others
    close the connection with a code, also where the peer says nothing any more."""

    async def handling(socket: Socket) -> None:
        await socket.wait_closed()

    async with serving(handling, evolve(QUIET, ping_seconds=0.1)) as one:
        await one.handshake()
        opcode, data = await asyncio.wait_for(one.next_frame(), PATIENCE)
        assert opcode == PING and data
        one.frame(PONG, data)
        assert (await asyncio.wait_for(one.next_frame(), PATIENCE))[0] == PING
        assert await one.end() == (1011, "keepalive ping timeout")


async def test_a_handshake_that_fails_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The words by which the library's line for it is known."""

    async def handling(socket: Socket) -> None:
        raise AssertionError("nobody shakes hands")

    with caplog.at_level(logging.ERROR):
        async with serving(handling) as one:
            one.writer.write(b"nonsense\r\n\r\n")
            await asyncio.wait_for(one.reader.read(), PATIENCE)
    assert not caplog.records


async def test_a_reader_that_does_not_read_is_dropped_and_the_game_goes_on() -> None:
    settings = evolve(QUIET, outbox_bytes=4096, close_seconds=0.2)
    async with server(settings) as app, peer(app, "Ann") as ann:
        bots = tuple(find_game("ra").bots)[:1] * 2
        code = await ann.create(bots=bots)
        async with peer(app, None) as lazy:
            lazy.socket.transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
            await lazy.hello("Lazy")
            await lazy.watch(code)
            attending = app.residents.tables[code].broadcast.subscribers
            (subscriber,) = [subscriber for subscriber in attending if subscriber.name == "Lazy"]
            lazy.socket.transport.pause_reading()
            # whatever the system keeps for a reader, it is full some day
            burst = SERVER_CODEC.encode(Said(None, "Lazy", "x" * 3000))
            for _ in range(3000):
                subscriber.socket.put(burst)  # type: ignore[attr-defined]
                if subscriber not in attending:
                    break
                await asyncio.sleep(0)  # a turn in which what can be written is
            assert subscriber not in attending
            await asyncio.wait_for(ann.play(), PATIENCE)
            assert ann.over
            lazy.socket.transport.abort()

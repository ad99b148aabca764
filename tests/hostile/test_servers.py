"""Whatever a server sends, the client shows something harmless or says in one line that
the server broke the protocol (B13, B21)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.endings import Dismissed
from client.net.identity import Identity
from client.net.link import Link, LinkLost, Patience
from client.plain.printer import Printer
from client.screen.game_api import Moment
from client.screen.pages import draw
from client.text import width
from engine.deal import Chance
from engine.game import Setup
from protocol.codec import ProtocolError, dumps
from protocol.messages import SERVER_CODEC, SUBPROTOCOL, Closing, Said, Snapshot, Welcome
from tests.client.joined import WELCOME, Joined
from tests.client.seated import Seated
from tests.games import NAMES, open_table, seed, setups

TABLE = open_table("ra", Setup("standard", 2))

NASTY = [
    "Bob\nSYSTEM: you win",
    "\x1b[31mX",
    "\x1b]0;title\x07",
    "abc\u202ecba",
    "\u2066",
    "e" + "\u0301" * 60,
    "x" * 10_000,
    "   ",
    "\u200b" * 15,
    "日本語プレイヤー",
]


@pytest.mark.parametrize("name", NASTY)
def test_b13_a_malicious_servers_texts_are_harmless_lines(name: str) -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.connect(evolve(WELCOME, name=name[:60], server=name[:60]))
    public, private = joined.views()
    table = list(public[0])
    table[6] = tuple((name[:200], None) for _ in table[6])
    joined.down(Snapshot(9, 0, (tuple(table), *public[1:]), private, ()))
    joined.down(Said(1, name[:60], name[:60] * 3))
    joined.down(Said(None, name[:60], name[:60]))
    scene = joined.conversation.model.scene
    assert scene is not None
    assert len(set(scene.names)) == 2, "equal names are told apart"
    assert all(shown and width(shown) <= 32 for shown in scene.names)
    printer = Printer(joined.conversation.model)
    for change in joined.changes:
        for line in [*printer.tell(change), *printer.state_lines(scene)]:
            assert line.isprintable()
            assert width(line) <= 500


def at_table(name: str, *, running: bool) -> Seated:
    """A sitting whose server says that everybody has this name."""
    sitting = Seated()
    public: Any = sitting.joined.views()[0]
    table = list(public[0])
    table[6] = tuple((name[:200], None) for _ in table[6])
    if not running:
        table[5], table[8], table[14] = 1, (), ()
        public = (tuple(table), None, (), None, None)
    else:
        public = (tuple(table), *public[1:])
    private = sitting.joined.views()[1] if running else None
    sitting.joined.down(Snapshot(9, 0, public, private, ()))
    sitting.joined.down(Said(1, name[:60], name[:60] * 3))
    return sitting


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_b13_a_seat_is_one_row_of_the_screen_whatever_its_name(name: str, columns: int) -> None:
    room = at_table(name, running=False)
    text = room.screen(columns, 24)
    rows = [line for line in text.splitlines() if re.match(r"  [123]  \S", line)]
    assert len(rows) == 3
    ours = [row.rstrip().endswith(("  you", "you, host")) for row in rows]
    assert ours == [True, False, False]
    table = at_table(name, running=True)
    text = table.screen(columns, 24)
    points = [line for line in text.splitlines() if re.search(r" (10|\?) *$", line)]
    assert len(points) == 3, "a row for each player"
    assert len({width(line.rstrip()) for line in points}) == 1, "columns are aligned"
    for sitting in (room, table):
        sitting.press("l")
        for line in draw(sitting.state, columns, 24):
            for _, part in line:
                assert part.isprintable()
                assert "SYSTEM" not in part[:6], "no line begins with what a name says"


def leaves(tree: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths to all items of a tree."""
    if type(tree) is not tuple:
        return [path]
    inner = [found for at, item in enumerate(tree) for found in leaves(item, (*path, at))]
    return [path, *inner]


def replaced(tree: Any, path: tuple[int, ...], value: Any) -> Any:
    if not path:
        return value
    at, *rest = path
    return (*tree[:at], replaced(tree[at], tuple(rest), value), *tree[at + 1 :])


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.sampled_from([2**63 - 1, -(2**63), 255, 256, 1000, 181]),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.lists(st.integers(-1, 30), max_size=9).map(tuple),
)


def shows(joined: Joined) -> None:
    """Show everything there is to show."""
    model = joined.conversation.model
    printer = Printer(model)
    for change in joined.changes:
        assert all(line.isprintable() for line in printer.tell(change))
    joined.changes.clear()
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return
    printer.state_lines(scene)
    printer.present_line()
    if scene.board is not None:
        game.scores(scene)
        game.result(scene)
        screen = game.screen()
        if screen is not None:
            screen.headline(scene, 80)
            screen.board(Moment(scene), 80, 18)
            screen.menu(scene)
            screen.waiting(scene)
            screen.ending(scene, 80, 20)
    for asked in scene.prompts:
        for command in game.choices(asked.prompt):
            game.show(command)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50)
@given(data=st.data())
def test_a_snapshot_with_anything_wrong_is_shown_or_refused(name: str, data: Any) -> None:
    setup = setups(name)[-1]
    played = open_table(name, setup)
    moves = played.moves(Chance(seed(2)))
    for _ in range(data.draw(st.integers(0, 40))):
        if next(moves, None) is None:
            break
    joined = Joined(played)
    joined.attend()
    tree: Any = joined.views()
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(leaves(tree)))
        tree = replaced(tree, path, data.draw(VALUES))
    if type(tree) is not tuple or len(tree) != 2:
        return
    seat = data.draw(st.sampled_from([0, None, 1, 7, -1]))
    message = (4, played.stream.number, seat, *tree, ())
    try:
        joined.hear(dumps(message))
    except (ProtocolError, Dismissed):
        return
    shows(joined)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50)
@given(data=st.data())
def test_an_update_with_anything_wrong_is_shown_healed_or_refused(name: str, data: Any) -> None:
    played = open_table(name, setups(name)[-1])
    joined = Joined(played)
    joined.attend()
    moves = played.moves(Chance(seed(2)))
    for _ in range(data.draw(st.integers(0, 30))):
        entry = next(moves, None)
        if entry is None:
            return
        joined.step(entry)
    entry = next(moves, None)
    if entry is None:
        return
    update = joined.update(entry)
    tree: Any = (5, update.number, update.public, update.private)
    path = data.draw(st.sampled_from(leaves(tree)[1:]))
    try:
        joined.hear(dumps(replaced(tree, path, data.draw(VALUES))))
    except (ProtocolError, Dismissed):
        return
    shows(joined)


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_a_protocol_error(data: bytes) -> None:
    joined = Joined(TABLE)
    joined.attend()
    try:
        joined.hear(data)
    except (ProtocolError, Dismissed):
        return


# over real sockets

Serve = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def malicious(say: Serve, protocol: str | None = SUBPROTOCOL) -> AsyncIterator[Address]:
    """A WebSocket server that says what `say` says after the first message."""

    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        await say(socket)
        await socket.wait_closed()

    protocols = None if protocol is None else [Subprotocol(protocol)]
    async with serve(handle, "127.0.0.1", 0, subprotocols=protocols) as server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])


async def lost(address: Address) -> str:
    """Why a client gives this server up."""
    link = Link(address, Conversation(Identity("test", "Anna")), Patience(connect=3, first=0.01))
    with pytest.raises(LinkLost) as why:
        async with asyncio.timeout(10):
            await link.run()
    text = str(why.value)
    assert text.isprintable()
    assert len(text) <= 320
    return text


@pytest.mark.parametrize(
    "frame",
    [
        bytes.fromhex("810102"),
        bytes.fromhex("c0"),
        b"",
        bytes.fromhex("0102"),
        b"\x91" * 100_000 + b"\xc0",
        bytes.fromhex("ddffffffff"),
        bytes.fromhex("a2fffe"),
        bytes.fromhex("d6ff00000001"),
        SERVER_CODEC.encode(Said(0, "x", "before welcome")),
        SERVER_CODEC.encode(Welcome(99, "s", b"p", None, "n", 1000)),
        "hello",
    ],
    ids=lambda frame: repr(frame[:8]),
)
async def test_b21_a_frame_that_is_none_is_one_line(frame: bytes | str) -> None:
    async def say(socket: ServerConnection) -> None:
        await socket.send(frame)

    async with malicious(say) as address:
        assert (await lost(address)).startswith("the server broke the protocol: ")


async def test_a_frame_that_is_too_big_ends_the_connection() -> None:
    async def say(socket: ServerConnection) -> None:
        await socket.send(b"\x00" * (5 << 20))

    async with malicious(say) as address:
        assert "cannot connect" in await lost(address)


async def test_b13_a_servers_farewell_is_one_clean_line() -> None:
    async def say(socket: ServerConnection) -> None:
        await socket.send(SERVER_CODEC.encode(Closing("x", "\x1b]0;t\x07\nyou\u202e win", 0)))

    async with malicious(say) as address:
        assert await lost(address) == "the server closed the connection: ]0;t you win"


async def test_a_server_of_something_else_is_named_so() -> None:
    async def say(socket: ServerConnection) -> None:
        raise AssertionError("never spoken to")

    async with malicious(say, None) as address:
        assert "there is no Ra server at this address" in await lost(address)


async def test_what_is_no_websocket_server_is_one_line() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"SSH-2.0-\x1b[31m\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        address = Address("127.0.0.1", server.sockets[0].getsockname()[1])
        assert "there is no Ra server at this address" in await lost(address)

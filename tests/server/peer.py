"""A lean client for the server's tests: it speaks the protocol, keeps the views, and can
play legal moves by asking the game what answers its prompt."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.deal import Chance
from engine.game import Game, find_game
from engine.table.words import Phase
from protocol.codec import Tree
from protocol.delta import apply
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    SUBPROTOCOL,
    VERSION,
    Accepted,
    Act,
    Closing,
    Create,
    FromClient,
    FromServer,
    Hello,
    JoinTable,
    Refused,
    Snapshot,
    Update,
    Watch,
    Welcome,
)
from protocol.project import PUBLIC
from protocol.views import PublicView
from protocol.wire import Wire
from server.app import App, serve
from server.log import Log
from server.settings import Settings
from server.store.port import Store
from tests.patience import PATIENCE

M = TypeVar("M")

QUIET = Settings(port=0, memory=True, heartbeat_seconds=25.0)
"""A server for one test."""


class Peer:
    """One connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.person = b""
        self.token: bytes | None = None
        self.number = 0
        self.seat: int | None = None
        self.public: Tree = None
        self.private: Tree = None
        self.frames: list[bytes] = []
        self.backlog: list[FromServer] = []

    # the wire

    async def send(self, message: FromClient) -> None:
        await self.socket.send(CLIENT_CODEC.encode(message))

    async def receive(self) -> FromServer:
        """The next message; views are kept."""
        if self.backlog:
            return self.backlog.pop(0)
        frame = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(frame, bytes)
        self.frames.append(frame)
        message = SERVER_CODEC.decode(frame)
        if isinstance(message, Snapshot):
            self.number, self.seat = message.number, message.seat
            self.public, self.private = message.public, message.private
        elif isinstance(message, Update):
            assert message.number == self.number + 1, "a gap"
            self.number = message.number
            self.public = apply(self.public, message.public[1])
            if message.private is not None:
                self.private = apply(self.private, message.private[1])
        return message

    async def until(self, kind: type[M] | tuple[type[M], ...]) -> M:
        """The next message of one kind; those before it only change the views."""
        while True:
            message = await self.receive()
            if isinstance(message, kind):
                return message

    async def ask(self, message: FromClient, kind: type[M] | tuple[type[M], ...]) -> M:
        await self.send(message)
        return await self.until(kind)

    # in one breath

    async def hello(self, name: str = "Ann", token: bytes | None = None) -> Welcome:
        hello = Hello(VERSION, "tests/1", (), "en", name, token)
        welcome = await self.ask(hello, Welcome)
        self.person = welcome.session
        self.token = welcome.token or token
        return welcome

    async def create(self, game: str = "ra", ruleset: str = "", **fields: Any) -> str:
        """Open a table and attend it: its code."""
        found = find_game(game)
        facts: dict[str, Any] = {
            "id": os.urandom(8),
            "game": game,
            "ruleset": ruleset or next(iter(found.rulesets)),
            "options": (),
            "seats": 3,
            "bots": (),
            "listed": True,
            "sit": True,
            "nonce": os.urandom(16),
            **fields,
        }
        answer = await self.ask(Create(**facts), (Accepted, Refused))
        assert isinstance(answer, Accepted), answer
        await self.until(Snapshot)
        return self.view.table.code

    async def join(self, code: str, id: bytes | None = None) -> Accepted | Refused:
        await self.send(JoinTable(id or os.urandom(8), code, os.urandom(16)))
        while True:
            message = await self.receive()
            if isinstance(message, Refused):
                return message
            if isinstance(message, Accepted):
                await self.until(Snapshot)
                return message

    async def watch(self, code: str, since: int = 0) -> Snapshot:
        return await self.ask(Watch(code, since), Snapshot)

    # the views

    @property
    def view(self) -> PublicView:
        view: PublicView = PUBLIC.unpack(self.public)
        return view

    @property
    def over(self) -> bool:
        return self.public is not None and self.public[0][5] in (Phase.OVER, Phase.CLOSED)

    def asked(self) -> tuple[int, Tree] | None:
        """(token, prompt) that is open for our seat."""
        prompts = list(self.public[2])
        if self.private is not None:
            prompts += self.private[1]
        for seat, token, prompt in prompts:
            if seat == self.seat:
                return token, prompt
        return None

    def answer(self, game: Game[Any], wire: Wire, chance: Chance) -> Act | None:
        """A legal answer to our prompt."""
        if self.public[1] is None:
            return None
        asked = self.asked()
        if asked is None:
            return None
        token, prompt = asked
        command = chance.choice(game.choices(wire.prompt.unpack(prompt)))
        return Act(os.urandom(8), token, wire.command.pack(command))

    async def play(self, game_name: str = "ra", seed: bytes = b"peer") -> None:
        """Play legal moves until the match is over."""
        game = find_game(game_name)
        wire, chance = Wire(game.vocabulary), Chance(seed)
        said = -1
        while not self.over:
            act = self.answer(game, wire, chance)
            if act is not None and act.token != said:
                said = act.token
                await self.send(act)
            message = await self.receive()
            assert not isinstance(message, Refused), message


async def farewell(one: Peer) -> tuple[Closing, int | None]:
    """What the server says last, and the code with which it has closed."""
    closing = await one.until(Closing)
    with pytest.raises(ConnectionClosed):
        await one.receive()
    return closing, one.socket.close_code


@asynccontextmanager
async def peer(
    app: App, name: str | None = "Ann", token: bytes | None = None, *, host: str = "127.0.0.1"
) -> AsyncIterator[Peer]:
    """A connection; greeted unless `name` is None. `host` is the address it comes from, one
    of this machine's own (on Linux all of 127.0.0.0/8)."""
    uri = f"ws://127.0.0.1:{app.port}"
    options: dict[str, Any] = {"compression": None, "max_queue": None, "local_addr": (host, 0)}
    async with connect(uri, subprotocols=[SUBPROTOCOL], **options) as socket:  # type: ignore[list-item]
        made = Peer(socket)
        if name is not None:
            await made.hello(name, token)
        yield made


@asynccontextmanager
async def server(
    settings: Settings = QUIET, store: Store | None = None, *, log: Log | None = None
) -> AsyncIterator[App]:
    async with serve(settings, store, log=log) as app:
        yield app

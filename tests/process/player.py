"""A player that does not let go: it connects again by itself, resumes its seat, sends
again what was not answered, and keeps count of all it was told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from engine.deal import Chance
from engine.game import find_game
from protocol.codec import Tree
from protocol.messages import (
    SUBPROTOCOL,
    Accepted,
    Act,
    Closing,
    FromServer,
    Refused,
    Snapshot,
    Update,
    Watch,
)
from protocol.wire import Wire
from tests.process.serving import ServerProcess
from tests.server.peer import Peer

RA = find_game("ra")
WIRE = Wire(RA.vocabulary)


@asynccontextmanager
async def connected(
    server: ServerProcess, name: str = "", token: bytes | None = None
) -> AsyncIterator[Peer]:
    """A connection that has said hello."""
    async with connect(
        server.uri,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        ping_interval=None,
        close_timeout=0.2,
    ) as socket:
        made = Peer(socket)
        await made.hello(name, token)
        yield made


class Player:
    """One seat of one table, until its match is over."""

    def __init__(self, server: ServerProcess, name: str, seed: int) -> None:
        self.server = server
        self.name = name
        self.token: bytes | None = None
        self.code = ""
        self.chance = Chance(seed.to_bytes(32, "big"))
        self.acknowledged: dict[bytes, int] = {}
        """By command id: the entry that it was answered with."""
        self.told: dict[int, tuple[Tree, ...]] = {}
        """By number: what happened, as it was told."""
        self.number = 0
        self.public: Tree = None
        self.private: Tree = None
        self.resumes = 0
        self.repeats = 0
        """Answers to what had to be sent again."""
        self.on_accepted: Callable[[], None] = lambda: None
        self._pending: Act | None = None
        self._resent: bytes | None = None

    async def create(self) -> str:
        """Open a table of three and leave it for now."""
        async with connected(self.server, self.name) as peer:
            self.token = peer.token
            self.code = await peer.create()
        return self.code

    async def join(self, code: str) -> None:
        async with connected(self.server, self.name) as peer:
            self.token = peer.token
            self.code = code
            assert isinstance(await peer.join(code), Accepted)

    async def play(self) -> None:
        """Play to the end, through every loss of the connection."""
        over = False
        while not over:
            try:
                async with connected(self.server, "", self.token) as peer:
                    peer.number = self.number
                    await peer.send(Watch(self.code, self.number))
                    over = await self._converse(peer)
            except (OSError, ConnectionClosed, InvalidHandshake, EOFError):
                await asyncio.sleep(0.01)  # like any client: it is told of no restart

    async def _converse(self, peer: Peer) -> bool:
        while True:
            message = await peer.receive()
            if isinstance(message, Closing):
                return False
            self._note(peer, message)
            if peer.public is None:
                continue
            self.number, self.public, self.private = peer.number, peer.public, peer.private
            if isinstance(message, Snapshot) and self._pending is not None:
                self._resent = self._pending.id
                await peer.send(self._pending)
            if self._pending is None:
                if peer.over:
                    return True
                self._pending = peer.answer(RA, WIRE, self.chance)
                if self._pending is not None:
                    await peer.send(self._pending)

    def _note(self, peer: Peer, message: FromServer) -> None:
        if isinstance(message, Refused):
            assert message.code == "stopping", message  # said again to the next server
            return
        if isinstance(message, Snapshot):
            self.resumes += 1
            newest = max(self.acknowledged.values(), default=0)
            assert message.number >= newest, "an acknowledged action is lost"
            for happened in message.since:
                self._tell(happened.number, happened.public)
        elif isinstance(message, Update):
            self._tell(message.number, message.public[0])
        elif isinstance(message, Accepted):
            before = self.acknowledged.setdefault(message.id, message.number)
            assert before == message.number, "another answer to the same command"
            if message.id == self._resent:
                self.repeats += 1
            if self._pending is not None and message.id == self._pending.id:
                self._pending = None
            self.on_accepted()

    def _tell(self, number: int, happened: tuple[Tree, ...]) -> None:
        assert self.told.setdefault(number, happened) == happened, "told otherwise before"


async def three_players(server: ServerProcess, seed: int) -> list[Player]:
    """Three players at one table whose match has started."""
    players = [Player(server, name, seed * 10 + n) for n, name in enumerate(("Ann", "Bob", "Cy"))]
    code = await players[0].create()
    for player in players[1:]:
        await player.join(code)
    return players


def fresh_id() -> bytes:
    return os.urandom(16)

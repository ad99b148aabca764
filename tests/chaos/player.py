"""A lean client that lets nothing keep it from playing: it connects again by itself,
resumes its seat, heals its views, says unanswered commands again with their ids, and
opens or joins the next table when one is over. It notes all that it was told.

What it must never see is an assertion here: an answer that changes, an entry told
otherwise than before, a seat that is another one.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress

import msgpack
from attrs import define, field
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Subprotocol

from engine.deal import Chance
from engine.game import find_game
from engine.table.words import Phase
from protocol.codec import ProtocolError, Tree
from protocol.delta import apply
from protocol.messages import (
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
from protocol.session import ClientSession, State
from protocol.wire import Wire

RA = find_game("ra")
WIRE = Wire(RA.vocabulary)
LOST = (
    OSError,
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    EOFError,
    TimeoutError,
    ProtocolError,
)
AGAIN = ("store_unavailable", "busy", "too_fast", "stopping")
"""Refusals after which the same command is said again: nothing happened."""


@define(eq=False)
class Group:
    """Those at one table, and at the tables that follow it."""

    code: str = ""
    """The table to be at; the first member opens the next one."""
    members: list[Player] = field(factory=list)
    codes: list[str] = field(factory=list)
    """All tables so far."""
    paused: bool = False
    """Whether nobody begins anything new."""


@define(eq=False)
class View:
    """What a client has of one table."""

    number: int
    public: bytes
    private: bytes


class Player:
    """One person: the group's first member opens its tables, others join them, and a
    spectator only looks on."""

    def __init__(
        self,
        group: Group,
        port: int,
        name: str,
        seed: str,
        *,
        spectator: bool = False,
        silence: float = 1.0,
    ) -> None:
        """`silence`: seconds without a word, or without an answer, after which a link is
        given up."""
        self.group = group
        self.port = port
        self.name = name
        self.spectator = spectator
        self.leads = not group.members and not spectator
        group.members.append(self)
        self._silence = silence
        self._random = random.Random(seed)
        self._chance = Chance(seed.encode().ljust(32, b".")[:32])
        self.token: bytes | None = None
        self.code = ""
        self.number = 0
        self.seat: int | None = None
        self.public: Tree = None
        self.private: Tree = None
        self.pending: Create | JoinTable | Act | None = None
        self.answers: dict[tuple[str, bytes], int] = {}
        """By table and command id: the entry it was answered with."""
        self.seats: dict[str, int | None] = {}
        """By table: the seat in its match."""
        self.told: dict[tuple[str, int], tuple[Tree, ...]] = {}
        self.links = 0
        """Connections that said hello."""
        self.resent = 0
        self.refused = 0
        self.reasons: Counter[str] = Counter()
        """Why the store could not take what was said."""
        self._arrivals: dict[bytes, int | None] = {}
        """By id: the answers to opening and joining tables."""
        self._fresh: asyncio.Future[tuple[View, View]] | None = None
        self._kept: View | None = None
        self._session = ClientSession()
        self._said: bytes | None = None
        """The id of the command that was said on this connection."""
        self._waiting_since = 0.0

    # the link

    async def run(self) -> None:
        """Live until cancelled."""
        while True:
            with suppress(*LOST):
                async with connect(
                    f"ws://127.0.0.1:{self.port}",
                    subprotocols=[Subprotocol(SUBPROTOCOL)],
                    compression=None,
                    ping_interval=None,
                    open_timeout=2,
                    close_timeout=0.1,
                    max_queue=None,
                ) as socket:
                    await self._talk(socket)
            self._kept = None
            await asyncio.sleep(self._random.uniform(0.005, 0.05))  # not all at once again

    async def _talk(self, socket: ClientConnection) -> None:
        session = self._session = ClientSession()
        self._said = None
        name = self.name if self.token is None else ""
        await socket.send(session.send(Hello(VERSION, "chaos/1", (), "en", name, self.token)))
        while True:
            async with asyncio.timeout(self._silence):
                frame = await socket.recv()
            if type(frame) is not bytes:
                raise ProtocolError("a text message")
            message = session.receive(frame)
            if isinstance(message, Closing):
                return
            if message is not None:
                self._note(message)
            for asked in session.outgoing():
                await socket.send(asked)
            await self._step(socket)

    # what it is told

    def _note(self, message: FromServer) -> None:
        match message:
            case Welcome():
                self.links += 1
                self.token = message.token or self.token
            case Snapshot():
                self._take(message)
            case Update():
                self._follow(message)
            case Accepted(id, number):
                self._answered(id, number)
            case Refused(id, code):
                self.refused += 1
                if code == "store_unavailable":
                    self.reasons.update(dict(message.facts).values())
                if id is not None and self.pending is not None and id == self.pending.id:
                    assert code in AGAIN, message
                    self._said = None
                elif id is None and code in AGAIN and self._session.state is State.LOBBY:
                    self._said = None  # the table could not be read: ask for it again
                else:
                    assert id is None or code in (*AGAIN, "out_of_place"), message

    def _take(self, message: Snapshot) -> None:
        code = self._session.code
        assert code is not None
        fresh = View(message.number, _bytes(message.public), _bytes(message.private))
        kept, self._kept = self._kept, None
        if self._fresh is not None and kept is not None and not self._fresh.done():
            self._fresh.set_result((kept, fresh))
        self.public, self.private = message.public, message.private
        self.code, self.number, self.seat = code, message.number, message.seat
        if not self.spectator:
            assert message.seat is not None, f"{self.name} has lost the seat at {code}"
            self._sit()
        newest = max((n for (c, _), n in self.answers.items() if c == code), default=0)
        assert message.number >= newest, "an answered command is lost"
        for happened in message.since:
            self._tell(happened.number, happened.public)
        if self.leads and code not in self.group.codes:
            self.group.codes.append(code)
            self.group.code = code
            self.pending = None
        elif isinstance(self.pending, JoinTable) and self.pending.code == code:
            self.pending = None

    def _follow(self, message: Update) -> None:
        try:
            self.public = apply(self.public, message.public[1])
            if message.private is not None:
                self.private = apply(self.private, message.private[1])
        except ProtocolError as error:
            raise AssertionError("an update does not fit the views before it") from error
        self.number = message.number
        self._tell(message.number, message.public[0])
        self._sit()

    def _sit(self) -> None:
        if self.public[1] is not None:
            assert self.seats.setdefault(self.code, self.seat) == self.seat, "another seat"

    def _tell(self, number: int, happened: tuple[Tree, ...]) -> None:
        key = (self.code, number)
        assert self.told.setdefault(key, happened) == happened, "told otherwise before"

    def _answered(self, id: bytes, number: int) -> None:
        if id in self._arrivals:
            assert self._arrivals[id] in (None, number), "another answer than before"
            self._arrivals[id] = number
            return
        pending = self.pending
        if pending is not None and pending.id == id:
            self.pending = None
            self.answers[self.code, id] = number
        else:
            before = [n for (_, known), n in self.answers.items() if known == id]
            assert before == [number], "another answer than before"

    # what it says

    async def _step(self, socket: ClientConnection) -> None:
        session = self._session
        if session.state not in (State.LOBBY, State.TABLE):
            return
        if session.state is State.LOBBY and self.code and session.code is None:
            if self._said != b"watch":
                self._said = b"watch"
                await self._say(socket, Watch(self.code, self.number))
            return
        if self.pending is None and not self.group.paused and not session.resyncing:
            self.pending = self._next()
        if self.pending is not None:
            await self._insist(socket, self.pending)
        elif self._fresh is not None and self._kept is None and self._settled():
            self._kept = View(self.number, _bytes(self.public), _bytes(self.private))
            await self._say(socket, Watch(self.code, 0))

    async def _insist(self, socket: ClientConnection, pending: Create | JoinTable | Act) -> None:
        loop = asyncio.get_running_loop()
        if self._said == pending.id:
            if loop.time() - self._waiting_since > self._silence:
                raise TimeoutError  # alive, and yet no answer: try another link
            return
        self._said = pending.id
        self._waiting_since = loop.time()
        self.resent += 1
        await self._say(socket, pending)

    async def _say(self, socket: ClientConnection, message: FromClient) -> None:
        await socket.send(self._session.send(message))

    def _next(self) -> Create | JoinTable | Act | None:
        over = self.public is None or self.public[0][5] in (Phase.OVER, Phase.CLOSED)
        if self.spectator:
            if over and self.group.code and self.code != self.group.code:
                self._session_watch()
            return None
        if not over:
            return self._act()
        if not self.leads and (not self.group.code or self.code == self.group.code):
            return None
        id, nonce = self._random.randbytes(16), self._random.randbytes(16)
        self._arrivals[id] = None
        if self.leads:
            seats = sum(not member.spectator for member in self.group.members)
            return Create(id, "ra", "standard", (), seats, (), True, True, nonce)
        return JoinTable(id, self.group.code, nonce)

    def _session_watch(self) -> None:
        """Go and look at the group's table, by way of a new connection."""
        self.code, self.number = self.group.code, 0
        raise TimeoutError

    def _act(self) -> Act | None:
        if self.public[1] is None or self.seat is None:
            return None
        prompts = [*self.public[2], *(self.private[1] if self.private is not None else ())]
        for seat, token, prompt in prompts:
            if seat == self.seat:
                command = self._chance.choice(RA.choices(WIRE.prompt.unpack(prompt)))
                return Act(self._random.randbytes(16), token, WIRE.command.pack(command))
        return None

    # quiet points

    def _settled(self) -> bool:
        return (
            self.pending is None
            and self._session.state is State.TABLE
            and self._session.code == self.code
            and not self._session.resyncing
        )

    def settled(self, number: int) -> bool:
        """Whether nothing is open, and the views are those of entry `number`."""
        return self._settled() and self.number == number

    async def compare(self) -> tuple[View, View]:
        """What the client has, and a fresh snapshot."""
        self._kept = None
        self._fresh = asyncio.get_running_loop().create_future()
        try:
            return await self._fresh
        finally:
            self._fresh = None


def _bytes(tree: Tree) -> bytes:
    data: bytes = msgpack.packb(tree)
    return data

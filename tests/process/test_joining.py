"""B10: whoever joins or resumes in the middle of things has what a fresh snapshot has."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from attrs import evolve
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from engine.deal import Chance
from engine.game import find_game
from protocol.codec import Tree
from protocol.delta import apply
from protocol.messages import (
    SERVER_CODEC,
    SUBPROTOCOL,
    VERSION,
    FromServer,
    Hello,
    Snapshot,
    Update,
    Watch,
)
from protocol.session import ClientSession
from protocol.wire import Wire
from server.app import App
from tests.patience import PATIENCE
from tests.server.peer import QUIET, Peer, peer, server

JOINS = 120
RESUMES = 100
OFTEN = evolve(
    QUIET,
    message_rate=100_000.0,
    message_burst=100_000,
    recent_entries=8,
    file_burst=100_000,
    create_burst=100_000,
    new_sessions_per_address=100_000,
)
"""A server for clients that come and go all the time, and for one that plays game after game."""


class Table:
    """A table at which somebody always plays: one person and two bots."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.code = ""

    @asynccontextmanager
    async def played(self) -> AsyncIterator[None]:
        """While inside, game after game is played."""
        ready = asyncio.Event()
        playing = asyncio.create_task(self._play(ready))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait((playing, waiting), return_when=asyncio.FIRST_COMPLETED)
        try:
            yield
        finally:
            waiting.cancel()
            assert not playing.done(), playing.exception()
            while not playing.done():
                # Again and again: `wait_for` of Python 3.11 can lose a cancellation.
                playing.cancel()
                await asyncio.wait([playing], timeout=0.05)

    async def _play(self, ready: asyncio.Event) -> None:
        async with peer(self.app) as player:
            while True:
                self.code = await player.create(bots=("random", "random"))
                ready.set()
                await player.play(seed=self.code.encode())


async def model_at(attending: Peer, number: int) -> tuple[Tree, Tree]:
    """The views that a client built from deltas has at `number`."""
    while attending.number < number:
        await attending.receive()
    assert attending.number == number
    return attending.public, attending.private


async def test_b10_onlookers_join_and_resume_while_bots_act() -> None:
    """B10: no hole between the snapshot and the first delta; numbers without gap or repeat
    (`Peer` checks each update); what is told of the time away has no gap either."""
    rng = random.Random(10)
    resumed = 0
    async with server(OFTEN) as app:
        table = Table(app)
        async with table.played():
            for turn in range(JOINS):
                name = f"Onlooker {turn}"
                async with peer(app, name) as joined, peer(app, f"{name} too") as fresh:
                    code = table.code
                    since = rng.choice((0, 1, rng.randrange(1, 60)))
                    resumed += told_without_gap(await joined.watch(code, since), since)
                    for _ in range(rng.randrange(4)):
                        if not joined.over:
                            await joined.until(Update)
                    # Both attend; the fresh one's first views are compared with what
                    # the other has made of its deltas by that number.
                    late = await fresh.watch(code)
                    assert joined.seat is fresh.seat is None
                    if joined.number <= late.number:
                        views = await model_at(joined, late.number)
                        assert views == (late.public, late.private)
                    else:
                        views = await model_at(fresh, joined.number)
                        assert views == (joined.public, joined.private)
    assert resumed > JOINS / 5


def told_without_gap(snapshot: Snapshot, since: int) -> bool:
    """Whether the snapshot tells of a time away; all of it, then."""
    if not 0 < since < snapshot.number:
        return False
    numbers = [happened.number for happened in snapshot.since]
    assert numbers == list(range(since + 1, snapshot.number + 1))
    return True


async def test_b10_a_seat_is_taken_over_again_and_again_while_bots_act() -> None:
    """B10: the newest connection of a seat goes on where the last one stood, and what it
    makes of its deltas is what a fresh snapshot holds."""
    rng, chance = random.Random(11), Chance(b"taken over")
    async with server(OFTEN) as app, AsyncExitStack() as stack:
        one = await stack.enter_async_context(peer(app, "Ann"))
        code, resumed = "", 0
        for _ in range(RESUMES):
            if not code or one.over:
                code = await one.create(bots=("random", "random"))
            await play_on(one, chance, rng.randrange(1, 6))
            since = rng.choice((one.number, max(1, one.number - rng.randrange(20))))
            again = await stack.enter_async_context(peer(app, "", one.token))
            resumed += told_without_gap(await again.watch(code, since), since)
            assert again.seat == 0
            await play_on(again, chance, rng.randrange(4))
            await again.send(Watch(code, 0))
            while True:
                followed = (again.number, again.public, again.private)
                if isinstance(await again.receive(), Snapshot):
                    break
            assert followed == (again.number, again.public, again.private)
            one = again
        assert resumed > RESUMES / 5


async def play_on(one: Peer, chance: Chance, steps: int) -> None:
    """Take part in what comes next."""
    game = find_game("ra")
    said = 0
    for _ in range(steps):
        act = None if one.over else one.answer(game, Wire(game.vocabulary), chance)
        if one.over:
            return
        if act is not None and act.token != said:
            said = act.token
            await one.send(act)
        await one.until((Update, Snapshot))


class Listener:
    """A client's session on a socket, from which single frames can be withheld."""

    def __init__(self, socket: ClientConnection) -> None:
        self.session = ClientSession()
        self.public: Tree = None
        self._socket = socket

    async def greet(self, code: str) -> None:
        """Say hello, and attend a table."""
        await self._socket.send(self.session.send(Hello(VERSION, "tests/1", (), "en", "Bob", None)))
        await self.hear()
        await self._socket.send(self.session.send(Watch(code, 0)))
        while self.session.code is None:
            await self.hear()

    async def frame(self) -> bytes:
        """The next frame, heard by nobody yet."""
        frame = await asyncio.wait_for(self._socket.recv(), PATIENCE)
        assert isinstance(frame, bytes)
        return frame

    async def drop_update(self) -> None:
        """Let the next update be lost."""
        while not isinstance(SERVER_CODEC.decode(frame := await self.frame()), Update):
            self.session.receive(frame)

    async def hear(self) -> FromServer | None:
        """Take in the next frame, and send what the session wants sent."""
        message = self.session.receive(await self.frame())
        if isinstance(message, Snapshot):
            self.public = message.public
        elif isinstance(message, Update):
            self.public = apply(self.public, message.public[1])
        for out in self.session.outgoing():
            await self._socket.send(out)
        return message


@asynccontextmanager
async def listener(app: App, code: str) -> AsyncIterator[Listener]:
    """A listener that attends a table."""
    uri = f"ws://127.0.0.1:{app.port}"
    protocols = [Subprotocol(SUBPROTOCOL)]
    async with connect(uri, subprotocols=protocols, compression=None) as socket:
        made = Listener(socket)
        await made.greet(code)
        yield made


async def test_b10_a_lost_last_update_is_noticed_in_the_silence_after_it() -> None:
    """B10: a delta is dropped, nothing else comes: the heartbeat's number tells, the
    session asks by itself, and the snapshot brings what happened meanwhile."""
    async with server(evolve(QUIET, heartbeat_seconds=0.2)) as app, peer(app, "Ann") as host:
        code = await host.create()
        async with listener(app, code) as client, peer(app, "Cy") as other:
            number = client.session.number
            await other.join(code)
            await client.drop_update()
            while not isinstance(message := await client.hear(), Snapshot):
                pass
            (missed,) = message.since
            assert missed.number == message.number == number + 1
            assert message.public == other.public


async def test_b10_a_gap_between_updates_is_healed_at_once() -> None:
    """B10: an update whose base is not ours is not applied; a snapshot is asked for."""
    async with server() as app, peer(app, "Ann") as host:
        code = await host.create(seats=4)
        async with listener(app, code) as client:
            for name in ("Cy", "Dee"):
                async with peer(app, name) as other:
                    await other.join(code)
            await client.drop_update()
            while client.session.number < 3:
                await client.hear()
            async with peer(app, "Eve") as late:
                assert (await late.watch(code)).public == client.public


async def test_b10_a_number_beyond_the_servers_gives_a_snapshot() -> None:
    """B10: a client that knows more than a restored backup starts from a snapshot."""
    async with server() as app, peer(app, "Ann") as host:
        code = await host.create()
        for since in (2, 999, 2**62):
            snapshot = await host.watch(code, since)
            assert (snapshot.number, snapshot.since) == (1, ())
        async with peer(app, "Bob") as other:
            await other.join(code)
        assert (await host.until(Update)).number == 2

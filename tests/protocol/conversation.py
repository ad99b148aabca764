"""The worked conversation of docs/protocol.md: two people play at a real server, a third
watches, and every frame of it is written down.

`held()` holds it, with chance fixed, so that its bytes are the same each time; what the page
shows is made of that. `held_again(steps)` says the clients' bytes of a page to a server, and
gives the server's. `Presence` and `Heartbeat` come whenever they like and are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from attrs import frozen
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from engine.clock import Absence, Clock
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    SUBPROTOCOL,
    VERSION,
    Accepted,
    Act,
    Create,
    FromClient,
    Heartbeat,
    Hello,
    JoinTable,
    Presence,
    Watch,
    Welcome,
)
from server.app import serve
from server.settings import Settings
from tests.patience import PATIENCE
from tests.protocol.fixed import fixed_chance

SETTINGS = Settings(port=0, memory=True, log="off")
_SEED = bytes([3]) * 32
"""With this one Ada has the first turn."""


@frozen
class Step:
    """One frame, or (without one) a connection that ends."""

    who: str
    says: bool
    """Whether it goes to the server."""
    data: bytes
    remark: str = ""


@frozen
class _Line:
    """What the script wants next: a message to the server with the number of frames that
    come of it, or frames to somebody else; neither: the connection ends."""

    who: str
    message: FromClient | None
    frames: int
    remark: str


class _Stage:
    """The connections to one server, by who has them."""

    def __init__(self, port: int, stack: AsyncExitStack) -> None:
        self._uri = f"ws://127.0.0.1:{port}/"
        self._stack = stack
        self._sockets: dict[str, ClientConnection] = {}

    async def say(self, who: str, data: bytes) -> None:
        if who not in self._sockets:
            opening = connect(self._uri, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
            self._sockets[who] = await self._stack.enter_async_context(opening)
        await self._sockets[who].send(data)

    async def hear(self, who: str) -> bytes:
        """The next frame that is neither a heartbeat nor tells who is there."""
        async with asyncio.timeout(PATIENCE):
            while True:
                data = await self._sockets[who].recv()
                assert isinstance(data, bytes)
                if not isinstance(SERVER_CODEC.decode(data), Presence | Heartbeat):
                    return data

    async def end(self, who: str) -> None:
        """The connection breaks, without a word."""
        self._sockets.pop(who).transport.abort()


@asynccontextmanager
async def _stage() -> AsyncIterator[_Stage]:
    with fixed_chance(_SEED):
        async with AsyncExitStack() as stack:
            app = await stack.enter_async_context(serve(SETTINGS))
            yield _Stage(app.port, stack)


def _id(number: int) -> bytes:
    return bytes([number]) * 8


def _script(code: str, token: bytes) -> list[_Line]:
    """The conversation about the table `code`, where Ada's session has `token`."""
    ada, bob, eve = "Ada", "Bob", "Eve"
    hello = Hello(VERSION, "my-client 1.0", (), "en", ada, None)
    create = Create(
        _id(1), "ra", "standard", (), 2, (), True, False, bytes(16), Clock(), Absence.DEFAULT
    )  # fmt: skip
    bid = Act(_id(4), 5, (35, 9))
    return [
        _Line(ada, hello, 1, "Ada has no token yet: the `Welcome` brings one, to be kept."),
        _Line(
            ada, create, 2,
            "She opens a table for two without sitting down, so that she sees the commitment "
            "before she gives her nonce. She is the host: the last field of the snapshot.",
        ),
        _Line(
            ada, JoinTable(_id(2), code, bytes(range(16))), 3,
            "She sits down. As she attends the table already, her new seat brings a snapshot "
            "before the answer; the one that every `JoinTable` ends with follows.",
        ),
        _Line(
            bob, Hello(VERSION, "my-client 1.0", (), "en", bob, None), 1,
            "Bob connects; Ada told him the code.",
        ),
        _Line(
            bob, JoinTable(_id(1), code, bytes(range(16, 32))), 2,
            "He joins the table unseen: `Accepted`, then the snapshot. His is the last seat, so "
            "the same entry starts the match: `phase` is 2, and Ada is asked for her turn.",
        ),
        _Line(ada, None, 1, "Ada hears of it: her private view is set whole."),
        _Line(ada, Act(_id(3), 3, (32,)), 2, "Ada draws; the token is that of her prompt."),
        _Line(bob, None, 1, "Bob sees the same."),
        _Line(ada, None, 0, "Ada's connection breaks."),
        _Line(
            bob, Act(_id(2), 4, (33,)), 2,
            "Bob invokes Ra, which Ada does not hear: she is asked for a bid.",
        ),
        _Line(
            ada, Hello(VERSION, "my-client 1.0", (), "en", "", token), 1,
            "Ada comes back with her token; the name may stay empty. The `token` of the "
            "`Welcome` is nil: hers goes on being good.",
        ),
        _Line(
            ada, Watch(code, 4), 1,
            "Number 4 is the last she has. The snapshot is as of 5, and `since` tells what "
            "happened in between.",
        ),
        _Line(ada, bid, 2, "She bids her highest sun, 9."),
        _Line(bob, None, 1, "Bob is asked next; he could not outbid it."),
        _Line(ada, bid, 1, "Was the answer lost? The same id gets it again, and does nothing."),
        _Line(
            bob, Act(_id(3), 6, (36,)), 2,
            "Bob passes, and Ada wins the lot. The private part of his update is nil.",
        ),
        _Line(
            ada, None, 1,
            "Ada's has one: the sun that she took lies face down, and she alone knows it.",
        ),
        _Line(
            eve, Hello(VERSION, "my-client 1.0", (), "en", "Eve", None), 1,
            "Eve comes to watch.",
        ),
        _Line(
            eve, Watch(code, 0), 1,
            "She has no seat at this table, so her snapshot has neither a seat nor a private "
            "view. She has nothing of it yet (0), so `since` tells the latest entries.",
        ),
        _Line(ada, Act(_id(5), 7, (32,)), 2, "Ada draws again."),
        _Line(eve, None, 1, "Eve gets the same update as the players."),
        _Line(bob, None, 1, ""),
    ]  # fmt: skip


async def held() -> list[Step]:
    """Every frame of the conversation, in order."""
    steps: list[Step] = []
    code, token, at = "", b"", 0
    async with _stage() as stage:
        while at < len(lines := _script(code, token)):
            line, at = lines[at], at + 1
            remark = line.remark
            if line.message is not None:
                data = CLIENT_CODEC.encode(line.message)
                await stage.say(line.who, data)
                steps.append(Step(line.who, True, data, remark))
                remark = ""
            elif not line.frames:
                await stage.end(line.who)
                steps.append(Step(line.who, False, b"", remark))
            for _ in range(line.frames):
                data = await stage.hear(line.who)
                steps.append(Step(line.who, False, data, remark))
                remark = ""
                heard = SERVER_CODEC.decode(data)
                if isinstance(heard, Welcome) and line.who == "Ada":
                    token = heard.token or token
                elif not isinstance(heard, Accepted | Welcome) and not code:
                    code = heard.public[0][0]  # type: ignore[union-attr]
    return steps


async def held_again(steps: Sequence[Step]) -> list[bytes]:
    """What a server says where those frames are said to it."""
    heard: list[bytes] = []
    async with _stage() as stage:
        for step in steps:
            if step.says:
                await stage.say(step.who, step.data)
            elif step.data:
                heard.append(await stage.hear(step.who))
            else:
                await stage.end(step.who)
    return heard

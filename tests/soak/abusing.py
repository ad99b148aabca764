"""One address that does everything it may, for as long as it is told to:
`python -m tests.soak.abusing PORT SECONDS [--part P] [--seed S]`, run by `tests.soak.abuse`.

Some 190 connections of 127.0.0.2 open tables with bots, take seats and places to watch,
talk, say wrong codes, ask for files, flood, and stop in the middle of handshakes. Whoever is
dropped comes back. At the end it prints what it was told, as one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from protocol.codec import ProtocolError
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    VERSION,
    Accepted,
    Beat,
    CloseTable,
    Create,
    FromClient,
    FromServer,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Hello,
    JoinTable,
    ListTables,
    Refused,
    Say,
    StartMatch,
    Tables,
    Watch,
    Welcome,
)
from tests.soak.raw import HANDSHAKE, frame_of

M = TypeVar("M")
ADDRESS = "127.0.0.2"
_PATIENCE = 20.0
_SIZES = {126: 2, 127: 8}


class Gone(Exception):
    """The server has closed, or does not answer."""


class Link:
    """One connection: raw, so that it costs this process little."""

    def __init__(self, abuse: Abuse) -> None:
        self._abuse = abuse
        self.token: bytes | None = None
        self.label = ""
        """Stands before the words of refusals, where they are counted."""

    async def open(self, *, greet: bool = True) -> None:
        """Connect, shake hands, say hello."""
        abuse = self._abuse
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", abuse.port, local_addr=(ADDRESS, 0)
        )
        abuse.told["connected"] += 1
        if not greet:
            return
        self._writer.write(HANDSHAKE.format(port=abuse.port).encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            abuse.told["turned away"] += 1
            raise Gone
        hello = Hello(VERSION, "abusing/1", (), "en", f"Eve {os.urandom(2).hex()}", self.token)
        welcome = await self.ask(hello, Welcome)
        self.token = welcome.token or self.token

    def close(self) -> None:
        self._writer.transport.abort()

    async def say(self, *messages: FromClient) -> None:
        self._writer.write(b"".join(frame_of(CLIENT_CODEC.encode(m)) for m in messages))
        self._abuse.told["said"] += len(messages)
        await self._writer.drain()

    async def ask(self, message: FromClient, *kinds: type[M]) -> M:
        await self.say(message)
        while True:
            heard = await self.hear()
            if isinstance(heard, kinds):
                return heard

    async def hear(self) -> FromServer | None:
        """The next message; None: nothing that is one."""
        async with asyncio.timeout(_PATIENCE):
            head = await self._reader.readexactly(2)
            size = head[1] & 127
            if wide := _SIZES.get(size):
                size = int.from_bytes(await self._reader.readexactly(wide), "big")
            data = await self._reader.readexactly(size)
        if head[0] & 15 == 8:
            self._abuse.told[f"closed {int.from_bytes(data[:2], 'big')}"] += 1
            raise Gone
        if head[0] & 15 != 2:
            self._writer.write(frame_of(data, opcode=10))
            return None
        with suppress(ProtocolError):
            heard = SERVER_CODEC.decode(data)
            if isinstance(heard, Refused):
                self._abuse.told[self.label + heard.code] += 1
            return heard
        return None

    async def listen(self, seconds: float) -> None:
        """Hear what comes for a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.hear()


class Abuse:
    """What one address does."""

    def __init__(self, port: int, seed: str, part: float) -> None:
        """`part` of the connections that it may have."""
        self.port = port
        self._part = part
        self.told: Counter[str] = Counter()
        self.chance = random.Random(seed)
        self.codes: list[str] = []
        """Of listed tables, as last heard."""

    async def run(self, seconds: float) -> Counter[str]:
        crowd: list[tuple[int, Callable[[Link], Awaitable[None]]]] = [
            (30, self._open_tables),
            (50, self._watch_and_talk),
            (20, self._take_seats),
            (25, self._guess),
            (10, self._ask_for_files),
            (10, self._flood),
            (10, self._crowd_inboxes),
            (5, self._ask_for_lists),
            (5, self._new_sessions),
        ]
        tasks = [
            self._again_and_again(what) for count, what in crowd for _ in range(self._some(count))
        ]
        tasks += [self._half_open() for _ in range(self._some(25))]
        running = [asyncio.create_task(task) for task in tasks]
        await asyncio.wait(running, timeout=seconds)
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        return self.told

    def _some(self, count: int) -> int:
        return max(1, round(count * self._part))

    async def _again_and_again(self, what: Callable[[Link], Awaitable[None]]) -> None:
        token = None
        while True:
            link = Link(self)
            link.token = token
            with suppress(Gone, OSError, EOFError, TimeoutError):
                await link.open()
                token = link.token
                try:
                    await what(link)
                finally:
                    link.close()
            await asyncio.sleep(self.chance.random())

    # what it does

    async def _open_tables(self, link: Link) -> None:
        """A new session for each few tables, all started with bots."""
        link.close()
        link.token = None
        await link.open()
        for _ in range(20):
            bots = ("hard",) * self.chance.randint(1, 4)
            create = Create(
                os.urandom(8), "ra", "standard", (), len(bots) + 1, bots,
                self.chance.random() < 0.5, True, os.urandom(16),
            )  # fmt: skip
            if isinstance(await link.ask(create, Accepted, Refused), Accepted):
                self.told["tables opened"] += 1
            await link.say(StartMatch(os.urandom(8)))
        link.close()

    async def _watch_and_talk(self, link: Link) -> None:
        await link.say(Watch(self._code(), 0))
        for _ in range(20):
            await link.say(*[Say("Mine is longer than yours. " * 10)] * 10)
            await link.listen(0.5)

    async def _take_seats(self, link: Link) -> None:
        for _ in range(20):
            await link.say(JoinTable(os.urandom(8), self._code(), os.urandom(16)))
            await link.listen(0.2)

    async def _guess(self, link: Link) -> None:
        link.label = "guess "
        await link.say(*[Watch(f"NONE-{n:02}", 0) for n in range(100)])
        await link.listen(60.0)

    async def _ask_for_files(self, link: Link) -> None:
        await link.say(Watch(self._code(), 0))
        for _ in range(20):
            await link.say(*[GetTranscript()] * 5, GetRecord(self._code()), GetMoveCode())
            await link.listen(0.5)

    async def _flood(self, link: Link) -> None:
        for _ in range(50):
            await link.say(*[Beat()] * 100)
            await link.listen(0.2)

    async def _crowd_inboxes(self, link: Link) -> None:
        """Send requests that are refused, at a table where others play."""
        await link.say(Watch(self._code(), 0))
        for _ in range(50):
            for _ in range(10):
                await link.say(StartMatch(os.urandom(8)), CloseTable(os.urandom(8)))
            await link.listen(0.2)

    async def _ask_for_lists(self, link: Link) -> None:
        for _ in range(50):
            await link.say(*[ListTables()] * 10)
            found = await link.ask(ListTables(), Tables)
            self.codes = [row.code for row in found.tables]
            await link.listen(0.3)

    async def _new_sessions(self, link: Link) -> None:
        link.close()
        for _ in range(20):
            link.token = None
            await link.open()
            link.close()

    async def _half_open(self) -> None:
        """Connect, say half of a handshake, and wait."""
        while True:
            link = Link(self)
            with suppress(OSError):
                await link.open(greet=False)
                link._writer.write(HANDSHAKE.encode()[: self.chance.randint(0, 60)])
                with suppress(TimeoutError, asyncio.IncompleteReadError):
                    async with asyncio.timeout(_PATIENCE):
                        await link._reader.read()
                link.close()
            await asyncio.sleep(self.chance.random())

    def _code(self) -> str:
        return self.chance.choice(self.codes[:8]) if self.codes else "NONE-00"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--part", type=float, default=1.0, help="of some 190 connections")
    parser.add_argument("--seed", default=os.urandom(4).hex())
    given = parser.parse_args()
    told = asyncio.run(Abuse(given.port, given.seed, given.part).run(given.seconds))
    print(json.dumps(dict(sorted(told.items()))))


if __name__ == "__main__":
    main()

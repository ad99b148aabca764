"""A proxy that does to links whatever links do: cuts, stalls, half-open ends, delays,
frames twice, in pieces, in lumps, and bytes that come again.

It knows where WebSocket frames begin and end, and nothing of what they say. What it
does is drawn from a seed, for each connection and direction alone.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum


class Fault(Enum):
    """What becomes of a frame, or of its whole link; with how often it is drawn."""

    DELAY = ("delay", 14)
    SPLIT = ("split", 14)
    """In pieces of a few bytes, each sent alone."""
    MERGE = ("merge", 14)
    """Kept for a moment, and sent together with what follows."""
    TWICE = ("twice", 12)
    """The whole frame again: a message that comes twice."""
    STALL = ("stall", 6)
    """Nothing more goes this way for a while."""
    CUT = ("cut", 8)
    CUT_INSIDE = ("cut_inside", 6)
    """Cut in the middle of the frame."""
    HALF_OPEN = ("half_open", 5)
    """Nothing goes through any more, either way, and nobody is told."""
    STUTTER = ("stutter", 5)
    """Bytes out of the frame again after it: the rest makes no sense any more."""

    def __init__(self, word: str, weight: int) -> None:
        self.word = word
        self.weight = weight


_FAULTS = tuple(Fault)
_WEIGHTS = [fault.weight for fault in _FAULTS]


class Chaos:
    """Forwards connections to the port `target`; `calm` says to do nothing to them."""

    def __init__(self, target: int, seed: str, rate: float) -> None:
        """`rate`: the part of frames to which something is done."""
        self.target = target
        self.port = 0
        self.rate = rate
        self.seed = seed
        self.faults: Counter[Fault] = Counter()
        self.connections = 0
        self._calm = asyncio.Event()
        self._links: set[_Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def done(self) -> int:
        """How many faults there were so far."""
        return sum(self.faults.values())

    @property
    def calm(self) -> bool:
        return self._calm.is_set()

    @calm.setter
    def calm(self, value: bool) -> None:
        if value:
            self._calm.set()  # stalls and delays end too; what is half open stays so
        else:
            self._calm.clear()

    async def wait(self, seconds: float) -> None:
        """Wait that long, or until it is calm."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._calm.wait()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._forward(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            back, there = await asyncio.open_connection("127.0.0.1", self.target)
        except BaseException as error:
            writer.transport.abort()
            if isinstance(error, OSError):
                return
            raise
        link = _Link(self, writer, there)
        self._links.add(link)
        name = f"{self.seed}/{self.connections}"
        try:
            await asyncio.gather(
                link.pump(reader, there, random.Random(f"{name}/up")),
                link.pump(back, writer, random.Random(f"{name}/down")),
            )
        finally:
            link.cut()
            self._links.discard(link)

    async def end(self) -> None:
        self.calm = True
        for link in tuple(self._links):
            link.cut()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Link:
    """One connection through the proxy."""

    def __init__(self, chaos: Chaos, *ends: asyncio.StreamWriter) -> None:
        self._chaos = chaos
        self._ends = ends
        self._half_open = False

    def cut(self) -> None:
        for end in self._ends:
            end.transport.abort()

    async def pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, rng: random.Random
    ) -> None:
        kept = b""
        frame: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await self._pieces(writer, head, rng if rng.random() < 0.2 else None)
            frame = asyncio.ensure_future(_frame(reader))
            while True:
                if kept and not frame.done():
                    await asyncio.wait((frame,), timeout=0.03)
                    if not frame.done():
                        self._write(writer, kept)
                        kept = b""
                data = kept + await frame
                frame = asyncio.ensure_future(_frame(reader))
                kept = await self._treat(writer, data, rng)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            if not self._half_open:
                self.cut()
        finally:
            if not frame.cancel() and not frame.cancelled():
                frame.exception()  # looked at, so that nobody complains

    async def _treat(self, writer: asyncio.StreamWriter, data: bytes, rng: random.Random) -> bytes:
        """Forward a frame somehow; what is kept of it for later."""
        chaos = self._chaos
        if self._half_open or chaos.calm or rng.random() >= chaos.rate:
            self._write(writer, data)
            return b""
        (fault,) = rng.choices(_FAULTS, _WEIGHTS)
        chaos.faults[fault] += 1
        at = rng.randrange(len(data))
        match fault:
            case Fault.MERGE:
                return data
            case Fault.DELAY:
                await chaos.wait(rng.uniform(0.002, 0.05))
            case Fault.STALL:
                await chaos.wait(rng.uniform(0.1, 0.6))
            case Fault.SPLIT:
                await self._pieces(writer, data, rng)
                return b""
            case Fault.TWICE:
                data += data
            case Fault.STUTTER:
                data += data[at:]
            case Fault.CUT_INSIDE:
                self._write(writer, data[:at])
                await chaos.wait(0.001)
                self.cut()
            case Fault.CUT:
                self.cut()
            case Fault.HALF_OPEN:
                self._half_open = True
        self._write(writer, data)
        return b""

    def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if not self._half_open and not writer.transport.is_closing():
            writer.write(data)

    async def _pieces(
        self, writer: asyncio.StreamWriter, data: bytes, rng: random.Random | None
    ) -> None:
        at = 0
        while at < len(data):
            size = rng.randint(1, max(2, len(data) // 4)) if rng is not None else len(data)
            self._write(writer, data[at : at + size])
            at += size
            await asyncio.sleep(0)  # a turn of the loop, so that each goes alone


async def _frame(reader: asyncio.StreamReader) -> bytes:
    """The next whole WebSocket frame, header and all (RFC 6455, 5.2)."""
    head = await reader.readexactly(2)
    size = head[1] & 127
    more = {126: 2, 127: 8}.get(size, 0)
    if more:
        extended = await reader.readexactly(more)
        head += extended
        size = int.from_bytes(extended, "big")
    mask = 4 if head[1] & 128 else 0
    return head + await reader.readexactly(mask + size)


@asynccontextmanager
async def chaos(target: int, seed: str, rate: float) -> AsyncIterator[Chaos]:
    """A proxy on a port of its own."""
    made = Chaos(target, seed, rate)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0, limit=1 << 22)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await made.end()
        await server.wait_closed()

"""A TCP proxy between client and server that can cut, freeze or swallow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Proxy:
    """Forwards bytes both ways, until told otherwise."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.connections = 0
        """Made so far."""
        self.swallow_down = False
        """Whether what the server says is dropped."""
        self._open: set[asyncio.StreamWriter] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            back, there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self._open |= {writer, there}
        self.swallow_down = False
        ways = [self._pump(reader, there, down=False), self._pump(back, writer, down=True)]
        tasks = [asyncio.create_task(way) for way in ways]
        self._tasks |= set(tasks)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, there):
            end.transport.abort()
            self._open.discard(end)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, down: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flowing.wait()
                if not (down and self.swallow_down):
                    writer.write(data)
                    await writer.drain()

    def cut(self) -> None:
        """Break every connection, without a word."""
        for end in self._open:
            end.transport.abort()

    def freeze(self) -> None:
        """Let nothing through any more, and say nothing of it: a link that is half open."""
        self._flowing.clear()

    def thaw(self) -> None:
        self._flowing.set()

    async def end(self) -> None:
        self.thaw()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A proxy on a port of its own to the port `target`."""
    made = Proxy(target)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        await made.end()
        server.close()
        await server.wait_closed()

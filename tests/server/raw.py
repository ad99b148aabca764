"""A client of bytes for the server's tests: it can say what no library would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from server.app import App
from tests.patience import PATIENCE

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: ra.v1\r\n%s\r\n"
)


class Raw:
    """A client of bytes: it can say what no library would."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def handshake(self, headers: bytes = b"") -> bytes:
        self.writer.write(HANDSHAKE % headers)
        return await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)

    def frame(
        self, opcode: int, data: bytes = b"", *, fin: bool = True, rsv1: bool = False
    ) -> None:
        """One frame, masked with zeros."""
        head = bytes([(0x80 if fin else 0) | (0x40 if rsv1 else 0) | opcode])
        size = len(data)
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += b"\xfe" + size.to_bytes(2, "big")
        else:
            head += b"\xff" + size.to_bytes(8, "big")
        self.writer.write(head + b"\0\0\0\0" + data)

    async def end(self) -> tuple[int | None, str]:
        """The code and reason of the close frame, once the server has ended it all; (None,
        "") if it was cut off without one."""
        found: tuple[int | None, str] = (None, "")
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    opcode, data = await self.next_frame()
                    if opcode == 8 and len(data) >= 2:
                        found = int.from_bytes(data[:2], "big"), data[2:].decode()
        return found

    async def next_frame(self) -> tuple[int, bytes]:
        first, second = await self.reader.readexactly(2)
        size = second
        if second >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if second == 126 else 8), "big")
        return first & 15, await self.reader.readexactly(size)


@asynccontextmanager
async def raw(app: App) -> AsyncIterator[Raw]:
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()

"""The running server's end of the local socket: who speaks there is heard and answered, a line
at a time, and within bounds.

Nobody there keeps the loop waiting: not who is silent, nor who never reads. Knows no table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from server.admin.door import Door, NoDoor, may_enter
from server.admin.words import MOST_BYTES, NoRequest, pack, trouble, unpack
from server.log import Log
from server.trouble import reason_of

_SECONDS = 5.0
"""Time to say the next line, and to read an answer."""
_CLOSE_SECONDS = 1.0
"""Time for a disk to take the socket away."""
_MOST_AT_ONCE = 8
"""Connections; more are closed at once."""

_NOT_YOURS = trouble("not_yours", "this server is another user's")

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""What is answered to a request; raises NoRequest."""


class Desk:
    """Where `ra-server admin` is answered, from `open` to `close`."""

    def __init__(self, path: Path, answer: Answer, log: Log) -> None:
        self._path = path
        self._answer = answer
        self._log = log
        self._door: Door | None = None
        self._server: asyncio.Server | None = None
        self._there: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen, if that can be: a server without this runs all the same, and says so."""
        try:
            self._door = await asyncio.to_thread(Door, self._path)
            self._server = await asyncio.start_server(
                self._hear, sock=self._door.socket, limit=MOST_BYTES
            )
        except (NoDoor, OSError, RuntimeError) as error:  # no descriptor, or no thread is left
            why = reason_of(error) if isinstance(error, OSError) else str(error)
            self._log.warning("admin_unavailable", path=str(self._path), why=why)

    async def close(self) -> None:
        """Hang up, and take the socket away."""
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._there):
            writer.transport.abort()
        if self._door is not None:
            closing = asyncio.ensure_future(asyncio.to_thread(self._door.close))
            await asyncio.wait([closing], timeout=_CLOSE_SECONDS)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._there.add(writer)
        try:
            if len(self._there) > _MOST_AT_ONCE:
                return
            may = may_enter(writer.get_extra_info("socket"))
            if not may:
                self._log.warning("admin_refused")
            while line := await asyncio.wait_for(reader.readline(), _SECONDS):
                await self._say(writer, await self._answered(line) if may else _NOT_YOURS)
        except (TimeoutError, ValueError, OSError):
            pass  # it says nothing, or too much, or is gone
        finally:
            self._there.discard(writer)
            writer.transport.abort()

    async def _say(self, writer: asyncio.StreamWriter, said: dict[str, Any]) -> None:
        # what is written is sent, or waits until it is read; beyond some bytes of it we wait
        writer.transport.set_write_buffer_limits(0)
        writer.write(pack(said))
        await asyncio.wait_for(writer.drain(), _SECONDS)

    async def _answered(self, line: bytes) -> dict[str, Any]:
        try:
            return await self._answer(unpack(line))
        except NoRequest:
            return trouble("unknown_request", "this server does not understand that")
        except Exception as error:
            self._log.error("admin_fault", error=error)
            return trouble("fault", "a fault of the server's own")

"""Real `ra-client` processes: what is typed goes in, lines come out."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import frozen

from tests.miniature import ROOT, environment
from tests.patience import PATIENCE


@frozen
class Run:
    """A run that ended."""

    code: int
    out: list[str]
    err: str


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "client", *arguments]


def surroundings(data: Path, **more: str) -> Mapping[str, str]:
    """The environment of a client: the tests' games are found, nothing of ours is used."""
    return {**environment(), "RA_DATA": str(data), "TERM": "xterm", **more}


def files(folder: Path) -> list[Path]:
    """All files below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def run(data: Path, *arguments: str, typed: str = "", **more: str) -> Run:
    """Run a client to its end, with a whole input."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=ROOT,
        env=surroundings(data, **more),
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate(typed.encode())
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    return Run(process.returncode, out.decode().splitlines(), err.decode())


class Typist:
    """A client that is typed to line by line."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.lines: list[str] = []

    async def line(self, pattern: str) -> re.Match[str]:
        """The next line that has `pattern`."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while data := await self._process.stdout.readline():
                self.lines.append(data.decode().rstrip("\n"))
                if found := re.search(pattern, self.lines[-1]):
                    return found
        raise AssertionError(f"{pattern!r} never came: {self.lines[-8:]}")

    async def type(self, line: str, answer: str = "") -> re.Match[str] | None:
        """Type a line; the line of the answer, if one is wanted."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()
        return await self.line(answer) if answer else None

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    async def ended(self) -> tuple[int, str]:
        """Wait for the end while the input stays open (`communicate` would close it, from
        Python 3.12 on): the exit code, and what was said on stderr."""
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None and stderr is not None
        _, err = await asyncio.gather(stdout.read(), stderr.read())
        return await self._process.wait(), err.decode()

    async def gone(self) -> int:
        """Wait for the client's end while its input stays open; the exit code."""
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    async def end(self) -> int:
        """End the input, and wait for the client's end; the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            assert self._process.stdout is not None
            rest = await self._process.stdout.read()
            self.lines += rest.decode().splitlines()
            return await self._process.wait()


@asynccontextmanager
async def typist(data: Path, *arguments: str) -> AsyncIterator[Typist]:
    """A client process; killed if it has not ended by itself."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=ROOT,
        env={**os.environ, **surroundings(data)},
    )
    try:
        yield Typist(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]

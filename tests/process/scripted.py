"""A real `ra-client --plain` process, driven by a script that reads its lines and types."""

from __future__ import annotations

import asyncio
import random
import re
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

from tests.patience import PATIENCE
from tests.process.serving import ServerProcess, program


class PlainClient:
    """One client. It answers each prompt with one of the ways that its line offers, or
    with one of the choices that the client lists when asked for them."""

    def __init__(self, server: ServerProcess, folder: Path, name: str, seed: int) -> None:
        self.name = name
        self.lines: list[str] = []
        self.accepted: list[int] = []
        """The entries that the client was told were its own."""
        self.on_accepted: Callable[[], None] = lambda: None
        self._server = server
        self._folder = folder
        self._random = random.Random(seed)
        self._process: Process | None = None
        self._heard = asyncio.Event()
        self._choosing = False

    async def start(self, *arguments: str) -> None:
        """Start the client; `arguments` beside the address."""
        self._process = await asyncio.create_subprocess_exec(
            program("ra-client"),
            f"127.0.0.1:{self._server.port}",
            *arguments,
            *("--plain", "--name", self.name, "--data", str(self._folder / self.name)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )

    async def follow(self) -> None:
        """Read lines, and answer, until the match is over."""
        assert self._process is not None and self._process.stdout is not None
        async for data in self._process.stdout:
            line = data.decode().rstrip("\n")
            self.lines.append(line)
            self._heard.set()
            self._answer(line)
            if line.startswith("over:"):
                return
        errors = await self._process.stderr.read() if self._process.stderr else b""
        raise AssertionError(f"{self.name} ended: {self.lines[-5:]} {errors.decode()}")

    def _answer(self, line: str) -> None:
        if found := re.fullmatch(r"ok (\d+)", line):
            self.accepted.append(int(found[1]))
            self.on_accepted()
        elif found := re.match(r"your \w+: (.*)", line):
            ways = [way for way in found[1].split(" | ") if "<" not in way]
            if ways and self._random.random() < 0.7:
                self.type(self._random.choice(ways))
            else:
                self._choosing = True
                self.type("choices")
        elif line.startswith("choice: ") and self._choosing:
            self._choosing = False
            self.type(line.removeprefix("choice: "))

    def type(self, line: str) -> None:
        """Type one line."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def until(self, pattern: str) -> re.Match[str]:
        """The first line that matches, read by `follow` meanwhile."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self._heard.clear()
                for line in self.lines:
                    if found := re.search(pattern, line):
                        return found
                await self._heard.wait()

    async def quit(self) -> int:
        """Type `quit`; the exit code."""
        self.type("quit")
        assert self._process is not None
        await asyncio.wait_for(self._process.communicate(), PATIENCE)
        assert self._process.returncode is not None
        return self._process.returncode

    async def close(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

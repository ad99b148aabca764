"""One cell of the table of first minutes: a condition, and the programs run under it.

Knows no condition: those stand in the tests.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import evolve, field, frozen

from tests.house.places import ROOT
from tests.patience import PATIENCE

RECORD = ROOT / "tests" / "golden" / "two-players.ra"
LISTENING = re.compile(r"^listening on ([^\s,]+)", re.MULTILINE)
_SERVER = ("--port", "0", "--log", "off")
_KEPT = ("PATH", "LANG", "PYTHONPATH")


@frozen
class Ran:
    """A program that ended."""

    code: int
    out: str
    err: str

    def worked(self, said: str = "") -> None:
        """It did what it was started for, and complained of nothing."""
        assert (self.code, self.err) == (0, ""), self
        assert said in self.out, self

    def failed(self, code: int, *words: str) -> None:
        """It said why not in one line, and ended with `code`."""
        assert self.code == code, self
        (line,) = self.err.splitlines()
        assert all(word in line for word in words), self

    def was_clean(self) -> None:
        """Whatever became of it, nobody saw a traceback."""
        assert "Traceback" not in self.out + self.err, self
        assert self.code in (0, 1, 2, 3), self


@frozen
class Cell:
    """Where and how programs are run."""

    home: Path
    """Their home, their folder for temporary files and the one they are started in."""
    environment: Mapping[str, str | None] = field(factory=dict)
    """What is set beside the little that every cell has; None: what is not."""
    prelude: str = ":"
    """Shell that runs in the process before it becomes the program."""
    through: tuple[str, ...] = ()
    """A command that runs the program."""
    python: str = sys.executable

    def variables(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        own = {"HOME": str(self.home), "TMPDIR": str(self.home), "TERM": "dumb"}
        whole = {**kept, **own, **self.environment}
        return {name: value for name, value in whole.items() if value is not None}

    async def start(self, *command: str, typed: bool = False) -> Process:
        """Start a program."""
        line = f'{self.prelude}; exec "$@"'
        return await asyncio.create_subprocess_exec(
            *self.through,
            *("/bin/sh", "-c", line, "sh", *command),
            stdin=PIPE if typed else DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=self.home,
            env=self.variables(),
        )

    async def run(self, *command: str, typed: str | None = None) -> Ran:
        """Run a program to its end."""
        process = await self.start(*command, typed=typed is not None)
        return await _ended(process, None if typed is None else typed.encode())

    # the programs

    def program(self, module: str) -> tuple[str, ...]:
        """One of our programs, by its module: what its script runs."""
        return (self.python, "-m", module)

    async def demo(self, *words: str) -> Ran:
        """What `make play` runs without a terminal."""
        return await self.run(*self.program("client.demo"), *words)

    async def solo(self) -> Ran:
        """A game against one bot, left at once."""
        words = ("--solo", "1", "--plain", "--name", "Ann")
        return await self.run(*self.program("client"), *words, typed="quit\n")

    async def verify(self) -> Ran:
        """A record replayed and verified."""
        return await self.run(*self.program("client.replay"), str(RECORD), "--verify")

    async def join(self, address: str, *words: str, typed: str = "quit\n") -> Ran:
        """A client in lines at a server."""
        client = (*self.program("client"), address, "--plain", "--name", "Ann")
        return await self.run(*client, *words, typed=typed)

    @asynccontextmanager
    async def served(self, *flags: str) -> AsyncIterator[Served]:
        """A server that listens."""
        process = await self.start(*self.program("server"), *_SERVER, *flags)
        served = Served(process)
        try:
            await served.listens()
            yield served
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def serve(self, *flags: str) -> Ran:
        """A server that cannot start: how it ends."""
        return await self.run(*self.program("server"), *_SERVER, *flags)

    async def round(self, *flags: str) -> None:
        """A server is started, joined and stopped, and all of it works."""
        async with self.served(*flags) as server:
            (await self.join(server.address)).worked("connected as Ann")
            (await server.stopped()).worked()

    # what they leave behind

    def files(self) -> set[str]:
        """All files below the home, by their paths from there."""
        return {str(path.relative_to(self.home)) for path in self.home.rglob("*") if path.is_file()}

    def changed(self, **more: str | None) -> Cell:
        """The same with other variables."""
        return evolve(self, environment={**self.environment, **more})


class Served:
    """A server of a cell."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.address = ""
        self._said = b""

    async def listens(self) -> None:
        """Wait until it says where it listens."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self.process.stdout.readline()
        self._said = line
        found = LISTENING.search(line.decode())
        if found is None:
            ran = await _ended(self.process, None)
            raise AssertionError(f"the server did not start: {line!r} {ran}")
        self.address = found[1]

    async def stopped(self) -> Ran:
        """Ask it to stop, and wait until it has."""
        self.process.send_signal(signal.SIGTERM)
        ran = await _ended(self.process, None)
        return evolve(ran, out=self._said.decode() + ran.out)


async def _ended(process: Process, typed: bytes | None) -> Ran:
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate(typed)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Ran(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

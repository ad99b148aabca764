"""A real `ra-server` process: started, killed, started again on its port and database."""

from __future__ import annotations

import asyncio
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.patience import PATIENCE


def program(name: str) -> str:
    """The path of one of our commands, as installed beside this interpreter."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found is not None, f"{name} is not installed"
    return found


class ServerProcess:
    """One server, through as many processes as it takes."""

    def __init__(self, folder: Path, *flags: str, stderr: int = PIPE) -> None:
        """`stderr`: where its log goes, by itself into a pipe that few tests read."""
        self.database = folder / "ra.db"
        self.port = 0
        self.flags = flags
        self.stderr = stderr
        self.starts = 0
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def uri(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        return [
            program("ra-server"),
            *("--port", str(self.port), "--db", str(self.database)),
            *self.flags,
        ]

    async def start(self) -> None:
        """Start, on the same port as before if there was one, and wait until it listens."""
        process = await asyncio.create_subprocess_exec(
            *self.command(), stdout=PIPE, stderr=self.stderr
        )
        self._process = process
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        if not line:
            complaint = (await process.stderr.read()).decode() if process.stderr else ""
            raise AssertionError(f"the server did not start: {complaint}")
        self.port = int(line.rsplit(b":", 1)[1])
        self.starts += 1

    async def kill(self) -> None:
        """`kill -9`."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def logs(self, event: str) -> None:
        """Wait for a line of the log; the flags must ask for one (`--log json`)."""
        assert self._process is not None and self._process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            while event not in (line := (await self._process.stderr.readline()).decode()):
                assert line, f"the server ended and never logged {event}"

    async def terminate(self) -> int:
        """SIGTERM, and the exit code."""
        assert self._process is not None
        self._process.terminate()
        return await asyncio.wait_for(self._process.wait(), PATIENCE)

    async def close(self) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.kill()


@asynccontextmanager
async def server_process(
    folder: Path, *flags: str, stderr: int = PIPE
) -> AsyncIterator[ServerProcess]:
    server = ServerProcess(folder, *flags, stderr=stderr)
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def run(*command: str) -> tuple[int, str, str]:
    """Run a command to its end: exit code, output, errors."""
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    try:
        output, errors = await asyncio.wait_for(process.communicate(), PATIENCE * 2)
    except BaseException:
        process.kill()
        await process.wait()
        raise
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()

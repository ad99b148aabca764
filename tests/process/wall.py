"""Server processes whose clock on the wall says what a test likes."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.process.serving import ServerProcess, server_process

_SITE = """
import time
_now = time.time_ns
def _then():
    with open({file!r}) as file:
        return _now() + int(file.read()) * 10**9
time.time_ns = _then
time.time = lambda: _then() / 1e9
"""


class Wall:
    """The clock of the processes that are started from now on, and of those that run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        site = folder / "site"
        site.mkdir()
        self._file = folder / "seconds-off"
        self.off(0)
        (site / "sitecustomize.py").write_text(_SITE.format(file=str(self._file)))
        path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
        monkeypatch.setenv("PYTHONPATH", path)

    def off(self, seconds: int) -> None:
        """Set the clock to so many seconds from the right time."""
        new = self._file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self._file)


@asynccontextmanager
async def walled(folder: Path, wall: Wall, off: int, *flags: str) -> AsyncIterator[ServerProcess]:
    """A server process that starts with the clock set so."""
    wall.off(off)
    async with server_process(folder, *flags) as running:
        yield running

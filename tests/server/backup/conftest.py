"""A database with three tables and a session, and the commands run in this process."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from server.__main__ import main as ra_server
from tests.server.backup.scenes import whole_games

Say = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three tables and a session."""
    path = tmp_path_factory.mktemp("backup") / "ra.db"
    asyncio.run(whole_games(path))
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "server"
    folder.mkdir()
    return Path(shutil.copy(made, folder / "ra.db"))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command: its exit code, and the one line that it says (and no other)."""

    def call(*arguments: object) -> tuple[int, str]:
        try:
            code = ra_server([str(argument) for argument in arguments])
        except SystemExit as end:  # wrong usage
            code = end.code if isinstance(end.code, int) else 1
        output = capsys.readouterr()
        assert (output.out + output.err).count("\n") == 1, output
        assert bool(output.err) == (code != 0), output
        return code, (output.out + output.err).strip()

    return call

"""A server for the terminals of a test module, and clients on terminals of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.process.serving import program
from tests.terminal.terminal import Terminal

Open = Callable[..., Terminal]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server process."""
    folder = tmp_path_factory.mktemp("server")
    process = subprocess.Popen(
        [program("ra-server"), "--port", "0", "--db", str(folder / "ra.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        yield f"127.0.0.1:{line.strip().rsplit(':', 1)[1]}"
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture
def client(server: str, tmp_path: Path) -> Iterator[Open]:
    """Opens clients on terminals: client("Anna", "--create", ..., columns=80)."""
    opened: list[Terminal] = []

    def open_client(name: str, *flags: str, **settings: object) -> Terminal:
        data = tmp_path / f"data-{len(opened)}"
        named = ("--name", name) if name else ()
        command = [program("ra-client"), server, *flags, *named, "--data", str(data)]
        terminal = Terminal(command, folder=tmp_path, **settings)  # type: ignore[arg-type]
        opened.append(terminal)
        return terminal

    yield open_client
    for terminal in opened:
        terminal.close()

"""B24: where a full screen cannot be shown, the client says so in one line, at once."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.client.typed_runs import command, surroundings
from tests.miniature import ROOT
from tests.patience import PATIENCE

WHERE = "127.0.0.1:1"


def trouble(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line that a client said before it gave up."""
    assert done.returncode == 1
    assert not done.stdout
    text = done.stderr.decode()
    assert text.startswith("ra-client: ")
    assert text.count("\n") == 1
    assert "--plain" in text
    assert "\x1b" not in text
    return text


def start(data: Path, *arguments: str, typed: bytes = b"", **more: str) -> str:
    done = subprocess.run(
        command(*arguments),
        input=typed,
        capture_output=True,
        cwd=ROOT,
        env=surroundings(data, **more),
        timeout=PATIENCE,
        check=False,
    )
    return trouble(done)


@pytest.mark.parametrize("typed", [b"", b"q\n"])
@pytest.mark.parametrize("where", [(WHERE,), ("--solo", "2"), (WHERE, "--create")])
def test_b24_without_a_terminal_one_line_names_plain(
    tmp_path: Path, where: tuple[str, ...], typed: bytes
) -> None:
    assert "is not a terminal" in start(tmp_path, *where, typed=typed)


@pytest.mark.parametrize("kind", ["dumb", "", "unknown"])
def test_b24_a_terminal_that_cannot_is_one_line_too(tmp_path: Path, kind: str) -> None:
    main, side = pty.openpty()
    try:
        done = subprocess.run(
            command(WHERE),
            stdin=side,
            stdout=side,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=surroundings(tmp_path, TERM=kind),
            timeout=PATIENCE,
            check=False,
        )
        assert "cannot show the screen" in trouble(done)
        os.set_blocking(main, False)
        with pytest.raises(BlockingIOError):
            os.read(main, 1)
    finally:
        os.close(main)
        os.close(side)


def test_b24_output_into_a_file_is_not_a_screen(tmp_path: Path) -> None:
    main, side = pty.openpty()
    file = tmp_path / "out"
    try:
        with file.open("wb") as out:
            done = subprocess.run(
                command(WHERE),
                stdin=side,
                stdout=out,
                stderr=subprocess.PIPE,
                cwd=ROOT,
                env=surroundings(tmp_path),
                timeout=PATIENCE,
                check=False,
            )
    finally:
        os.close(main)
        os.close(side)
    assert b"standard output is not a terminal" in done.stderr
    assert done.returncode == 1
    assert not file.read_bytes()


def test_b22_a_bad_address_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    for address in ("::1:8765", "localhost:", ":8765", "h:70000", "[::1"):
        done = subprocess.run(
            command(address, "--plain"),
            input=b"",
            capture_output=True,
            cwd=ROOT,
            env=surroundings(tmp_path),
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 2
        assert not done.stdout
        assert done.stderr.count(b"\n") == 1
        assert b"Traceback" not in done.stderr

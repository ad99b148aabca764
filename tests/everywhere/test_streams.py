"""Standard streams that are closed, in every combination: nothing is written where it is not
meant to go, what cannot be said is the exit code, and no file gets the number of a stream."""

from __future__ import annotations

import signal
import socket
import sqlite3
from itertools import chain, combinations
from pathlib import Path

import pytest
from attrs import evolve

from tests.everywhere.cells import RECORD, Cell, Ran
from tests.patience import until

COMBINATIONS = tuple(chain.from_iterable(combinations(range(3), count) for count in range(4)))


def without(closed: tuple[int, ...], cell: Cell) -> Cell:
    """The cell with those streams closed."""
    shut = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    return evolve(cell, prelude=f"exec {shut}" if shut else ":")


def printed(ran: Ran, closed: tuple[int, ...], said: str) -> None:
    """What was asked for was printed; or that it could not be was said, where it could be."""
    if 1 not in closed:
        ran.worked(said)
    elif 2 not in closed:
        ran.failed(1, "standard output", "closed")
    else:
        assert (ran.code, ran.out, ran.err) == (1, "", "")


def refused(ran: Ran, closed: tuple[int, ...], code: int) -> None:
    """A complaint goes to stderr, or nowhere."""
    assert (ran.code, ran.out) == (code, ""), ran
    assert ran.err.count("\n") == (0 if 2 in closed else 1), ran


@pytest.mark.parametrize("closed", COMBINATIONS)
async def test_what_is_asked_for_is_printed_or_said_to_be_unprintable(
    cell: Cell, closed: tuple[int, ...]
) -> None:
    cell = without(closed, cell)
    client = (*cell.program("client"), "--solo", "1", "--plain", "--name", "Ann")
    printed(await cell.run(*client), closed, "you have seat 1")
    if 1 in closed:
        printed(await cell.run(*cell.program("server"), "--help"), closed, "--port")
    if 2 in closed:
        refused(await cell.run(*cell.program("client.replay"), str(RECORD)), closed, 2)


@pytest.mark.parametrize("closed", COMBINATIONS)
async def test_a_server_serves_whatever_is_closed(cell: Cell, closed: tuple[int, ...]) -> None:
    """And its database holds rows, and no lines."""
    database, port = cell.home / "ra.db", free_port()
    command = (*cell.program("server"), "--port", str(port), "--db", str(database))
    process = await without(closed, cell).start(*command)
    try:
        await until(lambda: listens(port))
        process.send_signal(signal.SIGTERM)
        out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    assert out.decode() == ("" if 1 in closed else f"listening on 127.0.0.1:{port}\n")
    assert (b"stopped" in err) == (2 not in closed)
    assert sound(database)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionRefusedError:
        return False
    return True


def sound(database: Path) -> bool:
    with sqlite3.connect(database) as connection:
        found = connection.execute("pragma integrity_check").fetchone()
    connection.close()
    return bool(found == ("ok",))


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
async def test_an_analysis_is_told_where_its_progress_cannot_be(cell: Cell, stream: str) -> None:
    cell = evolve(cell, prelude=f"exec {stream}")
    words = ("--analyse", "--budget", "1", "--seat", "1")
    told = await cell.run(*cell.program("client.replay"), str(RECORD), *words)
    assert (told.code, told.err) == (0, ""), told
    assert "decisions" not in told.out.splitlines()[0]

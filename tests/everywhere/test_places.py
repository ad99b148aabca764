"""Folders and files as a machine may have them: other masks, no room, no right to write, few
files at a time."""

from __future__ import annotations

import asyncio
import re
import socket
from contextlib import ExitStack

import pytest
from attrs import evolve

from tests.everywhere.cells import Cell, Ran
from tests.everywhere.limited import LIMITED
from tests.everywhere.unshared import FORBIDDEN, command
from tests.patience import PATIENCE


@pytest.mark.parametrize("mask", ["077", "000"])
async def test_what_is_kept_is_its_owners_alone_whatever_the_mask(cell: Cell, mask: str) -> None:
    await evolve(cell, prelude=f"umask {mask}").round()
    made = list(cell.home.rglob("*"))
    assert {path.name for path in made} >= {"tables.sqlite3", "shares.key", "records"}
    for path in made:
        assert path.stat().st_mode & 0o077 == 0, path


async def test_on_a_full_disk_games_are_played_and_what_cannot_be_kept_is_said(cell: Cell) -> None:
    disk = cell.home / "disk"
    disk.mkdir()
    full = evolve(cell, environment={"HOME": str(disk)}, through=command("full", str(disk)))
    tried = await full.run("true")
    if tried.code == FORBIDDEN:
        pytest.skip(f"the system lets nobody have a disk of their own: {tried.err}")
    kept, solo, server, memory, checked = await asyncio.gather(
        full.demo("--record", str(disk / "kept.ra")),
        full.solo(),
        full.serve(),
        _joined_without_a_disk(full),
        full.run(*full.program("server"), "check", str(disk / "everything")),
    )
    kept.failed(1, "demo: ", "No space left on device")
    solo.worked("you have seat 1")
    server.failed(1, "ra-server: cannot use the database", "No space left on device")
    assert memory.code == 0 and "connected as Ann" in memory.out
    assert "No space left on device" in memory.err
    memory.was_clean()
    checked.failed(2, "ra-server check: ")


async def _joined_without_a_disk(cell: Cell) -> Ran:
    async with cell.served("--memory") as server:
        joined = await cell.join(server.address)
        (await server.stopped()).worked()
    return joined


async def test_who_may_not_write_beside_the_database_is_told_so(cell: Cell) -> None:
    """And nothing is written there, nor elsewhere in its place."""
    sound = cell.home / "ours"
    async with cell.served("--db", str(sound / "ra.db")) as server:
        (await server.stopped()).worked()
    before = cell.files()
    (sound / "ra.db.lock").chmod(0o400)
    sound.chmod(0o555)
    limited = evolve(cell, through=LIMITED)
    try:
        server_ran, fresh, records, demo = await asyncio.gather(
            limited.serve("--db", str(sound / "ra.db")),
            limited.serve("--db", str(sound / "new.db")),
            limited.serve("--memory", "--records", str(sound / "records2")),
            limited.demo("--record", str(sound / "kept.ra")),
        )
    finally:
        sound.chmod(0o755)
    server_ran.failed(1, "ra-server: cannot use the database", str(sound))
    fresh.failed(1, "ra-server: cannot use the database", str(sound), "Permission denied")
    records.failed(1, "ra-server: ", str(sound / "records2"), "Permission denied")
    demo.failed(1, "demo: ", str(sound / "kept.ra"), "Permission denied")
    assert cell.files() == before


async def test_with_64_files_at_a_time_all_works(cell: Cell) -> None:
    cell = evolve(cell, prelude="ulimit -n 64")
    (await cell.demo()).worked("The game is over.")


async def test_more_sockets_than_there_may_be_files_cost_nobody_a_game(cell: Cell) -> None:
    """A hundred connections that say nothing, at a server that may have 64 files open."""
    few = evolve(cell, prelude="ulimit -n 64")
    many = ("--connects-per-address", "1000")
    server = (*few.program("server"), *many, "--port", "0", "--open-seconds", "2", "--memory")
    process = await few.start(*server)
    assert process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = (await process.stdout.readline()).decode()
            port = int(line.rpartition(":")[2])
            with ExitStack() as stack:
                for _ in range(100):
                    silent = socket.create_connection(("127.0.0.1", port), 10)
                    stack.enter_context(silent)
                await asyncio.to_thread(silent.recv, 1)  # cut off, at the latest in two seconds
            (await cell.join(f"127.0.0.1:{port}")).worked("connected as Ann")
            process.terminate()
            said = (await process.stderr.read()).decode()
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert "few_files" in said and "Traceback" not in said
    assert "out of system resource" not in said
    assert not re.search(r"level='error'", said)


async def test_hardly_any_files_are_one_line(cell: Cell) -> None:
    """Too few to start with: the server says so, as it does of anything else it cannot have."""
    few = evolve(cell, prelude="ulimit -n 6")
    (await few.serve("--memory")).failed(1, "ra-server: ", "Too many open files")

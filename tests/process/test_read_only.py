"""C14: a database in a place that may not be written to, for somebody who may not: what
reads it reads it there, or says what is needed."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.game import Setup
from server.store.sqlite import SqliteStore
from tests.games import whole_game
from tests.process.player import connected
from tests.process.serving import program, run, server_process
from tests.server.store.streams import fill, log_of, other_program
from tests.server.test_check import keep

ROOT = os.geteuid() == 0
AS_ANYBODY = ("setpriv", "--bounding-set", "-dac_override") if ROOT else ()
"""Root as well is kept out by what a file's mode says, without the right to pass over it."""

pytestmark = pytest.mark.skipif(
    ROOT and shutil.which("setpriv") is None, reason="root may write anywhere"
)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in the folder may be written to, and nothing be made there."""
    files = list(folder.iterdir())
    for file in files:
        file.chmod(0o444)
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)
        for file in files:
            file.chmod(0o644)


async def said(*command: str) -> tuple[int, str, str]:
    return await run(*AS_ANYBODY, program(command[0]), *command[1:])


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """With a database at rest, as it was copied there."""
    store = SqliteStore(tmp_path / "made.db")
    await keep(store, whole_game("ra", Setup("standard", 2), 1, "ASPEN-10"))
    await store.close()
    folder = tmp_path / "medium"
    folder.mkdir()
    shutil.copy(tmp_path / "made.db", folder / "ra.db")
    return folder


@pytest.mark.parametrize("log", [False, True])
async def test_c14_what_reads_a_sound_copy_reads_it(
    folder: Path, tmp_path: Path, log: bool
) -> None:
    """Also with the empty log that a crash leaves."""
    path = folder / "ra.db"
    if log:
        log_of(path).touch()
    with read_only(folder):
        code, output, errors = await said("ra-server", "check", str(path))
        assert (code, errors) == (0, "") and output.endswith("nothing is wrong\n")
        code, output, errors = await said(
            "ra-replay", "--db", str(path), "--table", "ASPEN-10", "--verify"
        )
        assert (code, errors) == (0, ""), output
        backup = tmp_path / "backup.db"
        code, output, errors = await said("ra-server", "backup", str(path), str(backup))
        assert (code, errors) == (0, "") and "1 table" in output
        code, output, errors = await said("ra-server", "--port", "0", "--db", str(path))
        assert code == 1 and errors.count("\n") == 1, errors
        assert "Permission denied" in errors and "disk reports" not in errors
        for command in (("backup", backup, folder / "b.db"), ("restore", backup, path)):
            code, output, errors = await said("ra-server", *[str(part) for part in command])
            assert (code, output, errors.count("\n")) == (2, "", 1)
            assert "Permission denied" in errors
    # and a backup needs no such pains
    with read_only(folder):
        shutil.copy(backup, tmp_path / "plain.db")
    assert (await said("ra-server", "check", str(tmp_path / "plain.db")))[0] == 0


async def test_c14_where_the_newest_entries_cannot_be_read_that_is_said(
    folder: Path, tmp_path: Path
) -> None:
    """A copy of a crashed database, with the log that belongs to it."""
    source = tmp_path / "crashed.db"
    store = SqliteStore(source)
    await fill(store, "KIWI-42", 3)
    with other_program(source) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()
        await fill(store, "FIG-7", 3)
        shutil.copy(source, folder / "ra.db")
        shutil.copy(log_of(source), folder / "ra.db-wal")
    await store.close()
    with read_only(folder):
        for command in (
            ("ra-server", "check", str(folder / "ra.db")),
            ("ra-server", "backup", str(folder / "ra.db"), str(tmp_path / "b")),
            ("ra-replay", "--db", str(folder / "ra.db"), "--table", "KIWI-42"),
        ):
            code, output, errors = await said(*command)
            assert code in (2, 3) and output == "" and errors.count("\n") == 1
            assert "copy both to such a folder" in errors
    assert not (tmp_path / "b").exists()


async def test_c14_a_reader_who_may_not_write_reads_beside_a_running_server(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "served"
    folder.mkdir()
    async with server_process(folder) as server, connected(server, "Ann") as ann:
        code = await ann.create(bots=("random", "easy"))
        with read_only(folder):
            status, output, errors = await said("ra-server", "check", str(server.database))
            assert (status, errors) == (0, ""), output
            status, output, errors = await said(
                "ra-replay", "--db", str(server.database), "--table", code, "--json"
            )
            assert status == 0 and output, errors


async def test_a_folder_that_one_may_not_even_look_into_is_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    await SqliteStore(folder / "ra.db").close()
    folder.chmod(0o000)
    prefix = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if ROOT else ()
    try:
        for command in (["check"], ["backup"], ["restore"]):
            target = [str(tmp_path / "b")] if command != ["check"] else []
            done = await run(
                *prefix, program("ra-server"), *command, str(folder / "ra.db"), *target
            )
            assert done[0] == 2 and done[1] == "" and done[2].count("\n") == 1, done
            assert "Permission denied" in done[2]
    finally:
        await asyncio.to_thread(folder.chmod, 0o755)

"""C06, C21: when it is quiet a database is one file and its log is empty, whoever read it
meanwhile; and a checkpoint that cannot be made now does no harm."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.store.checkpoints import Checkpoints
from server.store.port import Row, Unavailable
from server.store.reader import Reader
from server.store.schema import PAGE_BYTES, WAL_PAGES, connect, prepare
from server.store.sqlite import SqliteStore
from server.store.wal_marks import WalMarks
from tests.server.store.streams import add, bodies, fill, listed, log_of, other_program, quiet


async def test_c06_a_quiet_store_that_is_killed_leaves_one_file(tmp_path: Path) -> None:
    """What was answered is in the plain file, and the log is empty."""
    program = (
        "import asyncio, os, signal, sys\n"
        "from pathlib import Path\n"
        "from server.store.sqlite import SqliteStore\n"
        "from tests.server.store.streams import fill, quiet\n"
        "async def main():\n"
        "    store = SqliteStore(Path(sys.argv[1]))\n"
        "    await fill(store, 'KIWI-42', 20)\n"
        "    await quiet(Path(sys.argv[1]))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    path = tmp_path / "ra.db"
    command = [sys.executable, "-c", program, str(path)]
    done = await asyncio.to_thread(subprocess.run, command, check=False)
    assert done.returncode == -9
    shutil.copy(path, tmp_path / "copy.db")
    with Reader(tmp_path / "copy.db") as reader:
        assert len(reader.read("KIWI-42").rows) == 20


def test_c06_the_log_is_emptied_early_but_under_load(tmp_path: Path) -> None:
    """A few quick moves are no load: their pause of a hundredth of a second is quiet enough."""
    (tmp_path / "ra.db").touch()
    with closing(connect(tmp_path / "ra.db", 0)) as connection:
        prepare(connection, create=True)
        checkpoints = Checkpoints(WalMarks())
        checkpoints.begin(connection)

        def patience_after(batches: int) -> float:
            for _ in range(batches):
                checkpoints.due = True
                checkpoints.written(connection)
            return checkpoints.patience() or 0.0

        assert 0 < (early := patience_after(40)) <= 0.04
        assert patience_after(40) > early


async def test_c21_the_log_shrinks_when_a_long_reader_is_gone(
    store: SqliteStore, path: Path
) -> None:
    """While somebody reads it grows without bound; nothing has to be stopped."""
    position = await fill(store, "KIWI-42", 1)
    most = 2 * WAL_PAGES * PAGE_BYTES
    with other_program(path) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        number = 1
        while log_of(path).stat().st_size < most + 1_000_000:
            number += 1
            row = Row(number, bytes(500_000))
            position = await store.append("KIWI-42", position, row, listed("KIWI-42", number))
        reader.execute("COMMIT")
    await quiet(path)
    await add(store, "KIWI-42", position, number + 1)
    assert len(await bodies(store, "KIWI-42")) == number + 1


async def test_c21_the_log_has_a_bound_where_it_is_never_quiet(
    store: SqliteStore, path: Path
) -> None:
    """A log that grew while somebody read is cut when it starts over."""
    position = await fill(store, "KIWI-42", 1)
    most = 2 * WAL_PAGES * PAGE_BYTES
    number = 1
    with other_program(path) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        while log_of(path).stat().st_size < most + 1_000_000:
            number += 1
            row = Row(number, bytes(500_000))
            position = await store.append("KIWI-42", position, row, listed("KIWI-42", number))
        reader.execute("COMMIT")
    store._writer._checkpoints.due = False  # as under load, which never lets it be quiet
    for _ in range(2):
        number += 1
        position = await add(store, "KIWI-42", position, number)
        store._writer._checkpoints.due = False
    assert log_of(path).stat().st_size <= most


@pytest.mark.parametrize("stays", ["removed", "replaced"])
async def test_nothing_is_acknowledged_into_a_file_that_nobody_finds(
    store: SqliteStore, path: Path, tmp_path: Path, stays: str
) -> None:
    """Somebody takes the database away under a server that runs, without any error of the
    disk; when it is back all goes on."""
    position = await fill(store, "KIWI-42", 2)
    await quiet(path)
    away = tmp_path / "away"
    away.mkdir()
    for file in (path, log_of(path), path.with_name("ra.db-shm")):
        file.rename(away / file.name)
    if stays == "replaced":
        shutil.copy(away / "ra.db", path)
    for _ in range(2):
        with pytest.raises(Unavailable, match="another file"):
            await add(store, "KIWI-42", position, 3)
    for file in list(away.iterdir()):
        file.rename(path.with_name(file.name))
    await add(store, "KIWI-42", position, 3)
    assert len(await bodies(store, "KIWI-42")) == 3

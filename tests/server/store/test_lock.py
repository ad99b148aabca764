"""One server per database, whatever becomes of the file that says so."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock, Thread

import pytest

from server.store.lock import FileLock
from server.store.port import StoreRefused
from server.store.sqlite import SqliteStore
from tests.server.store.streams import add, fill


def _python(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


async def test_a_second_server_is_refused_and_told_who_is_there(
    store: SqliteStore, path: Path
) -> None:
    """B36: two servers on one database."""
    await fill(store, "KIWI-42", 1)
    with pytest.raises(StoreRefused, match=f"in_use.*pid={os.getpid()}"):
        SqliteStore(path)
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from server.store.port import StoreRefused\nfrom server.store.sqlite import SqliteStore\n"
        "try:\n    SqliteStore(Path(sys.argv[1]))\n"
        "except StoreRefused as refused:\n    print(refused)\n"
    )
    done = await asyncio.to_thread(_python, program, path)
    assert done.stdout == f"in_use(pid={os.getpid()})\n"
    await add(store, "KIWI-42", (await store.read("KIWI-42")).position, 2)


async def test_the_lock_goes_with_the_store(path: Path) -> None:
    for _ in range(3):
        store = SqliteStore(path)
        await store.close()


def test_a_lock_file_that_was_there_stays(path: Path) -> None:
    lock = path.with_name(path.name + ".lock")
    lock.touch()
    path.write_bytes(b"hello\n")
    with pytest.raises(StoreRefused, match="not_ours"):
        SqliteStore(path)
    assert lock.exists()


def test_a_lock_excludes_others_whoever_takes_its_file_away(path: Path) -> None:
    """Some open a database, some are refused one and remove the file that they made."""
    held, most, taken = 0, 0, 0
    counting = Lock()
    failed: list[BaseException] = []

    def come_and_go(number: int) -> None:
        try:
            take_turns(number)
        except BaseException as error:
            failed.append(error)

    def take_turns(number: int) -> None:
        nonlocal held, most, taken
        for turn in range(300):
            try:
                lock = FileLock(path)
            except StoreRefused:
                continue
            with counting:
                held, taken = held + 1, taken + 1
                most = max(most, held)
            time.sleep(0)
            with counting:
                held -= 1
            if (turn + number) % 3:
                lock.abandon()
            else:
                path.with_name(path.name + ".lock").unlink()
                lock.release()

    threads = [Thread(target=come_and_go, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    assert most == 1 and taken > 20, (most, taken)

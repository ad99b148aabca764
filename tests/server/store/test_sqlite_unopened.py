"""What is left of a store that could not be opened: no descriptor and no thread, also while
somebody looks at the error. Whoever serves another database then has all that there was."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import random
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from server.store.lock import FileLock
from server.store.port import StoreError, StoreRefused
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from tests.online.test_torn import torn
from tests.server.store.streams import fill


def held() -> tuple[int, int]:
    """How many files this process has open, and how many threads write into a store."""
    writers = [thread for thread in threading.enumerate() if thread.name == "store-write"]
    return psutil.Process().num_fds(), len(writers)


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file becomes larger than `size` bytes, as on a disk that is full."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


async def test_nothing_is_held_of_a_torn_file(path: Path) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 40)
    await store.close()
    whole = await asyncio.to_thread(path.read_bytes)
    before, refused = held(), 0
    for n, data in enumerate(torn(whole, random.Random(11))):
        path = path.with_name(f"{n}.db")
        path.write_bytes(data)
        try:
            Reader(path).close()
        except StoreError:
            refused += 1
            assert held() == before, n
        try:
            await SqliteStore(path).close()
        except StoreError:
            refused += 1
            assert held() == before, n
    assert refused > 10


@pytest.mark.parametrize("size", [0, 10, 2048, 9000])
async def test_nothing_is_held_on_a_full_disk(path: Path, size: int) -> None:
    before = held()
    with room(size):
        with pytest.raises(StoreRefused) as refused:
            SqliteStore(path)
        assert held() == before, refused
    await SqliteStore(path).close()


async def test_nothing_is_held_where_the_system_gives_no_thread(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = held()
    with monkeypatch.context() as crowded:
        crowded.setattr(threading.Thread, "start", start)
        with pytest.raises(StoreRefused, match="gives no thread") as refused:
            SqliteStore(path)
        assert held() == before, refused
    await SqliteStore(path).close()


def test_where_nothing_can_be_locked_that_is_said_and_not_that_a_server_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in some folders of a network."""

    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    before = held()
    with monkeypatch.context() as network:
        network.setattr(fcntl, "flock", flock)
        with pytest.raises(StoreRefused, match=r"cannot_open.*No locks available") as refused:
            FileLock(path)
        assert held() == before, refused


@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE])
def test_nothing_is_held_where_the_folder_does_not_answer(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def samestat(*_: object) -> bool:
        raise OSError(number, os.strerror(number))

    before = held()
    with monkeypatch.context() as network:
        network.setattr(os.path, "samestat", samestat)
        with pytest.raises(StoreRefused, match=os.strerror(number)) as refused:
            FileLock(path)
        assert held() == before, refused
    FileLock(path).release()

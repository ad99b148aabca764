"""C12: one server for each database file, by whatever name; and what its names come to."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.__main__ import main as ra_server
from server.store.lock import ASIDE, FileLock
from server.store.port import StoreRefused
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from tests.server.store.streams import bodies, contents, fill, log_of

_HOLD = """
import asyncio, sys
from pathlib import Path
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
async def main():
    store = SqliteStore(Path(sys.argv[1]))
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await store.close()
asyncio.run(main())
"""


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Another process that has a store open: its number."""
    command = [sys.executable, "-c", _HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        yield process.pid
        process.communicate(b"\n", timeout=20)


def link_to_file(path: Path) -> Path:
    other = path.parent / "elsewhere" / "link.db"
    other.parent.mkdir()
    other.symlink_to(Path("..") / path.name)
    return other


def link_to_folder(path: Path) -> Path:
    folder = path.parent / "folder"
    folder.symlink_to(path.parent)
    return folder / path.name


def hard_link(path: Path) -> Path:
    other = path.with_name("hard.db")
    other.hardlink_to(path)
    return other


def relative(path: Path) -> Path:
    return Path(os.path.relpath(path))


NAMES = (link_to_file, link_to_folder, hard_link, relative)


@pytest.mark.parametrize("name", NAMES)
def test_c12_a_server_by_another_name_is_refused_and_told_who_is_there(
    path: Path, name: Callable[[Path], Path]
) -> None:
    with held(path) as pid:
        other = name(path)
        with pytest.raises(StoreRefused, match=rf"in_use\(pid={pid}\)"):
            SqliteStore(other)
        with pytest.raises(StoreRefused, match="in_use"):
            FileLock(other).guard()


@pytest.mark.skipif(sys.platform != "linux", reason="locks that are not the process's")
def test_c12_a_name_under_which_the_newest_entries_are_not_seen_is_not_read(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(path):
        other = hard_link(path)
        for command in (["check"], ["backup"]):
            target = [str(path.with_name("b"))] if command == ["backup"] else []
            assert ra_server([*command, str(other), *target]) == 2
            assert "by another name" in capsys.readouterr().err
        assert ra_server(["check", str(path)]) == 0


@pytest.mark.parametrize("name", [link_to_file, link_to_folder])
async def test_a_database_behind_a_link_has_its_files_beside_itself(
    path: Path, name: Callable[[Path], Path]
) -> None:
    """Where the next server finds them, whatever it is called then."""
    store = SqliteStore(path)
    await store.close()
    other = name(path)
    store = SqliteStore(other)
    await fill(store, "KIWI-42", 3)
    assert log_of(path).exists() and path.with_name("ra.db.lock").exists()
    assert {file.name for file in other.parent.iterdir()} & {"link.db-wal", "link.db.lock"} == set()
    await store.close()
    store = SqliteStore(path)
    assert len(await bodies(store, "KIWI-42")) == 3
    await store.close()


async def test_c12_a_database_with_two_names_for_good_is_refused(path: Path) -> None:
    """What one of them wrote before a crash, the other would not see."""
    await SqliteStore(path).close()
    other = hard_link(path)
    for one in (path, other):
        with pytest.raises(StoreRefused, match=r"many_names\(names=2\)"):
            SqliteStore(one)
    assert ra_server(["check", str(other)]) == 0  # snapshots share files like that
    other.unlink()
    await SqliteStore(path).close()


async def test_a_name_that_a_restore_left_when_it_was_killed_is_in_nobodys_way(
    path: Path,
) -> None:
    await SqliteStore(path).close()
    aside = path.with_name(path.name + ASIDE + "20260801-120000")
    aside.hardlink_to(path)
    other = path.with_name(path.name + ASIDE + "20260701-120000")
    other.write_bytes(b"of another restore")
    await SqliteStore(path).close()
    assert not aside.exists() and other.exists()


@pytest.mark.parametrize(
    "name", ["ra ?#%&= 'ü\u0301.db", "ra:memory:.db", "-", "a" * 240, "..ra", "ra.db?mode=memory"]
)
async def test_a_database_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 2)
    await store.close()
    assert set(contents(tmp_path)) == {name, name + ".lock"}
    with Reader(path) as reader:
        assert len(reader.read("KIWI-42").rows) == 2


@pytest.mark.parametrize("length", [248, 250, 251, 255, 256])
def test_a_name_that_is_too_long_is_one_line(
    tmp_path: Path, length: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ("a" * length)
    for command in (["--port", "0", "--log", "off", "--db"], ["check"]):
        assert ra_server([*command, str(path)]) in (1, 2)
        output = capsys.readouterr().err
        assert output.count("\n") == 1, output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [link_to_file, link_to_folder, hard_link, relative])
async def test_where_a_database_itself_cannot_be_locked_its_names_lead_to_one_lock(
    path: Path, name: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on other systems, whose locks SQLite's own would end."""
    for lock in ("F_OFD_SETLK", "F_OFD_GETLK"):
        monkeypatch.delattr(fcntl, lock, raising=False)
    store = SqliteStore(path)
    with pytest.raises(StoreRefused, match=r"in_use|many_names"):
        SqliteStore(name(path))
    await store.close()
    assert ra_server(["check", str(path)]) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="locks that are not the process's")
def test_a_lock_file_that_is_removed_lets_no_second_server_in(path: Path) -> None:
    with held(path) as pid:
        path.with_name("ra.db.lock").unlink()
        with pytest.raises(StoreRefused, match=rf"in_use\(pid={pid}\)"):
            SqliteStore(path)
        assert ra_server(["check", str(path)]) == 0

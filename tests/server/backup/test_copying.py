"""F: `ra-server backup` and `ra-server restore`: whole or nothing, and what was there is kept."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.__main__ import main as ra_server
from server.store.lock import ASIDE
from server.store.port import Row
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from tests.server.backup.conftest import Say
from tests.server.backup.scenes import crashed, mode, more, rows
from tests.server.store.streams import contents, listed, log_of


async def test_a_backup_is_one_file_with_everything(path: Path, tmp_path: Path, say: Say) -> None:
    file = tmp_path / "monday.db"
    before = os.umask(0)
    try:
        code, line = say("backup", path, file)
    finally:
        os.umask(before)
    assert code == 0
    assert line.startswith(f"{file}: 3 tables, ") and line.endswith(" entries, 1 session")
    assert rows(file) == rows(path)
    assert mode(file) == 0o600
    assert say("check", file)[0] == 0
    assert set(contents(tmp_path)) == {"monday.db"}, "nothing else is left"


async def test_what_a_crash_left_in_the_log_is_in_the_backup(path: Path, tmp_path: Path) -> None:
    left = await crashed(path, tmp_path / "crashed")
    before = contents(left.parent)
    file = tmp_path / "b.db"
    assert ra_server(["backup", str(left), str(file), "--damaged"]) == 1
    assert rows(file)["NEW-1"] == 5  # entries of no game, which are found and kept
    after = contents(left.parent)
    assert {name: after[name] for name in before} == before


async def test_a_restore_brings_the_backup_back_and_keeps_what_was_there(
    path: Path, tmp_path: Path, say: Say
) -> None:
    file = tmp_path / "monday.db"
    say("backup", path, file)
    then = rows(path)
    await more(path)
    now = rows(path)
    code, line = say("restore", file, path)
    assert code == 0 and f"{path}: 3 tables, " in line
    kept = Path(line.rpartition(" kept as ")[2])
    assert kept.name.startswith("ra.db" + ASIDE) and rows(kept) == now
    assert rows(path) == then == rows(file)
    assert mode(path) == 0o600
    await more(path, "FIG-7")  # a server goes on with it
    code, line = say("restore", file, path)
    assert line.rpartition(" kept as ")[2] != str(kept), "each has a name of its own"
    assert rows(path) == then


@pytest.mark.parametrize("there", ["nothing", "its own log", "another's log", "damage", "text"])
async def test_a_restore_works_whatever_is_in_its_place(
    path: Path, tmp_path: Path, there: str, say: Say
) -> None:
    file = tmp_path / "monday.db"
    say("backup", path, file)
    await more(path)
    put(there, path, await crashed(path, tmp_path / "crashed"), file)
    before = contents(path.parent)
    assert say("restore", file, path)[0] == 0
    assert rows(path) == rows(file)
    assert say("check", path)[0] == 0
    asides = {name: data for name, data in contents(path.parent).items() if ASIDE in name}
    if there == "its own log":
        (kept,) = [name for name in asides if not name.endswith(("-wal", "-shm"))]
        assert rows(path.parent / kept)["NEW-1"] == 5, "the log went with it"
    elif there != "nothing":
        assert sorted(asides.values()) == sorted(
            data for name, data in before.items() if not name.endswith(".lock")
        )
    await more(path)


def put(there: str, path: Path, crashed: Path, backup: Path) -> None:
    match there:
        case "nothing":
            path.unlink()
        case "its own log":
            shutil.copy(crashed, path)
            shutil.copy(log_of(crashed), log_of(path))
        case "another's log":
            shutil.copy(log_of(crashed), log_of(path))
            shutil.copy(backup, path)
        case "damage":
            path.write_bytes(path.read_bytes()[:5000])
        case "text":
            path.write_text("hello")


async def test_a_backup_put_in_place_by_hand_never_meets_a_log_that_fits(
    path: Path, tmp_path: Path, say: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    """However young it is: even one of the very state that a crash left."""
    left = await crashed(path, tmp_path / "crashed")
    assert ra_server(["backup", str(left), str(tmp_path / "b.db"), "--damaged"]) == 1
    shutil.copy(tmp_path / "b.db", left)
    capsys.readouterr()
    code, line = say("check", left)
    assert code == 2 and "move that log away" in line
    assert ra_server(["restore", str(tmp_path / "b.db"), str(left), "--damaged"]) == 1
    assert rows(left)["NEW-1"] == 5


_CUT_OFF = """
import os, shutil, signal, sys
from pathlib import Path
from server.__main__ import main
from server.store.reader import Reader
from server.store.sqlite import SqliteStore

EVENTS = ("os.link", "os.rename", "os.remove", "sqlite3.connect", "os.truncate")

def restore(file, path, most):
    def count(event, arguments):
        nonlocal most
        if event in EVENTS:
            most -= 1
            if most < 0:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.stdout = open(os.devnull, "w")
    sys.addaudithook(count)
    os._exit(main(["restore", str(file), str(path)]))

made, file = Path(sys.argv[1]), Path(sys.argv[2])
most, ended = 0, False
while not ended:
    folder = made.with_name(f"cut-{most}")
    shutil.copytree(made, folder)
    path = folder / "ra.db"
    child = os.fork()
    if not child:
        restore(file, path, most)
    _, status = os.waitpid(child, 0)
    ended = status == 0
    assert ended or os.WTERMSIG(status) == signal.SIGKILL, status
    SqliteStore(path)._lock.release()  # a server starts
    with Reader(path) as reader:
        print(most, *[f"{code}:{len(reader.read(code).rows)}" for code in reader.tables()])
    most += 1
"""


async def test_a_restore_that_is_killed_anywhere_leaves_the_one_or_the_other(
    path: Path, tmp_path: Path, say: Say
) -> None:
    """Killed before each thing that it does to a file, over a database that crashed."""
    file = tmp_path / "monday.db"
    say("backup", path, file)
    left = await crashed(path, tmp_path / "crashed")
    command = [sys.executable, "-c", _CUT_OFF, str(left.parent), str(file)]
    done = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [line.split()[1:] for line in done.stdout.splitlines()]
    new = [f"{code}:{count}" for code, count in rows(file).items()]
    old = sorted([*new, "NEW-1:5"])
    assert len(found) > 8 and found[0] == old and found[-1] == new
    assert all(state in (old, new) for state in found), found
    assert found == sorted(found, key=old.__ne__), "once it is done it stays done"


async def test_a_large_database_is_copied_in_pieces(path: Path, tmp_path: Path, say: Say) -> None:
    store = SqliteStore(path)
    body = random.Random(1).randbytes(4_000_000)
    await store.append(
        "KIWI-42", (await store.read("KIWI-42")).position, Row(1, body), listed("KIWI-42", 1)
    )
    await store.close()
    assert ra_server(["backup", str(path), str(tmp_path / "b.db"), "--damaged"]) == 1
    with Reader(tmp_path / "b.db") as reader:
        assert reader.read("KIWI-42").rows[0].body == body


async def test_where_files_have_no_second_name_it_works_all_the_same(
    path: Path, tmp_path: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on file systems that were made for other systems."""

    def link(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    file = tmp_path / "b.db"
    with monkeypatch.context() as system:
        system.setattr(os, "link", link)
        assert say("backup", path, file)[0] == 0
        assert say("backup", path, file)[0] == 2, "it is there"
        then = rows(file)
        await more(path)
        now = rows(path)
        line = say("restore", file, path)[1]
    kept = Path(line.rpartition(" kept as ")[2])
    assert (rows(path), rows(kept), mode(kept)) == (then, now, 0o600)
    assert set(contents(path.parent)) == {"ra.db", "ra.db.lock", kept.name}


def test_what_a_killed_copy_left_goes_after_a_while(path: Path, tmp_path: Path, say: Say) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                          capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    names = {
        "old": f".ra-copy-{gone}-0123abcd.part",
        "young": f".ra-copy-{gone}-4567abcd.part",
        "at work": f".ra-copy-{os.getppid()}-0123abcd.part",
        "another's": ".ra-copy-notes.part",
    }
    for what, name in names.items():
        (tmp_path / name).write_bytes(b"half")
        if what != "young":
            os.utime(tmp_path / name, (1_000_000, 1_000_000))
    assert say("backup", path, tmp_path / "b.db")[0] == 0
    assert set(contents(tmp_path)) == {"b.db", *names.values()} - {names["old"]}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("there", [True, False])
def test_what_root_restores_is_the_servers(
    path: Path, tmp_path: Path, say: Say, there: bool
) -> None:
    """Else it could not open it, or lock it."""
    file = tmp_path / "b.db"
    say("backup", path, file)
    for one in (path, path.parent):
        os.chown(one, 12345, 23456)
    if not there:
        path.unlink()
    assert say("restore", file, path)[0] == 0
    for one in path.parent.iterdir():
        assert (one.stat().st_uid, one.stat().st_gid) == (12345, 23456), one

"""F: `ra-server backup` and `ra-server restore`: whole or nothing, chains checked, and a line
for whatever is in the way."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine.game import Setup
from server.__main__ import main as ra_server
from server.store.lock import ASIDE
from server.store.port import Row, SessionRow
from server.store.reader import Reader
from server.store.schema import APPLICATION_ID
from server.store.sqlite import SqliteStore
from tests.games import open_table, whole_game
from tests.server.store.streams import contents, fill, listed, log_of, other_program
from tests.server.test_check import CODES, STREAM, change, keep

Say = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three tables and a session."""
    path = tmp_path_factory.mktemp("backup") / "ra.db"
    asyncio.run(whole_games(path))
    return path


async def whole_games(path: Path) -> None:
    """Two finished matches and one that is being played."""
    store = SqliteStore(path)
    for number, code in enumerate(CODES[:2], 1):
        await keep(store, whole_game("ra", Setup("standard", 2), number, code))
    await keep(store, open_table("ra", Setup("standard", 3), number=3, code=CODES[2]))
    await store.put_session(SessionRow(bytes(32), b"public", "Ann", 1000, 2000))
    await store.close()


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "server"
    folder.mkdir()
    return Path(shutil.copy(made, folder / "ra.db"))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command: its exit code, and the one line that it says (and no other)."""

    def call(*arguments: object) -> tuple[int, str]:
        code = ra_server([str(argument) for argument in arguments])
        output = capsys.readouterr()
        assert (output.out + output.err).count("\n") == 1, output
        assert bool(output.err) == (code != 0), output
        return code, (output.out + output.err).strip()

    return call


def rows(path: Path) -> dict[str, int]:
    """How many entries each table has."""
    with Reader(path) as reader:
        return {code: len(reader.read(code).rows) for code in reader.tables()}


async def more(path: Path, code: str = "KIWI-42", count: int = 3) -> None:
    """What happened since: entries that are whole in chain and number, and no game."""
    store = SqliteStore(path)
    await fill(store, code, count)
    await store.close()


# what is copied, and put back


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


async def crashed(path: Path, folder: Path) -> Path:
    """A copy of a database with more in it, as a crash would leave it: in its log."""
    live = folder / "live" / path.name
    shutil.copytree(path.parent, live.parent)
    store = SqliteStore(live)
    with other_program(live) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()
        await fill(store, "NEW-1", 5)
        left = copied(live, folder / "left")
    await store.close()
    return left


def copied(path: Path, folder: Path) -> Path:
    """A database and its log, copied as they are."""
    folder.mkdir()
    for file in (path, log_of(path)):
        shutil.copy(file, folder)
    return folder / path.name


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


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


# what is refused


def test_nothing_is_made_of_a_database_with_something_wrong(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(path, f"UPDATE entries SET body = x'00' WHERE number = 2 AND stream = {STREAM}")
    file = tmp_path / "b.db"
    assert ra_server(["backup", str(path), str(file)]) == 1
    output = capsys.readouterr()
    assert "ASPEN-10 2 changed" in output.out and "not made" in output.err
    assert not file.exists()
    assert ra_server(["backup", str(path), str(file), "--damaged"]) == 1
    assert "ASPEN-10 2 changed" in capsys.readouterr().out and file.exists()
    sound = path.with_name("sound.db")
    shutil.copy(path, sound)
    before = contents(path.parent)
    assert ra_server(["restore", str(file), str(sound)]) == 1
    output = capsys.readouterr()
    assert "ASPEN-10 2 changed" in output.out and "nothing is touched" in output.err
    assert contents(path.parent) == before
    assert ra_server(["restore", str(file), str(sound), "--damaged"]) == 1
    assert rows_readable(sound)


def rows_readable(path: Path) -> bool:
    with Reader(path) as reader:
        return bool(reader.read("BISON-20").rows)


def test_a_file_that_is_there_is_replaced_only_when_asked(
    path: Path, tmp_path: Path, say: Say
) -> None:
    file = tmp_path / "b.db"
    file.write_text("something else")
    for name in (file, tmp_path / "link.db", tmp_path / "dangling.db"):
        if name.name == "link.db":
            name.symlink_to(file)
        elif name.name == "dangling.db":
            name.symlink_to(tmp_path / "nothing")
        code, line = say("backup", path, name)
        assert code == 2 and "--replace" in line
        assert file.read_text() == "something else"
    assert say("backup", path, tmp_path / "link.db", "--replace")[0] == 0
    assert (tmp_path / "link.db").is_symlink() and rows(file) == rows(path)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("-", "- is no file"),
        ("none/b.db", "No such file or directory"),
        ("folder", "is a folder"),
        ("text/b.db", "Not a directory"),
        ("fifo", "is no file"),
        ("/dev/full", "is no file"),
        ("/dev/null", "is no file"),
        ("/proc/b.db", ""),
        ("x" * 300, "File name too long"),
        ("server/ra.db", "same file"),
        ("link", "same file"),
        ("hard", "same file"),
        ("behind/ra.db", "same file"),
        ("old.db", "log of another database"),
    ],
)
def test_a_backup_that_cannot_be_made_is_one_line(
    path: Path,
    tmp_path: Path,
    target: str,
    words: str,
    say: Say,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    puzzles(path, tmp_path)
    before = contents(path.parent), sorted(tmp_path.iterdir())
    for flags in ([], ["--replace"]):
        code, line = say("backup", path, target, *flags)
        assert code == 2 and words in line, line
    assert (contents(path.parent), sorted(tmp_path.iterdir())) == before


def puzzles(path: Path, folder: Path) -> None:
    """Names that lead to something else."""
    (folder / "folder").mkdir()
    (folder / "text").write_text("hello")
    os.mkfifo(folder / "fifo")
    (folder / "link").symlink_to(path)
    (folder / "hard").hardlink_to(path)
    (folder / "behind").symlink_to(path.parent)
    (folder / "loop").symlink_to("loop")
    (folder / "old.db-wal").write_bytes(b"of a database that is gone")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("-", "- is no file"),
        ("none", "no such file"),
        ("folder", "Is a directory"),
        ("text", "no SQLite database"),
        ("fifo", "it is no file"),
        ("empty", "it is empty"),
        ("later", "a later version"),
        ("others", "another program"),
        ("short", "damaged"),
        ("link", "same file"),
        ("hard", "same file"),
        ("behind/ra.db", "same file"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_restored_is_one_line_and_touches_nothing(
    path: Path,
    tmp_path: Path,
    source: str,
    words: str,
    say: Say,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    puzzles(path, tmp_path)
    (tmp_path / "empty").touch()
    (tmp_path / "short").write_bytes(path.read_bytes()[:3000])
    for name, application in (("later", APPLICATION_ID), ("others", 7)):
        with closing(sqlite3.connect(tmp_path / name)) as other:
            other.execute(f"PRAGMA application_id = {application}")
            other.execute("PRAGMA user_version = 99")
            other.execute("CREATE TABLE x (y)")
    before = contents(path.parent)
    code, line = say("restore", source, path)
    assert code == 2 and words in line, line
    assert contents(path.parent) == before


@pytest.mark.parametrize("target", ["none/ra.db", "folder", "fifo", "text/ra.db", "-", "x" * 250])
def test_a_place_where_nothing_can_be_restored_is_one_line(
    made: Path, tmp_path: Path, target: str, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").touch()
    os.mkfifo(tmp_path / "fifo")
    before = sorted(tmp_path.iterdir())
    assert say("restore", made, target)[0] == 2
    assert sorted(tmp_path.iterdir()) == before


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file becomes larger than `size` bytes, as on a disk that is full."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.parametrize("size", [0, 3000, 20_000])
async def test_a_full_disk_leaves_all_as_it_was(
    path: Path, tmp_path: Path, size: int, say: Say
) -> None:
    file = tmp_path / "b.db"
    say("backup", path, file)
    assert all(len(data) > 20_000 for data in contents(tmp_path).values())
    before = contents(path.parent), contents(tmp_path)
    for command in (("backup", path, file, "--replace"), ("backup", path, tmp_path / "c.db")):
        with room(size):
            code, line = say(*command)
        assert code == 2, line
    with room(size):
        code, line = say("restore", file, path)
    assert code == 2 and "Traceback" not in line
    assert (contents(path.parent), contents(tmp_path)) == before


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


def test_names_steer_no_terminal(tmp_path: Path, say: Say) -> None:
    code, line = say("backup", tmp_path / "a\x1b[2J", tmp_path / "b\u202e")
    assert code == 2 and line.isprintable()
    code, line = say("check", tmp_path / "a\x1b[2J\n")
    assert code == 2 and line.isprintable()


def test_they_explain_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("backup", "restore"):
        with pytest.raises(SystemExit) as ended:
            ra_server([name, "--help"])
        assert ended.value.code == 0 and "Exit codes" in capsys.readouterr().out
        with pytest.raises(SystemExit) as ended:
            ra_server([name, "one"])
        assert ended.value.code == 2 and capsys.readouterr().err.count("\n") == 1

"""F: whatever is in the way of a backup or a restore is one line, and nothing is touched."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.__main__ import main as ra_server
from server.store.reader import Reader
from server.store.schema import APPLICATION_ID
from tests.process.serving import program
from tests.server.backup.conftest import Say
from tests.server.backup.scenes import rows
from tests.server.store.streams import contents
from tests.server.test_check import STREAM, change


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
        ("-", "- is not a file"),
        ("none/b.db", "No such file or directory"),
        ("folder", "is a folder"),
        ("text/b.db", "Not a directory"),
        ("fifo", "is not a file"),
        ("/dev/full", "is not a file"),
        ("/dev/null", "is not a file"),
        ("/proc/b.db", ""),
        ("x" * 300, "File name too long"),
        ("server/ra.db", "same file"),
        ("link", "same file"),
        ("hard", "same file"),
        ("behind/ra.db", "same file"),
        ("old.db", "log of another database"),
        ("server/ra.db-wal", "of the database's own"),
        ("behind/ra.db.lock", "of the database's own"),
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
        ("-", "- is not a file"),
        ("none", "no such file"),
        ("folder", "Is a directory"),
        ("text", "not an SQLite database"),
        ("fifo", "it is not a file"),
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_what_is_done_is_done_although_it_cannot_be_printed(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.db"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [program("ra-server"), "backup", path, file],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0 and file.exists()
    assert "3 tables" in done.stderr and "cannot print: No space left" in done.stderr


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

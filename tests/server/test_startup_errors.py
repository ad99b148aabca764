"""Starting where something is in the way: one line in plain words and an exit code, and no
traceback whatever happens to the standard streams or whenever it is interrupted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shlex import quote

import pytest
from attrs import evolve

from engine.table.words import Phase
from server.store.schema import APPLICATION_ID
from tests.process.serving import program as path_of
from tests.server.peer import QUIET, peer, server
from tests.server.test_app import process, program, ready


@pytest.mark.parametrize("flags", [("--host", "256.1.2.3"), ("--host", "no.such.host.invalid")])
def test_an_address_that_cannot_be_had_is_one_line_and_exit_code_1(flags: tuple[str, ...]) -> None:
    with program("--memory", *flags) as child:
        out, err = child.communicate(timeout=20)
        assert child.returncode == 1 and out == ""
        assert err.startswith("ra-server: cannot listen on ") and err.count("\n") == 1


def test_a_busy_port_is_one_line_and_exit_code_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with program("--memory", "--port", port) as child:
            out, err = child.communicate(timeout=20)
            assert child.returncode == 1 and out == ""
            assert err.startswith(f"ra-server: cannot listen on 127.0.0.1:{port}: ")
            assert err.count("\n") == 1


def test_a_database_in_use_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    flags = ("--db", str(tmp_path / "t.db"))
    with program(*flags) as first:
        ready(first)
        with program(*flags) as second:
            out, err = second.communicate(timeout=20)
            assert second.returncode == 1 and out == ""
            assert err.startswith("ra-server: ") and err.count("\n") == 1
            assert f"another server uses it (process {first.pid})" in err


@pytest.mark.parametrize("path", ["/proc/nowhere/t.db", "/dev/null/t.db", "."])
def test_a_place_that_holds_no_database_is_one_line_and_exit_code_1(path: str) -> None:
    with program("--db", path) as child:
        out, err = child.communicate(timeout=20)
        assert child.returncode == 1 and out == ""
        assert err.startswith(f"ra-server: cannot use the database {path}: ")
        assert err.count("\n") == 1 and "_" not in err


@pytest.mark.parametrize("kind", ["text", "folder", "other", "torn", "later", "pipe"])
def test_a_refused_database_leaves_nothing_and_check_says_the_same_of_it(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "it"
    _make(kind, path)
    with program("--db", str(path)) as child:
        _, err = child.communicate(timeout=20)
        assert child.returncode == 1
    with process(path_of("ra-server"), "check", str(path)) as child:
        _, told = child.communicate(timeout=20)
        assert child.returncode == 2
    assert err.removeprefix(f"ra-server: cannot use the database {path}: ") == told.removeprefix(
        f"ra-server check: cannot examine {path}: "
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["it"]


def _make(kind: str, path: Path) -> None:
    """What a server does not take for its database."""
    if kind == "folder":
        path.mkdir()
    elif kind == "text":
        path.write_text("# A page\n" * 100)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        with closing(sqlite3.connect(path)) as made:
            made.execute("CREATE TABLE x (y)")
            if kind != "other":
                made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            made.execute(f"PRAGMA user_version = {99 if kind == 'later' else 1}")
    if kind == "torn":
        path.write_bytes(path.read_bytes()[:4500])


async def test_of_an_empty_database_check_says_that_it_is_empty(tmp_path: Path) -> None:
    """A server takes it: it does not belong to another program."""
    path = tmp_path / "t.db"
    path.touch()
    with process(path_of("ra-server"), "check", str(path)) as child:
        _, told = child.communicate(timeout=20)
    assert child.returncode == 2 and "it is empty: no server has used it yet" in told
    async with server(evolve(QUIET, memory=False, db=path, records=tmp_path / "records")):
        pass
    with process(path_of("ra-server"), "check", str(path)) as child:
        assert "nothing is wrong" in child.communicate(timeout=20)[0]


def test_a_busy_port_for_figures_is_not_taken_for_the_port_of_the_game() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with program("--memory", "--metrics-port", port) as child:
            out, err = child.communicate(timeout=20)
            assert child.returncode == 1 and out == ""
            assert f"127.0.0.1:{port} (--metrics-port): " in err
            assert "listen" not in err and err.count("\n") == 1


@pytest.mark.parametrize("folder", ["/proc/nope", "/dev/null", "/dev/null/records"])
def test_a_folder_that_takes_no_records_is_told_at_the_start(folder: str) -> None:
    with program("--memory", "--records", folder) as child:
        out, err = child.communicate(timeout=20)
        assert child.returncode == 1 and out == ""
        assert err.startswith(f"ra-server: cannot keep records in {folder} (--records): ")
        assert err.count("\n") == 1


# what others may read


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_nobody_else_may_read_what_is_kept(umask: int, tmp_path: Path) -> None:
    code = f"""
import asyncio, os
from pathlib import Path
os.umask({umask})
from server.store.private_files import open_private
from server.store.port import START, Row, DirectoryRow
from server.store.sqlite import SqliteStore
async def main():
    store = SqliteStore(Path("t.db"))
    row = DirectoryRow("A-10", "ra", 1, True, 1, None, b"x", None, 5)
    await store.append("A-10", START, Row(1, b"x"), row)
    print(*sorted(os.listdir()))
    print(*(oct(os.stat(name).st_mode & 0o777) for name in os.listdir()))
    await store.close()
asyncio.run(main())
open("one.ra", "wb", opener=open_private).close()
"""
    command = [sys.executable, "-c", code]
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    names, modes = done.stdout.splitlines()
    assert names.split() == ["t.db", "t.db-shm", "t.db-wal", "t.db.lock"]
    assert set(modes.split()) == {"0o600"}
    assert stat.S_IMODE((tmp_path / "one.ra").stat().st_mode) == 0o600


def test_a_database_that_others_may_read_on_purpose_stays_so(tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    with program("--db", str(database)) as child:
        ready(child)
    database.chmod(0o640)
    with program("--db", str(database)) as child:
        ready(child)
        assert stat.S_IMODE(database.stat().st_mode) == 0o640


# the standard streams


@contextmanager
def shell(line: str) -> Iterator[subprocess.Popen[str]]:
    """`line` in a shell that becomes the server, which is SERVER in it."""
    script = f"exec {line.replace('SERVER', quote(str(path_of('ra-server'))))}"
    with process("/bin/sh", "-c", script, PYTHONUNBUFFERED="") as child:
        yield child


@pytest.mark.parametrize("closed", [">&-", "<&-", "<&- >&-"])
def test_a_server_without_standard_streams_serves(closed: str, tmp_path: Path) -> None:
    with shell(f"SERVER --port 0 --db {tmp_path}/t.db {closed}") as child:
        assert child.stderr is not None
        line = child.stderr.readline()
        assert "listening" in line and child.poll() is None
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=20)
        assert child.returncode == 0 and "Traceback" not in err
    with shell(f"SERVER check {tmp_path}/t.db") as child:
        assert child.communicate(timeout=20)[0].endswith("nothing is wrong\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("SERVER --port 0 --memory --log off", 1),
        ("SERVER check DB", 2),
        ("SERVER --version", 1),
        ("SERVER --help", 1),
        ("SERVER check --help", 2),
    ],
)
def test_what_cannot_be_printed_is_told_as_that(
    line: str, code: int, unbuffered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "DB" in line:
        with program("--db", str(tmp_path / "t.db")) as child:
            ready(child)
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with shell(f"{line.replace('DB', str(tmp_path / 't.db'))} >/dev/full") as child:
        _, err = child.communicate(timeout=20)
        assert child.returncode == code
        assert "cannot print: No space left on device" in err and err.count("\n") == 1


# interruptions


def test_an_interruption_at_any_moment_of_the_start_is_no_traceback() -> None:
    """From when the interpreter has come to our code until the server listens, and on."""
    begin = time.monotonic()
    with program("--memory") as child:
        ready(child)
        whole = time.monotonic() - begin
    for part in range(3, 12, 2):
        with program("--memory") as child:
            time.sleep(whole * part / 10)  # any moment is meant, and nothing tells of most
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=20)
            assert child.returncode in (0, -signal.SIGINT)
            assert "Traceback" not in err, (part, err)


async def test_of_a_record_that_cannot_be_saved_the_log_says_where_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "records"
    async with server(evolve(QUIET, records=folder, log="plain")) as app, peer(app) as ann:
        folder.rmdir()
        folder.write_text("no folder")
        code = await ann.create("miniature", seats=2, bots=("random",) * 2, sit=False)
        async with asyncio.timeout(60):
            while ann.view.table.phase is not Phase.OVER:
                await ann.receive()
    line = next(row for row in capsys.readouterr().err.splitlines() if "record_not_saved" in row)
    assert str(folder / f"{code}.ra") in line and "File exists" in line

"""The programs at their doors: bytes that are no text, output that cannot be written, Ctrl-C
at any moment, and command lines that make no sense. One line, and an exit code."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from client.arguments import parse_arguments
from client.join.codes import is_invitation, table_code
from client.text import clean
from tests.client.typed_runs import run as typed_run
from tests.process.serving import program
from tests.server.peer import server

RECORD = str(Path(__file__).parent.parent / "golden" / "two-players.ra")


def run(*words: str | bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [program("ra-client"), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )


def one_line(done: subprocess.CompletedProcess[bytes], code: int) -> str:
    said = done.stderr.decode()
    assert done.returncode == code, said
    assert said.count("\n") == 1
    assert said.strip() == clean(said)
    return said


@pytest.mark.parametrize(
    "words",
    [
        ("h:1", "--plain", "--name", b"\xff\xfe"),
        ("h:1", b"\xff", "--plain"),
        (b"\xff", "--plain"),
        ("h:1", "--seat-code", b"\xff"),
        ("--solo", b"\xff"),
        ("h:1", "--create", "--bots", b"\xff"),
        ("h:1", "--name", "a" * 300),
        ("h:1", "K" * 300),
        ("h:1", "--name", "\x1b\x07"),
        ("--solo", "9"),
        ("h:1", "--create", "--seats", "9"),
        ("--solo", "3", "localhost"),
        ("user:pw@host",),
        ("bücher.example",),
        ("-x\x1b[31m",),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(words: tuple[str | bytes, ...]) -> None:
    """Though nothing here is a terminal: what is wrong with the command line comes first."""
    said = one_line(run(*words), 2)
    assert "not a terminal" not in said


def test_a_name_in_utf_8_is_understood_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["h:1", "--name", "日本".encode().decode("ascii", "surrogateescape")]
    assert parse_arguments(given).name == "日本"
    assert parse_arguments(["h:1", "--name", "Zoë"]).name == "Zoë"


def test_a_code_is_cleaned_and_forgiven() -> None:
    assert parse_arguments(["h:1", "\x1b]0;pwn\x07KIWI-42"]).code == "]0;pwnKIWI-42"
    for typed in ("kiwi42", "KIWI 42", " kiwi-42", "Kiwi_42"):
        assert table_code(typed) == "KIWI-42"
    assert table_code("KIWI-42-7QX2") == "KIWI-42-7QX2"
    for typed in ("k0qx-m1pd-91we", "koqxm1pd9lwe", "KOQX MIPD 9IWE", " K0QX.M1PD.91WE"):
        assert table_code(typed) == "K0QX.M1PD.91WE"
    assert is_invitation("KIWI-42-ABCD-EFGH-JKMN") and is_invitation("KIWI-42-ABCDEFGHJKMN")
    assert is_invitation("K0QX.M1PD.91WE-ABCD-EFGH-JKMN")
    for typed in ("KIWI-42", "K0QX.M1PD.91WE", "k0qx-m1pd-91we", "ABCD.EFGH.J424"):
        assert not is_invitation(table_code(typed))


@pytest.mark.parametrize(
    ("words", "address", "code", "seat_code"),
    [
        (["--seat-code", "localhost:8765"], "localhost:8765", "", ""),
        (["--seat-code", "localhost:8765", "KIWI-42"], "localhost:8765", "KIWI-42", ""),
        (["--seat-code", "localhost", "ABCD-2345"], "localhost:8765", "", "ABCD-2345"),
        (["localhost", "--seat-code", "ABCD-2345"], "localhost:8765", "", "ABCD-2345"),
        (["localhost", "KIWI-42", "--seat-code"], "localhost:8765", "KIWI-42", ""),
    ],
)
def test_a_seat_code_does_not_swallow_the_server(
    words: list[str], address: str, code: str, seat_code: str
) -> None:
    args = parse_arguments(words)
    assert (str(args.address), args.code, args.seat_code) == (address, code, seat_code)


@pytest.mark.parametrize("flags", [["--plain"], ["--plain", "--auto", "first"]])
@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_said(flags: list[str], output: str) -> None:
    command = f'exec "$@" {output}'
    words = [program("ra-client"), "--solo", "1", "--name", "Anna", *flags]
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *words],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    assert one_line(done, 1).startswith("ra-client: standard output ")


@pytest.mark.parametrize("flag", ["--plain", "--json", "--verify"])
@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
def test_a_replay_that_cannot_be_written_is_said(flag: str, output: str) -> None:
    words = [program("ra-replay"), RECORD, flag]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {output}', "sh", *words],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    assert one_line(done, 1).startswith("ra-replay: standard output ")


@pytest.mark.parametrize("command", ["ra-client", "ra-replay"])
@pytest.mark.parametrize("flag", ["--help", "--version"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
def test_help_that_cannot_be_written_is_said(
    command: str, flag: str, unbuffered: str, output: str
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {output}', "sh", program(command), flag],
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    assert one_line(done, 1).startswith(f"{command}: standard output ")


AT_THE_DOOR = """
import os, sys
from {} import main

class Watch:
    @staticmethod
    def find_spec(name, *_):
        if name == "client.cli.entry":
            os.write(2, b"started\\n")

sys.meta_path.insert(0, Watch)
sys.exit(main())
"""
"""Runs a command that says on stderr when it begins with its first import."""


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("client.__main__", ["--solo", "2", "--plain"]),
        ("client.replay", [RECORD, "--json"]),
        ("client.demo", []),
    ],
)
def test_ctrl_c_at_any_moment_is_quiet(module: str, words: list[str], tmp_path: Path) -> None:
    """From the moment on when our first line runs; before that it is the interpreter's."""
    codes: set[int] = set()
    for wait in (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5):
        process = subprocess.Popen(
            [sys.executable, "-c", AT_THE_DOOR.format(module), *words],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == b"started\n"
        time.sleep(wait)  # any moment is meant, and nothing tells of most of them
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        # 0: it was over already. -2: it was at its end, where the interpreter listens no more.
        assert process.returncode in (0, 130, -signal.SIGINT), (wait, said.decode())
        assert said == b"", (wait, said.decode())
        assert not list(tmp_path.iterdir()), "what was begun was ended in order"
        codes.add(process.returncode)
    assert 130 in codes


DEAF = """
import os, signal, sys
from client.cli.entry import enter

def deaf(given):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 3

code = enter(lambda: deaf, None)
os.kill(os.getpid(), signal.SIGINT)
sys.exit(code)
"""


def test_what_ends_deaf_to_ctrl_c_stays_deaf() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DEAF], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (3, b"")


def test_ctrl_c_where_a_seat_code_is_asked_for() -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [program("ra-client"), "h:1", "--plain", "--seat-code"],
        stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, start_new_session=True,
    )  # fmt: skip
    said = b""
    while b"code of the seat: " not in said:
        assert select.select([master], [], [], 15)[0]
        said += os.read(master, 1000)
    process.send_signal(signal.SIGINT)
    assert process.wait(15) == 130
    os.close(slave)
    while select.select([master], [], [], 0.2)[0]:
        try:
            said += os.read(master, 1000)
        except OSError:
            break
    os.close(master)
    assert b"Traceback" not in said and b"Interrupt" not in said


async def test_a_secure_address_of_a_plain_server_is_said_in_words(tmp_path: Path) -> None:
    async with server() as app:
        done = await typed_run(tmp_path, f"wss://127.0.0.1:{app.port}", "--plain", "--name", "Anna")
    assert done.code == 1
    assert "speaks no TLS there, try ws://" in done.err
    assert "Error" not in done.err and done.err.count("\n") == 1


async def test_nobody_leaves_a_table_where_they_never_were(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        done = await typed_run(
            tmp_path, where, "\x1b]0;pwn\x07", "--plain", "--name", "Anna", "--watch"
        )
    assert done.code == 1
    assert not any(line.startswith("left:") for line in done.out)
    assert all(line.isprintable() for line in done.out)

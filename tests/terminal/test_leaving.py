"""However the client is left, the terminal is as it was, and the error comes after (B12)."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.process.serving import program
from tests.terminal.conftest import Open
from tests.terminal.terminal import Terminal


def restored(terminal: Terminal) -> None:
    """What must be true of a terminal after any end."""
    assert terminal.settings() == terminal.before
    modes = terminal.modes()
    assert modes["1049"] is False, "still on the alternate screen"
    assert modes["25"] is True, "the cursor is hidden"
    assert modes.get("2004", False) is False, "bracketed paste is on"
    for mouse in ("1000", "1002", "1003", "1006", "1015"):
        assert modes.get(mouse, False) is False, "the mouse is on"
    for forbidden in (b"\x1b]", b"\x1bP", b"\x07"):
        assert forbidden not in terminal.output, "titles, clipboards or bells"


def press(*keys: str) -> Callable[[Terminal], None]:
    return lambda terminal: terminal.press(*keys)


def send(number: int) -> Callable[[Terminal], None]:
    return lambda terminal: terminal.kill(number)


def twice(terminal: Terminal) -> None:
    terminal.press("ctrl-c")
    time.sleep(0.02)  # in the middle of leaving; a moment sooner or later is as good
    with suppress(OSError):  # it may be gone already
        terminal.press("ctrl-c")


ENDS: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "q": (press("q"), 0),
    "ctrl-d": (press("ctrl-d"), 0),
    "ctrl-c": (press("ctrl-c"), 130),
    "two ctrl-c": (twice, 130),
    "ctrl-c in help": (press("?", "ctrl-c"), 130),
    "ctrl-c while typing": (press("j", "ctrl-c"), 130),
    "ctrl-c in the form": (press("n", "down", "ctrl-c"), 130),
    "ctrl-d in help": (press("?", "ctrl-d"), 0),
    "SIGINT": (send(signal.SIGINT), 130),
    "SIGTERM": (send(signal.SIGTERM), 143),
    "SIGHUP": (send(signal.SIGHUP), 129),
}


@pytest.mark.parametrize("end", ENDS)
def test_leaving_gives_the_terminal_back(client: Open, end: str) -> None:
    leave, code = ENDS[end]
    terminal = client("Anna")
    terminal.until("n new table")
    assert terminal.settings() != terminal.before
    leave(terminal)
    assert terminal.ended() == code
    assert terminal.errors == ""
    restored(terminal)


def test_leaving_a_table_is_asked_and_says_how_to_come_back(client: Open, server: str) -> None:
    terminal = client("Anna", "--create", "--seats", "2", "--bots", "1")
    terminal.until("Ra track")
    terminal.press("q")
    terminal.until("Leave the table?")
    terminal.press("n")
    terminal.until(lambda t: "Leave the table?" not in t.text and "Ra track" in t.text)
    terminal.press("q")
    terminal.until("Leave the table?")
    terminal.press("y")
    assert terminal.ended() == 0
    restored(terminal)
    assert f"ra-client {server} " in terminal.text
    after = bytes(terminal.output).rsplit(b"\x1b[?1049l", 1)[1]
    assert b"Come back with: ra-client" in after


def test_ctrl_c_while_leaving_is_asked(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "2", "--bots", "1")
    terminal.until("Ra track")
    terminal.press("q")
    terminal.until("Leave the table?")
    terminal.press("ctrl-c")
    assert terminal.ended() == 130
    restored(terminal)


def test_a_server_that_is_gone_for_good_is_told_after_the_screen(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [program("ra-server"), "--port", "0", "--memory"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    port = server.stdout.readline().strip().rsplit(":", 1)[1]
    address = f"127.0.0.1:{port}"
    command = [program("ra-client"), address, "--name", "Anna", "--data", str(tmp_path)]
    with Terminal(command) as terminal:
        terminal.until("n new table")
        server.kill()
        server.wait()
        server.stdout.close()
        # It waits for the server to come back; Ctrl-C works meanwhile.
        terminal.until("reconnecting")
        terminal.press("ctrl-c")
        assert terminal.ended() == 130
        restored(terminal)
    with Terminal(command) as terminal:
        # Nobody listens there any more: no screen is left standing.
        assert terminal.ended() == 1
        assert terminal.errors.startswith(f"ra-client: cannot connect to {address}")
        assert terminal.errors.count("\n") == 1
        restored(terminal)


def test_another_client_that_takes_over_ends_this_one(server: str, tmp_path: Path) -> None:
    command = [program("ra-client"), server, "--name", "Anna", "--data", str(tmp_path)]
    with Terminal(command) as first:
        first.until("n new table")
        with Terminal(command) as second:
            second.until("n new table")
            assert first.ended() == 1
            restored(first)
            assert first.errors.startswith("ra-client: another client took over this session")
            assert first.errors.count("\n") == 1
            second.press("q")
            assert second.ended() == 0


def test_a_seat_carried_to_another_device_ends_the_client_here(
    client: Open, server: str, tmp_path: Path
) -> None:
    here = client("Anna", "--create", "--seats", "2", "--bots", "1")
    table = re.search(r"[A-Z]+-\d+", here.until("Ra track", re.compile(r"\A.*[A-Z]-\d+")))
    here.press("m")
    carries = re.compile(r"\b([0-9A-Z]{4}-[0-9A-Z]{4}) carries your seat")
    code = carries.search(here.until(carries))
    assert code is not None and table is not None
    command = [program("ra-client"), server, table.group(), "--seat-code", code[1]]
    with Terminal([*command, "--data", str(tmp_path / "there")]) as there:
        there.until("Ra track", "Anna", lambda t: "watching" not in t.lines()[0])
        assert here.ended() == 0
        restored(here)
        assert here.errors == ""
        after = bytes(here.output).rsplit(b"\x1b[?1049l", 1)[1]
        assert b"your seat is on another device now" in after
        there.press("ctrl-d")
        assert there.ended() == 0


@pytest.mark.parametrize("when", ["talking", "drawing", "task", "callback"])
def test_a_fault_in_any_task_ends_the_client_and_is_told_after_the_screen(when: str) -> None:
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "tests.terminal.faulty", when]
    with Terminal(command, folder=root) as terminal:
        terminal.until("connecting")
        terminal.press("x")
        assert terminal.ended() == 1
        restored(terminal)
        assert b"ZeroDivisionError" not in terminal.output
        errors = terminal.errors
        assert errors.startswith("ra-client: a fault of this program")
        assert "ZeroDivisionError" in errors


def test_a_terminal_that_vanishes_ends_the_client(server: str, tmp_path: Path) -> None:
    """The window is closed: no process is left behind."""
    command = [program("ra-client"), server, "--name", "Anna", "--data", str(tmp_path)]
    terminal = Terminal(command)
    terminal.until("n new table")
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE) == 129
    terminal.close()


def test_a_hang_up_that_is_to_be_ignored_ends_nothing(server: str, tmp_path: Path) -> None:
    """The end of the terminal itself does."""
    command = [program("ra-client"), server, "--name", "Anna", "--data", str(tmp_path)]
    line = f"trap '' HUP; exec {shlex.join(command)}"
    terminal = Terminal(["/bin/sh", "-c", line])
    terminal.until("n new table")
    terminal.process.send_signal(signal.SIGHUP)
    terminal.press("?")
    terminal.until("leave the program")
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE) == 129
    terminal.close()


@pytest.mark.parametrize("how", ["no input", "a pipe", "output to a file", "dumb", "unset"])
def test_without_a_terminal_there_is_one_line_and_nothing_else(how: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "TERM"}
    if how != "unset":
        environment["TERM"] = "dumb" if how == "dumb" else "xterm"
    ours, theirs = os.openpty()
    settings = termios.tcgetattr(theirs)
    with closing(ours, theirs):
        process = subprocess.Popen(
            [program("ra-client"), "127.0.0.1:9"],
            stdin={"no input": subprocess.DEVNULL, "a pipe": subprocess.PIPE}.get(how, theirs),
            stdout=theirs if how in ("dumb", "unset") else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        output, errors = process.communicate("q\n" if how == "a pipe" else None, timeout=PATIENCE)
        assert process.returncode == 1
        assert not output
        assert errors.count("\n") == 1
        assert "--plain" in errors
        assert termios.tcgetattr(theirs) == settings
        assert select.select([ours], [], [], 0)[0] == [], "nothing is written on the terminal"


@contextmanager
def closing(*descriptors: int) -> Iterator[None]:
    """Close them in the end."""
    try:
        yield
    finally:
        for descriptor in descriptors:
            os.close(descriptor)

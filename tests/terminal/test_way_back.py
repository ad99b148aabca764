"""What is told on leaving leads back, as it stands; and nobody types a name for a server that
is not there (a shell on a terminal)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.client.wire_cutter import proxy
from tests.process.serving import program
from tests.terminal.terminal import Terminal

PLACES = f"{Path(program('ra-client')).parent}:{os.environ['PATH']}"


def typed(line: str, folder: Path) -> Terminal:
    """A line typed into a shell on a terminal."""
    return Terminal(
        ["/bin/bash", "-c", line],
        columns=240,
        environment={"PATH": PLACES, "HOME": str(folder), "USER": "somebody"},
        folder=folder,
    )


def told(terminal: Terminal) -> str:
    """The way back that stands on the terminal after the screen."""
    after = bytes(terminal.output).rsplit(b"\x1b[?1049l", 1)[1].decode()
    (line,) = re.findall(r"Come back with: (ra-client .*)$", after.replace("\r", ""), re.M)
    assert isinstance(line, str)
    return line


@pytest.mark.parametrize(
    ("keys", "code"), [(("q", "y"), 0), (("ctrl-d",), 0), (("ctrl-c",), 130)], ids=str
)
def test_whoever_leaves_is_told_the_way_back(
    server: str, tmp_path: Path, keys: tuple[str, ...], code: int
) -> None:
    table = "--create --seats 2 --bots 1"
    with typed(f"ra-client {server} {table} --name 'Bob B' --data 'the data'", tmp_path) as first:
        first.until("Ra track")
        for key in keys:
            first.press(key)
            if key == "q":
                first.until("Leave the table?", re.compile("Come back with: .*Bob B"))
        assert first.ended() == code
        line = told(first)
    with typed(line, tmp_path) as second:
        second.until("Ra track", "Bob B", lambda t: "watching" not in t.lines()[0])
        second.press("ctrl-c")
        assert second.ended() == 130


def test_whoever_cannot_come_back_is_told_so(server: str, tmp_path: Path) -> None:
    line = f"ra-client {server} --create --seats 2 --bots 1 --name Bob --data /proc/nope"
    with typed(line, tmp_path) as terminal:
        terminal.until("Ra track")
        terminal.press("q")
        terminal.until("You cannot come back to your seat")
        terminal.press("y")
        assert terminal.ended() == 0
        assert "the session cannot be kept in /proc/nope: No such file" in terminal.errors
        assert terminal.errors.count("\n") == 1


def test_another_client_that_takes_over_is_said_with_the_way_back(
    server: str, tmp_path: Path
) -> None:
    line = f"ra-client {server} --create --seats 2 --bots 1 --name Bob --data d"
    with typed(line, tmp_path) as here:
        here.until("Ra track")
        with typed(f"ra-client {server} --move-seat --name Bob --data d", tmp_path) as there:
            assert there.ended() == 0
        assert here.ended() == 1
        errors = here.errors
    assert errors.count("\n") == 1 and "--move-seat" in errors
    with typed(errors.strip().partition("To go on here: ")[2], tmp_path) as again:
        again.until("Ra track", "Bob", lambda t: "watching" not in t.lines()[0])
        again.press("ctrl-c")
        assert again.ended() == 130


async def test_nobody_is_asked_for_a_name_where_no_server_is(tmp_path: Path) -> None:
    async with proxy(1) as nowhere:
        address = f"127.0.0.1:{nowhere.port}"
    with typed(f"ra-client {address}", tmp_path) as terminal:
        assert terminal.ended() == 1
        assert terminal.errors == f"ra-client: cannot connect to {address}: connection refused\n"


def test_who_is_asked_for_a_name_is_known_by_it_and_need_not_say_it_again(
    server: str, tmp_path: Path
) -> None:
    with typed(f"ra-client {server} --create --seats 2 --bots 1", tmp_path) as terminal:
        terminal.until("What shall the others call you?")
        for letter in "Anna":
            terminal.press(letter)
        terminal.press("enter")
        terminal.until("Ra track", "Anna")
        terminal.press("ctrl-d")
        assert terminal.ended() == 0
        line = told(terminal)
        assert "--name" not in line
    with typed(line, tmp_path) as again:
        again.until("Ra track", "Anna", lambda t: "watching" not in t.lines()[0])
        again.press("ctrl-d")
        assert again.ended() == 0


def test_a_session_that_cannot_be_read_is_said_on_the_screen_and_after_it(
    server: str, tmp_path: Path
) -> None:
    line = f"ra-client {server} --name Bob --data d"
    with typed(line, tmp_path) as first:
        first.until("n new table")
        first.press("q")
        assert first.ended() == 0
    (session,) = (tmp_path / "d").rglob("*.json")
    session.write_bytes(b"")
    with typed(line, tmp_path) as second:
        second.until("n new table", "cannot be read (it is damaged)")
        second.press("q")
        assert second.ended() == 0
        assert "cannot be read (it is damaged)" in second.errors
        assert second.errors.count("\n") == 1

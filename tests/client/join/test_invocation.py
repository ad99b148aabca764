"""A person who leaves is told a command that leads back, and it does, as it stands: typed into a
shell, in another folder, whatever their name and data folder are called (real processes)."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.dial.address import Address
from client.join.invocation import command_line, option
from client.join.session_keeper import SessionKeeper
from client.join.session_store import Kept, SessionStore
from tests.client.typed_runs import Run, files, run, surroundings, typist
from tests.miniature import ROOT
from tests.patience import PATIENCE
from tests.process.serving import program
from tests.server.peer import server

BACK = re.compile(r"^back: (ra-client .*)$")
SEATED = ("--plain", "--create", "--seats", "2", "--bots", "1")


async def typed_in_a_shell(line: str, folder: Path, **environment: str) -> Run:
    """Run a line that somebody was told to type, where our programs are on the path."""
    path = f"{Path(program('ra-client')).parent}:{os.environ['PATH']}"
    told = {**surroundings(folder), "PATH": path, **environment}
    if not environment:
        del told["RA_DATA"]
    process = await asyncio.create_subprocess_exec(
        "/bin/bash", "-c", line, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, cwd=folder, env=told
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Run(process.returncode, out.decode().splitlines(), err.decode())


def way_back(done: Run) -> str:
    """The command that a run ended with."""
    told = [found[1] for line in done.out if (found := BACK.match(line))]
    assert len(told) == 1 and done.out[-1] == f"back: {told[0]}"
    return told[0]


@pytest.mark.parametrize("name", ["Bob", "Bob B", "Zoë's", "-x"])
async def test_the_command_leads_back_to_the_seat(tmp_path: Path, name: str) -> None:
    data = os.path.relpath(tmp_path / "the data", ROOT)  # noqa: ASYNC240
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        flags = (*SEATED, f"--name={name}", "--data", data)
        left = await run(tmp_path / "unused", where, *flags, typed="quit\n")
        assert left.code == 0
        again = await typed_in_a_shell(way_back(left), elsewhere)
        assert any(line.endswith("you have seat 1") for line in again.out), again
        assert way_back(again) == way_back(left)


async def test_what_this_machine_does_by_itself_need_not_be_said(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share"), "RA_DATA": ""}
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        left = await run(tmp_path, where, *SEATED, typed="quit\n", USER="anna", **home)
        code = next(line.split()[1] for line in left.out if line.startswith("table: "))
        assert way_back(left) == f"ra-client {where} {code} --plain"
        async with typist(tmp_path / "data", where, *SEATED) as anna:
            await anna.line("^your ")
            await run(tmp_path / "data", where, "--plain", "--name", "Boris")
            assert await anna.end() == 0
            (told,) = [found[1] for line in anna.lines if (found := BACK.match(line))]
        assert " --name " in told, "another session was used since"
        again = await typed_in_a_shell(told, tmp_path)
        assert any(line.endswith("you have seat 1") for line in again.out), again


async def test_where_nothing_leads_back_none_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        for folder, why in ((blocked, "Not a directory"), ("/proc/nope", "No such file")):
            left = await run(tmp_path, where, *SEATED, "--data", str(folder), typed="quit\n")
            assert left.code == 0
            assert not any(line.startswith("back: ") for line in left.out)
            assert left.err.startswith(f"ra-client: the session cannot be kept in {folder}: {why}")
            assert left.err.count("\n") == 1
        watching = await run(
            tmp_path, where, "--plain", typed="create seats=2 watch bots=2\nquit\n"
        )
        assert not any(line.startswith("back: ") for line in watching.out)
    solo = await run(tmp_path, "--solo", "1", "--plain", typed="quit\n")
    assert not any(line.startswith("back: ") for line in solo.out)


async def test_who_takes_over_is_said_and_how_to_go_on(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        async with typist(tmp_path, where, *SEATED, "--name", "Anna") as anna:
            code = (await anna.line(r"^table: (\S+) .*you have seat 1$"))[1]
            moved = await run(tmp_path, where, "--move-seat", "--name", "Anna")
            assert moved.code == 0
            ended, said = await anna.ended()
    assert ended == 1
    assert said.startswith("ra-client: another client took over this session")
    assert "--move-seat" in said
    go_on = f"To go on here: ra-client {where} {code} --plain --name Anna --data {tmp_path}\n"
    assert said.endswith(go_on) and said.count("\n") == 1


@pytest.mark.parametrize("name", [(), ("--name", "Anna")])
async def test_a_session_that_cannot_be_read_is_said_and_kept_aside(
    tmp_path: Path, name: tuple[str, ...]
) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        first = await run(tmp_path, where, *SEATED, *name, typed="quit\n", USER="Anna")
        code = next(line.split()[1] for line in first.out if line.startswith("table: "))
        (session,) = [path for path in files(tmp_path) if path.suffix == ".json"]
        session.write_bytes(b"{")
        new = await run(tmp_path, where, code, "--plain", *name, typed="quit\n", USER="Anna")
        assert any(line.endswith("you look on") for line in new.out)
        assert new.err == (
            f"ra-client: the session kept in {session} cannot be read (it is damaged): "
            "seats that it had are not reached from here\n"
        )
        again = await run(tmp_path, where, "--plain", *name, USER="Anna")
        assert again.err == "", "it is said once"
    assert session.with_suffix(".unread").read_bytes() == b"{"


def test_the_newest_that_can_be_read_is_gone_on_with(tmp_path: Path) -> None:
    told: list[str] = []
    storage = SessionStore(tmp_path, Address("h", 1))
    for at, name in enumerate(("Anna", "Boris")):
        storage.save(name, Kept(name, name.encode()))
        (path,) = [one for one in files(tmp_path) if one.stat().st_mtime > 1_000]
        os.utime(path, (at + 1, at + 1))
    path.write_bytes(b'{"name": "Boris"}')
    os.utime(path, (9, 9))
    keeping = SessionKeeper(SessionStore(tmp_path, Address("h", 1)), "", told.append)
    assert keeping.kept == Kept("Anna", b"Anna")
    assert len(told) == 1 and str(path) in told[0]
    keeping.keep(b"anew", "Anna")
    assert keeping.words() == ()


def test_a_name_that_the_server_cut_leads_back_in_a_run_without_one(tmp_path: Path) -> None:
    storage = SessionStore(tmp_path, Address("h", 1))
    SessionKeeper(storage, "Anna of Thebes", print).keep(b"anna", "Anna")
    later = SessionKeeper(storage, "", print)
    assert later.kept == Kept("Anna", b"anna")
    SessionKeeper(storage, "Boris", print).keep(b"boris", "Boris")
    for path in files(tmp_path):
        os.utime(path, (1, 1) if b'"Anna"' in path.read_bytes() else (2, 2))
    assert later.words() == ("--name", "Anna of Thebes"), "Boris was used last"
    later.keep(b"anew", "Anna")
    assert SessionKeeper(storage, "Anna of Thebes", print).kept == Kept("Anna", b"anew")


WORDS = st.text(st.characters(exclude_characters="\0")) | st.binary().map(
    lambda data: os.fsdecode(data.replace(b"\0", b""))
)


@given(st.lists(WORDS, max_size=4), st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_a_command_line_is_one_line_and_a_shell_reads_the_words(
    words: list[str], value: str
) -> None:
    words = [word for word in words if _can_be_given(word)]
    line = command_line(*words, *option("--name", value))
    assert line.isprintable()
    script = f"ra-client() {{ printf '%s\\0' \"$@\"; }}\n{line}"
    told = subprocess.run(
        ["/bin/bash", "-c", script], stdout=PIPE, check=True, env={"LC_ALL": "C.UTF-8"}
    ).stdout
    wanted = [*words, *option("--name", value)]
    assert told.split(b"\0")[:-1] == [os.fsencode(word) for word in wanted]


def _can_be_given(word: str) -> bool:
    """Whether a program can be started with it."""
    try:
        os.fsencode(word)
    except UnicodeError:
        return False
    return True

"""C04: a user without a home, or with one that makes no sense, gets a working default or one
line; no traceback, and no folder called `~` or in a place that nobody meant."""

from __future__ import annotations

import asyncio
import os
import pwd
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from types import ModuleType

import pytest

import client.cli.folders
import server.folders
from tests.patience import PATIENCE
from tests.process.serving import program, server_process

NOBODY = """
import pwd
def getpwuid(uid): raise KeyError(uid)
pwd.getpwuid = getpwuid
"""
"""Run at the start of a program: its user is not in the system's list, as in a container."""

TWINS = pytest.mark.parametrize(
    "folders", [client.cli.folders, server.folders], ids=["client", "server"]
)


async def run(
    folder: Path, *command: str, known: bool = True, typed: bytes = b"", **environment: str | None
) -> tuple[int, str, str]:
    """A program started in `folder`: exit code, output, errors. None: not in the environment."""
    env = {**os.environ, "XDG_DATA_HOME": None, "RA_DATA": None, **environment}
    if not known:
        (folder / "site").mkdir(exist_ok=True)
        (folder / "site" / "sitecustomize.py").write_text(NOBODY)
        env["PYTHONPATH"] = str(folder / "site")
    here = folder / "here"
    here.mkdir(exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=here,
        env={name: value for name, value in env.items() if value is not None},
        stdin=PIPE if typed else DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(typed or None), PATIENCE)
    assert not list(here.iterdir()), "nothing is made where the program was started"
    assert b"Traceback" not in out + err
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def the_file(folder: Path) -> str:
    path = folder / "file"
    path.write_text("")
    return str(path)


async def test_a_server_without_a_home_is_one_line(tmp_path: Path) -> None:
    serve = (program("ra-server"), "--port", "0", "--log", "off")
    for home, known, words in (
        (None, False, "there is no home folder: name a file for the database (--db)"),
        ("somewhere", False, "there is no home folder: name a file for the database (--db)"),
        (str(tmp_path / "none"), True, "none' is not there: name a file for the database (--db)"),
        (the_file(tmp_path), True, "file' is not there: name a file for the database (--db)"),
        ("/proc", True, "cannot use the database /proc/.local/share/ra-online/tables.sqlite3: "),
    ):
        code, out, err = await run(tmp_path, *serve, known=known, HOME=home)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert err.startswith("ra-server: ") and words in err
    code, _, err = await run(tmp_path, *serve, XDG_DATA_HOME="/proc/none")
    assert code == 1 and "cannot use the database /proc/none/ra-online/" in err


@pytest.mark.parametrize("flag", ["--db", "--records"])
async def test_the_home_of_nobody_is_a_wrong_path(tmp_path: Path, flag: str) -> None:
    words = "there is no user 'nosuch', whose home ~ means"
    code, out, err = await run(tmp_path, program("ra-server"), flag, "~nosuch/x")
    assert (code, out, err) == (2, "", f"ra-server: {flag}: {words}\n")
    variable = "RA_" + flag.strip("-").upper()
    command = ("env", f"{variable}=~nosuch/x", program("ra-server"))
    code, out, err = await run(tmp_path, *command)
    assert (code, out, err) == (2, "", f"ra-server: {variable}: {words}\n")


@pytest.mark.parametrize(
    "command",
    [
        ("ra-server", "check", "~nosuch/x"),
        ("ra-client", "127.0.0.1:9", "--plain", "--data", "~nosuch/x"),
        ("ra-replay", "~nosuch/x"),
        ("ra-replay", "--db", "~nosuch/x", "--table", "KIWI-42"),
        ("python", "-m", "client.demo", "--record", "~nosuch/x"),
    ],
)
async def test_so_it_is_for_every_path(tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *words = command
    code, out, err = await run(tmp_path, program(name), *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "there is no user 'nosuch', whose home ~ means" in err


async def test_a_client_without_a_home_plays_and_says_that_nothing_is_kept(tmp_path: Path) -> None:
    async with server_process(tmp_path) as serving:
        play = (program("ra-client"), f"127.0.0.1:{serving.port}", "--plain", "--name", "Anna")
        typed = b"create seats=2\nsay hello\nquit\n"
        for home, known, words in (
            (None, False, "cannot be kept: there is no home folder (--data names another"),
            (str(tmp_path / "none"), True, "none' is not there (--data names another folder)"),
            ("/proc", True, "cannot be kept in /proc/.local/share/ra-online: "),
        ):
            code, out, err = await run(tmp_path, *play, known=known, typed=typed, HOME=home)
            assert (code, err.count("\n")) == (0, 1), err
            assert words in err
            assert "you have seat 1" in out
            assert "back:" not in out
        assert not (tmp_path / "none").exists()
        code, _, err = await run(tmp_path, *play, known=False, typed=typed, RA_DATA="~/x", HOME="")
        assert (code, err) == (2, "ra-client: RA_DATA: there is no home folder\n")


async def test_a_home_that_makes_no_sense_gives_way_to_that_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "site").mkdir()
    there = f"pwd.struct_passwd(('me', 'x', 1, 1, '', {str(tmp_path / 'home')!r}, ''))"
    (tmp_path / "site" / "sitecustomize.py").write_text(
        f"import pwd\npwd.getpwuid = lambda uid: {there}\n"
    )
    async with server_process(tmp_path) as serving:
        play = (program("ra-client"), f"127.0.0.1:{serving.port}", "--plain", "--name", "Anna")
        for home in ("", "somewhere", None):
            code, _, err = await run(
                tmp_path, *play, typed=b"quit\n", HOME=home, PYTHONPATH=str(tmp_path / "site")
            )
            assert (code, err) == (0, "")
            kept = tmp_path / "home" / ".local" / "share" / "ra-online" / "sessions"
            assert len(list(kept.glob("*/*.json"))) == 1


# the folder itself


@TWINS
def test_the_data_folder(
    folders: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    usual = home / ".local" / "share" / "ra-online"
    for share in ("", "share", "~/share", "./x"):
        monkeypatch.setenv("XDG_DATA_HOME", share)
        assert folders.data_folder() == usual
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("HOME", str(tmp_path / "none"))
    assert folders.data_folder() == tmp_path / "share" / "ra-online"
    monkeypatch.delenv("XDG_DATA_HOME")
    with pytest.raises(folders.NoHome, match="is not there"):
        folders.data_folder()
    monkeypatch.setenv("HOME", "home")
    entry = pwd.struct_passwd(("me", "x", 1, 1, "", str(home), ""))
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: entry)
    assert folders.data_folder() == usual


@TWINS
def test_a_path_with_a_home(
    folders: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folders.expand("~/a/b") == tmp_path / "a" / "b"
    assert folders.expand("~") == folders.expand("~/") == tmp_path
    assert folders.expand("a/~b") == Path("a/~b")
    assert folders.expand("") == Path()
    me = pwd.getpwuid(os.getuid())
    assert folders.expand(f"~{me.pw_name}/x") == Path(me.pw_dir) / "x"
    for nobody in ("~nosuch", "~nosuch/x", "~no\0such"):
        with pytest.raises(folders.NoHome):
            folders.expand(nobody)


def test_the_twins_are_one() -> None:
    """Neither program may import the other's."""

    def code(module: ModuleType) -> str:
        assert module.__file__ is not None
        return Path(module.__file__).read_text("utf-8").split('"""', 2)[2]

    assert code(client.cli.folders) == code(server.folders)

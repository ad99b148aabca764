"""`.ci/setup`, which `make play` and `make test` begin with: on machines that lack what
it needs it says so in one line; on a machine that is ready it does nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.house.places import ROOT
from tests.house.standing_in import copy_setup, make_venv

TOOLS = ("sh", "cat", "dirname")


class Machine:
    """A folder with the project's set-up in it, and a PATH with few programs."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "ra online"
        copy_setup(ROOT, self.project)
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)

    def python(self, name: str, text: str) -> None:
        """Put a program called `name` on the PATH."""
        program = self.bin / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    def venv(self) -> Path:
        """Make .venv with a stand-in for pip, which notes that it was asked; its folder."""
        pip = make_venv(self.project)
        self.python("python3", f'exec {shlex.quote(sys.executable)} "$@"')
        return pip

    def setup(self, what: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        return subprocess.run(
            ["./.ci/setup", what],
            cwd=self.project,
            env={"PATH": str(self.bin), "PIP_NO_INDEX": "1", **variables},
            capture_output=True,
            text=True,
            timeout=60,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_without_python(machine: Machine) -> None:
    assert one_line(machine.setup("test")).endswith("Python 3.11 or newer is needed; found: none.")


def test_with_an_old_python(machine: Machine) -> None:
    machine.python("python3", 'case "$2" in *print*) echo 3.9;; *) exit 1;; esac')
    assert one_line(machine.setup("play")).endswith("is needed; found: python3=3.9.")


def test_without_the_venv_module(machine: Machine) -> None:
    bare = 'case "$2" in *print*) echo 3.12;; *ensurepip*) exit 1;; esac'
    machine.python("python3", bare)
    line = one_line(machine.setup("test"))
    assert "python3=3.12 lacks the venv module" in line
    assert "apt install python3.12-venv" in line


def test_a_newer_python_beside_an_old_one_is_found(machine: Machine) -> None:
    machine.venv()
    machine.python("python3.12", (machine.bin / "python3").read_text().partition("\n")[2])
    machine.python("python3", "echo 3.8; exit 1")
    assert machine.setup("play").returncode == 0


def test_what_is_ready_is_left_alone(machine: Machine) -> None:
    pip = machine.venv()
    assert machine.setup("test").returncode == 0
    asked = (pip / "log").read_text()
    (pip / "broken").touch()
    for what in ("test", "play", "test"):
        done = machine.setup(what)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (pip / "log").read_text() == asked


def test_what_the_project_needs_now_is_installed(machine: Machine) -> None:
    pip = machine.venv()
    machine.setup("test")
    asked = (pip / "log").read_text()
    pyproject = machine.project / "pyproject.toml"
    text = pyproject.read_text()
    pyproject.write_text(text.replace("line-length = 100", "line-length = 99"))
    machine.setup("test")
    assert (pip / "log").read_text() == asked
    pyproject.write_text(text.replace('"attrs>=', '"attrs>=99,>='))
    machine.setup("test")
    assert (pip / "log").read_text() != asked


def test_play_does_not_stand_for_test(machine: Machine) -> None:
    pip = machine.venv()
    machine.setup("play")
    asked = (pip / "log").read_text()
    machine.setup("test")
    assert (pip / "log").read_text() != asked


def test_a_failed_installation_is_said_and_tried_again(machine: Machine) -> None:
    pip = machine.venv()
    (pip / "broken").touch()
    done = machine.setup("test")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("setup: pip could not install")
    (pip / "broken").unlink()
    assert machine.setup("test").returncode == 0


def test_a_folder_that_was_moved_is_set_up_anew(machine: Machine) -> None:
    machine.venv()
    machine.setup("play")
    moved = machine.project.with_name("elsewhere")
    machine.project.rename(moved)
    machine.project = moved
    done = machine.setup("play")
    assert "making .venv" in done.stdout


HOSTILE = {
    "PIP_USER": "1",
    "PIP_TARGET": "/nonexistent/target",
    "PIP_PREFIX": "/nonexistent/prefix",
    "PIP_ROOT": "/nonexistent/root",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_NO_DEPS": "1",
    "PIP_DRY_RUN": "1",
    "PYTHONHOME": "/nonexistent/python",
    "PYTHONPATH": "/nonexistent/modules",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
    "PYTHONSAFEPATH": "1",
    "CDPATH": "/:/tmp",
}


def test_variables_that_would_change_pip_or_python_do_not(machine: Machine) -> None:
    """Those that say where packages are do: what is left of them is what pip sees."""
    pip = machine.venv()
    told = pip.parent / "told"
    note = f"import os; open({str(told)!r}, 'w').write(' '.join(os.environ))\n"
    program = pip / "__main__.py"
    program.write_text(note + program.read_text())
    done = machine.setup("play", PIP_INDEX_URL="http://127.0.0.1:9/", **HOSTILE)
    assert (done.returncode, done.stderr) == (0, "")
    seen = told.read_text().split()
    assert not set(HOSTILE) - {"PIP_USER"} & set(seen)
    assert "PIP_INDEX_URL" in seen


def test_what_pip_installs_elsewhere_is_said(machine: Machine) -> None:
    pip = machine.venv()
    (pip / "elsewhere").touch()
    done = machine.setup("play")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "pip did not install into .venv" in line
    (pip / "elsewhere").unlink()
    assert machine.setup("play").returncode == 0


def test_two_set_ups_at_once_take_turns(machine: Machine) -> None:
    pip = machine.venv()
    with ThreadPoolExecutor() as pool:
        ran = list(pool.map(machine.setup, ["play", "play", "test"]))
    assert [(done.returncode, done.stderr) for done in ran] == [(0, "")] * 3
    asked = (pip / "log").read_text().splitlines()
    assert len(asked) in (1, 2), "none was done twice"


@pytest.mark.parametrize("name", ["a b", "Ra's Spiel", 'a "b"', "$HOME `c` ü", "back\\slash"])
def test_a_folder_of_any_name_is_set_up_and_its_scripts_run(machine: Machine, name: str) -> None:
    machine.project = machine.project.rename(machine.project.with_name(name))
    machine.venv()
    done = machine.setup("play")
    assert (done.returncode, done.stderr) == (0, "")
    for program in ("ra-client", "ra-server", "ra-replay"):
        script = machine.project / ".venv" / "bin" / program
        told = subprocess.run([script, "--version"], capture_output=True, text=True, cwd=ROOT)
        assert told.returncode == 0 and not told.stderr


def test_nobody_else_may_change_what_is_set_up(machine: Machine) -> None:
    machine.venv()
    before = os.umask(0)
    try:
        done = machine.setup("play")
    finally:
        os.umask(before)
    assert (done.returncode, done.stderr) == (0, "")
    made = [path for path in (machine.project / ".venv").rglob("*") if not path.is_symlink()]
    assert [path for path in made if path.name == "ready-play"]
    assert not [path for path in made if path.stat().st_mode & 0o002]

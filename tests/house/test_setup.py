"""`scripts/setup`, which `make play` and `make test` begin with: on machines that lack what
it needs it says so in one line; on a machine that is ready it does nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.places import ROOT

TOOLS = ("sh", "cat", "dirname")
PIP = """\
import pathlib, sys
if sys.argv[1:] != ["--version"]:
    log = pathlib.Path(__file__).with_name("log")
    log.write_text(log.read_text() + " ".join(sys.argv[1:]) + "\\n" if log.exists() else "run\\n")
    sys.exit(pathlib.Path(__file__).with_name("broken").exists())
"""


class Machine:
    """A folder with the project's set-up in it, and a PATH with few programs."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "ra online"
        (self.project / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "setup", self.project / "scripts" / "setup")
        shutil.copy(ROOT / "pyproject.toml", self.project / "pyproject.toml")
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
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=self.project, check=True
        )
        (self.project / ".venv" / "made-at").write_text(f"{self.project}\n")
        (packages,) = (self.project / ".venv").glob("lib/python3*/site-packages")
        (packages / "pip").mkdir()
        (packages / "pip" / "__main__.py").write_text(PIP)
        self.python("python3", f'exec "{sys.executable}" "$@"')
        return packages / "pip"

    def setup(self, what: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        return subprocess.run(
            ["./scripts/setup", what],
            cwd=self.project,
            env={"PATH": str(self.bin), "PIP_NO_INDEX": "1"},
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

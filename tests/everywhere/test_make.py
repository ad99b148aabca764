"""`make play`, the set-up of `make test`, and `.ci/run`, in a folder with a name that a shell
could read otherwise, called by whoever has set whatever."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from tests.everywhere.cells import Cell, Ran
from tests.house.places import PACKAGES, ROOT
from tests.house.standing_in import copy_setup, make_venv

HOSTILE = {
    "PIP_USER": "1",
    "PIP_TARGET": "/nonexistent/target",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_PREFIX": "/nonexistent/prefix",
    "PYTHONHOME": "/nonexistent/python",
    "PYTHONPATH": "/nonexistent/modules",
    "PYTHONSAFEPATH": "1",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
    "PYTHONIOENCODING": "iso8859-1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_DIR": "/nonexistent/git",
    "CDPATH": "/:/tmp",
    "VIRTUAL_ENV": "/nonexistent/venv",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in a folder of an odd name, whose pip needs no network."""
    folder = tmp_path_factory.mktemp("checkout") / 'Ra\'s "Spiel" $HOME ü'
    copy_setup(ROOT, folder)
    for file in ("Makefile", ".ci/run"):
        shutil.copy(ROOT / file, folder / file)
    for package in PACKAGES:
        (folder / package).symlink_to(ROOT / package)
    make_venv(folder)
    return folder


async def make(cell: Cell, project: Path, *words: str, **variables: str) -> Ran:
    plain = {"PYTHON": sys.executable, "PYTHONPATH": None, "TERM": "dumb", **variables}
    made = evolve(cell, environment=plain)
    found = shutil.which("make")
    assert found is not None
    return await made.run(found, "-C", str(project), *words)


async def test_a_game_is_played_again_and_again_whoever_calls(cell: Cell, project: Path) -> None:
    first = await make(cell, project, "play")
    first.worked("The game is over.")
    assert "setup: installing" in first.out
    again, jobs, hostile = await asyncio.gather(
        make(cell, project, "play", CI="true"),
        make(cell, project, "-j2", "play", MAKEFLAGS="w", MAKELEVEL="3"),
        make(cell, project, "play", **HOSTILE),
    )
    for ran in (again, jobs, hostile):
        ran.worked("verified: chain")
        assert "setup: installing" not in ran.out, "nothing is done that is done"


async def test_what_tests_need_is_set_up_once_whoever_calls(cell: Cell, project: Path) -> None:
    ready = await make(cell, project, "-j2", "imports", CI="true", **HOSTILE)
    assert ready.code == 0, ready
    assert ready.out.count("setup: installing what 'test' needs") == 1
    ready = await make(cell, project, "setup-test")
    ready.worked()
    assert "setup: installing" not in ready.out


async def test_a_program_of_the_set_up_runs_from_anywhere(cell: Cell, project: Path) -> None:
    (await make(cell, project, "setup-test")).worked()
    script = project / ".venv" / "bin" / "ra-client"
    told = await evolve(cell, environment={"PYTHONPATH": None}).run(str(script), "--version")
    told.worked("ra-client ")


STUB = """\
#!/bin/sh
for name in MAKEFLAGS MFLAGS MAKELEVEL GIT_DIR GIT_INDEX_FILE CDPATH; do
    eval "value=\\${$name-}"
    [ -z "$value" ] || echo "$name is set"
done
cd "$2" && pwd && echo "target: $3"
"""


def test_ci_runs_the_tests_of_its_own_folder_whoever_calls(tmp_path: Path, project: Path) -> None:
    stub = tmp_path / "bin" / "make"
    stub.parent.mkdir()
    stub.write_text(STUB)
    stub.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", str(project / ".ci" / "run")],
        cwd=tmp_path,
        env={
            "PATH": f"{stub.parent}{os.pathsep}{os.environ['PATH']}",
            "CI": "true",
            "MAKEFLAGS": " -n -j2 --jobserver-auth=3,4",
            "MFLAGS": "-n",
            "MAKELEVEL": "1",
            "GIT_DIR": "/nonexistent",
            "GIT_INDEX_FILE": "x",
            "CDPATH": "/:/tmp",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{project}\ntarget: test\n"

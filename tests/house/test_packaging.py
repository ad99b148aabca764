"""The wheel, built from the sdist and installed in a clean venv, is the whole program."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from email.parser import HeaderParser
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.specifiers import SpecifierSet

from tests.house.installed import SCRIPTS, Installed, build, install, names, run
from tests.house.places import PACKAGES, ROOT


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of the tests share."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "a wheel, installed"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def wheel(shared: Path) -> Path:
    """The wheel, built by the first process that asks for it."""
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = sorted((shared / "built").glob("*.whl"))
        return built[0] if built else build(shared / "built")[1]


@pytest.fixture(scope="module")
def installed(
    wheel: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    """The wheel in a clean venv, installed by the first process that asks for it."""
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ready, venv = shared / "ready", shared / "venv"
        if not ready.exists():
            install(wheel, venv)
            ready.touch()
    made = Installed(venv, tmp_path_factory.mktemp("home"))
    before = snapshot(made.packages)
    yield made
    assert snapshot(made.packages) == before, "something was written into site-packages"


def snapshot(folder: Path) -> dict[str, int]:
    """Files with their times, without the interpreter's own caches."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path): path.stat().st_mtime_ns for path in files}


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose files have the names of what the program imports."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    bomb = "raise SystemExit('imported from the current folder')\n"
    for module in (*PACKAGES, "random", "msgpack", "attrs", "json"):
        (folder / f"{module}.py").write_text(bomb)
    for package in ("ra", "websockets"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(bomb)
    return folder


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    info = {top for top in tops if top.endswith(".dist-info")}
    assert tops - info == set(PACKAGES)
    assert len(info) == 1


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    there = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names(wheel) if ".dist-info/" not in name} == there


def test_the_metadata_bounds_what_it_needs(wheel: Path) -> None:
    (name,) = [name for name in names(wheel) if name.endswith(".dist-info/METADATA")]
    with ZipFile(wheel) as archive:
        metadata = HeaderParser().parsestr(archive.read(name).decode())
    assert metadata["Version"] == version("ra-online")
    needed = SpecifierSet(metadata["Requires-Python"])
    assert [v for v in ("3.9", "3.10", "3.11", "3.13") if v in needed] == ["3.11", "3.13"]
    label = "Programming Language :: Python :: "
    tried = [c.removeprefix(label) for c in metadata.get_all("Classifier", []) if label in c]
    assert f"tried with {', '.join(tried[:-1])} and {tried[-1]}" in (ROOT / "README.md").read_text()
    assert all(python in needed for python in tried)
    plain = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert plain
    assert not [line for line in plain if not re.search(r">=\d", line)]


def test_python_3_10_is_refused(wheel: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--no-index", "--no-deps"]
    there = ["--find-links", str(wheel.parent), "--dest", str(tmp_path)]
    old = ["--only-binary=:all:", "--python-version"]
    for python, refused in (("3.10", True), ("3.11", False)):
        command = [*pip, *there, *old, python, "ra-online"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode != 0) is refused, done.stderr
        assert (">=3.11" in done.stderr) is refused


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("where", ["empty", "hostile"])
def test_scripts_start_in_any_folder(
    installed: Installed, script: str, where: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(where)
    environment = installed.environment()
    told = run([installed.script(script), "--version"], cwd=folder, env=environment)
    assert told.split()[-1] == version("ra-online")
    help_ = run([installed.script(script), "--help"], cwd=folder, env=environment)
    assert help_.startswith(f"usage: {script}")


@pytest.mark.parametrize("where", ["empty", "hostile"])
def test_a_whole_game_is_played_recorded_and_verified(
    installed: Installed, where: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Bots play through the server in the process; the record outlives it and verifies."""
    folder = request.getfixturevalue(where)
    environment = installed.environment()
    record = tmp_path / "demo.ra"
    python = [str(installed.venv / "bin" / "python"), "-P", "-m", "client.demo"]
    run([*python, "--record", str(record)], cwd=folder, env=environment)
    verify = [installed.script("ra-replay"), str(record), "--verify"]
    run(verify, cwd=folder, env=environment)


def test_the_server_makes_its_database_and_says_its_port(
    installed: Installed, hostile: Path
) -> None:
    command = [installed.script("ra-server"), "--port", "0"]
    server = subprocess.Popen(
        command,
        cwd=hostile,
        env=installed.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert re.search(r":([1-9]\d*)\b", server.stdout.readline())
        assert list(installed.home.rglob("tables.sqlite3"))
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=20)
    assert server.returncode == 0


def test_a_read_only_installation_plays(installed: Installed, empty: Path) -> None:
    """Modes do not bind root; for root, `installed` sees to it that nothing is written."""
    folders = [path for path in installed.packages.rglob("*") if path.is_dir()]
    for folder in folders:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        python = [str(installed.venv / "bin" / "python"), "-P", "-m", "client.demo"]
        run(python, cwd=empty, env=installed.environment())
    finally:
        for folder in folders:
            folder.chmod(stat.S_IRWXU)

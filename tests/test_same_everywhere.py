"""A match is the same under every hash seed and on every Python that may run it, and
nothing in it asks Python's `random` (docs/fairness.md; an old log replays for ever)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
RECORDS = [str(GOLDEN / "five-players.ra"), str(GOLDEN / "gods-take-gods.ra")]
NEEDED = ("attr", "attrs", "msgpack")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PYTHONPATH with the sources and the two libraries they need, for any Python:
    where msgpack's compiled part does not fit it falls back to its Python one."""
    folder = tmp_path_factory.mktemp("libraries")
    for name in NEEDED:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        (folder / name).symlink_to(Path(spec.origin).parent)
    return os.pathsep.join((str(ROOT), str(folder)))


@cache
def pythons() -> tuple[str, ...]:
    """This interpreter, and every other from 3.11 on that is installed and runs."""
    found = {tuple(sys.version_info[:2]): sys.executable}
    folders = [Path(part) for part in os.get_exec_path()]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    for minor in range(11, 16):
        for folder in folders:
            command = folder / f"python3.{minor}"
            if (3, minor) not in found and command.exists() and _runs(command):
                found[3, minor] = str(command)
    return tuple(found[version] for version in sorted(found))


def _runs(command: Path) -> bool:
    done = subprocess.run([command, "-c", "pass"], capture_output=True, check=False)
    return done.returncode == 0


def output(python: str, path: str, hash_seed: str) -> str:
    done = subprocess.run(
        [python, "-m", "tests.same_everywhere", *RECORDS],
        env={"PYTHONPATH": path, "PYTHONHASHSEED": hash_seed, "PATH": os.defpath,
             "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wanted(path: str) -> str:
    lines = output(sys.executable, path, "0")
    assert len(lines.splitlines()) == len(RECORDS) + 3
    return lines


@pytest.mark.parametrize("hash_seed", ["1", "12345"])
def test_replays_and_games_are_equal_under_every_hash_seed(
    wanted: str, path: str, hash_seed: str
) -> None:
    assert output(sys.executable, path, hash_seed) == wanted


@pytest.mark.parametrize("python", pythons(), ids=lambda python: Path(python).name)
def test_replays_and_games_are_equal_on_every_python(wanted: str, path: str, python: str) -> None:
    assert output(python, path, "random") == wanted

"""A match is the same under every hash seed and on every Python that may run it, and
nothing in it asks Python's `random` (docs/fairness.md; an old log replays for ever)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interpreters import pythons

ROOT = Path(__file__).resolve().parents[2]
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


def output(python: str, path: str, hash_seed: str) -> str:
    done = subprocess.run(
        [python, "-m", "tests.everywhere.same_everywhere", *RECORDS],
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


@pytest.mark.parametrize("python", pythons().values(), ids=lambda python: Path(python).name)
def test_replays_and_games_are_equal_on_every_python(wanted: str, path: str, python: str) -> None:
    assert output(python, path, "random") == wanted

"""The versions that `pyproject.toml` allows are those that work: the oldest ones, and
msgpack without its compiled part. Warnings are errors here as everywhere.

`make test-lowest` runs the part that installs old versions, since that needs a network.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.places import ROOT, pyproject

TOOLS = ["hypothesis", "pytest", "pytest-asyncio", "pytest-cov", "pytest-timeout", "pytest-xdist"]
TOOLS += ["build", "hatchling", "psutil", "pyte"]
BYTES = [f"tests/protocol/test_{name}.py" for name in ("codec", "entries", "session", "transcript")]
END_TO_END = [
    *("tests/client", "tests/command_line", "tests/hostile", "tests/online", "tests/pages"),
    *("tests/process", "tests/protocol", "tests/reconnecting", "tests/server", "tests/terminal"),
]


def lower_bounds() -> list[str]:
    """Each dependency at its lowest version, as pip wants it."""
    needed = pyproject()["project"]["dependencies"]
    return [re.sub(r">=([\d.]+)(,<[\d.]+)?$", r"==\1", line) for line in needed]


def suite(python: str, folders: list[str], **environment: str) -> None:
    """Run the tests in `folders` with another interpreter or environment."""
    command = [python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        [*command, *folders],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_every_dependency_has_a_lower_bound() -> None:
    bounds = lower_bounds()
    assert bounds
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in bounds)


def test_msgpack_in_pure_python_gives_the_same_refusals() -> None:
    probe = "import msgpack; assert msgpack.Unpacker.__module__ == 'msgpack.fallback'"
    pure = {**os.environ, "MSGPACK_PUREPYTHON": "1"}
    subprocess.run([sys.executable, "-c", probe], env=pure, check=True)
    suite(sys.executable, BYTES, MSGPACK_PUREPYTHON="1")


@pytest.mark.lowest
@pytest.mark.timeout(1800)
def test_the_oldest_versions_allowed_work(tmp_path: Path) -> None:
    venv = tmp_path / "oldest"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    python = str(venv / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *lower_bounds(), *TOOLS], check=True)
    subprocess.run([*pip, "--no-deps", "-e", str(ROOT)], check=True)
    suite(python, END_TO_END)

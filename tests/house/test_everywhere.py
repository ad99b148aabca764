"""B38: a record replays the same whatever the hash order and the version of Python, and
asks no generator of random numbers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.house.places import ROOT

GAME = "tests/golden/five-players.ra"
DIGEST = "d5a2e63abe43e361c917e26759e28e02c281ca746cfd5f1a8a622caa5c83bf05"


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_views_do_not_depend_on_hash_order_or_on_random(seed: str) -> None:
    """The digest stands here, so that every Python that runs this test compares with it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.house.everywhere", GAME],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == DIGEST

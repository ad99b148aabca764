"""The benchmark of the engine runs, and the engine stays fast for the machine it is on."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from engine.game import find_game
from tests.bench.engine import measure, parts

MUST = 120_000 / 7_000_000
"""Actions for each step of the calibration loop, where the must was set."""


def test_the_engine_is_fast_for_its_machine() -> None:
    """By the ratio to plain Python, so that a slow or busy machine says the same; in a
    process of its own, which no coverage slows down."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.engine", "--json", "--seconds", "1.5"],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["folds_per_s"] > found["actions_per_s"]
    assert found["actions"] < found["events"]
    assert found["actions_per_s"] / found["calibration_per_s"] > MUST


def test_the_parts_of_an_action_are_told_apart() -> None:
    found = parts(find_game("ra"))
    assert found["copy"] < found["copy and decide"]


@pytest.mark.parametrize("name", ["raja"])
def test_an_action_of_a_larger_game_takes_a_few_times_as_long(name: str) -> None:
    """At most six times what an action of Ra takes, in one run."""
    ra, other = (measure(0.1, find_game(game)) for game in ("ra", name))
    assert ra.actions_per_s / other.actions_per_s < 6

"""The short form of the chaos run: hundreds of faults, three quiet points, and a log that
nobody reads any more. The long one is part of `make soak`."""

from __future__ import annotations

import os
from pathlib import Path

from tests.chaos.run import run
from tests.process.badlog import gone

SEED = os.environ.get("RA_CHAOS_SEED", "20261129")


async def test_players_behind_a_hostile_network_lose_nothing_and_never_stick(
    tmp_path: Path,
) -> None:
    with gone() as log:
        line = await run(tmp_path, faults=250, seed=SEED, tables=8, play=1.5, log=log)
    print(line)
    assert "all there once" in line

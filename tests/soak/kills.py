"""The server is killed at random moments, again and again, while many tables play.

`python -m tests.soak.kills [--kills N] [--seed S] [--tables N]`: every acknowledged action
is there, none twice, every seat is who took it, and everybody goes on by themselves.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.chaos.trial import FLAGS, trial
from tests.process.serving import program, run, server_process

BETWEEN_CHECKS = 20
"""Kills between two quiet points."""


async def kill_again_and_again(folder: Path, kills: int, seed: str, tables: int) -> str:
    """What there was, in one line."""
    rng, begin = random.Random(seed), monotonic()
    async with (
        server_process(folder, *FLAGS) as server,
        trial(server.database, server.port, tables, seed, silence=2.0) as playing,
    ):
        await playing.go_on(0.5)
        for kill in range(1, kills + 1):
            # now and then while everybody is just coming back, mostly while they play
            await playing.go_on(rng.choice((rng.uniform(0, 0.1), rng.uniform(0.1, 0.8))))
            await server.kill()
            await server.start()
            if kill % BETWEEN_CHECKS == 0 or kill == kills:
                await playing.rest()
        line = (
            f"{kills} kills; {playing.answered} acknowledged actions at {playing.tables} tables,"
            f" all there once; {playing.quiet_points} quiet points;"
            f" {monotonic() - begin:.0f} s; seed {seed}"
        )
        assert await server.terminate() == 0
        status, output, _ = await run(program("ra-server"), "check", str(server.database))
        assert status == 0, output
    return f"{line}; {output.strip()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    parser.add_argument("--tables", type=int, default=8)
    given = parser.parse_args()
    sys.stdout.write(f"kills: seed {given.seed}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        made = kill_again_and_again(Path(folder), given.kills, given.seed, given.tables)
        sys.stdout.write(f"kills: {asyncio.run(made)}\n")


if __name__ == "__main__":
    main()

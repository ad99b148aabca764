"""One bounded run of players behind the chaos proxy.

`python -m tests.chaos.run [--faults N] [--seed S] [--tables N]` prints its seed: the same
seed draws the same faults, as far as the system's timing lets them meet the same frames.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE
from pathlib import Path
from time import monotonic

from tests.chaos.proxy import Fault, chaos
from tests.chaos.trial import FLAGS, trial
from tests.process.serving import server_process

RATE = 0.08
"""The part of frames to which something is done."""


async def run(
    folder: Path, faults: int, seed: str, tables: int, play: float, log: int = PIPE
) -> str:
    """Play until there were `faults` of them, of all kinds, with a quiet point after each `play`
    seconds; what there was, in one line. The server's log goes to `log`."""
    begin = monotonic()
    async with (
        server_process(folder, *FLAGS, stderr=log) as server,
        chaos(server.port, seed, RATE) as proxy,
        trial(server.database, proxy.port, tables, seed) as players,
    ):
        while proxy.done < faults or len(proxy.faults) < len(Fault):
            proxy.calm = False
            await players.go_on(play)
            proxy.calm = True
            await players.rest()
        links = sum(player.links for player in players.players)
        counted = ", ".join(f"{fault.word} {proxy.faults[fault]}" for fault in Fault)
        line = (
            f"{proxy.done} faults ({counted}) on {proxy.connections} connections, {links} of"
            f" them greeted; {players.answered} actions at {players.tables} tables, all there once;"
            f" {players.quiet_points} quiet points; {monotonic() - begin:.0f} s; seed {seed}"
        )
        assert await server.terminate() == 0
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=3000)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--play", type=float, default=3.0, help="seconds between quiet points")
    given = parser.parse_args()
    sys.stdout.write(f"chaos: seed {given.seed}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        made = run(Path(folder), given.faults, given.seed, given.tables, given.play)
        sys.stdout.write(f"chaos: {asyncio.run(made)}\n")


if __name__ == "__main__":
    main()

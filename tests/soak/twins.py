"""Games beside their twins, which differ in all that is hidden: everybody must be sent equal bytes.
`python -m tests.soak.twins [--games N] [--game NAME] [--seed S]`.

Each game is played to its end with all that may come between (actions taken back, seats that are
voted absent and played for), all rulesets and numbers of players in turn. What is hidden is
exchanged in the midst of it again and again, and another secret is behind the deal. In Raja that is
everybody else's gold, and the actions that they chose and have not revealed.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from time import process_time

from engine.game import find_game
from protocol.project import Projector
from tests.conformance.twins import Equal, twin_game
from tests.games import setups


def play(name: str, games: int, seed: int) -> str:
    """What there was, in one line."""
    projector, every, begin = Projector(find_game(name)), setups(name), process_time()
    played: list[Equal] = []
    with suppress(KeyboardInterrupt):  # then what there was so far is told
        for number in range(games):
            setup = every[number % len(every)]
            played.append(twin_game(projector, setup, seed * 1_000_000 + number))
    return (
        f"{len(played)} games of {name} with {sum(one.twins for one in played)} twins:"
        f" {sum(one.entries for one in played)} entries,"
        f" {sum(one.choices for one in played)} choices made otherwise,"
        f" {sum(one.frames for one in played)} pairs of frames, all equal;"
        f" {process_time() - begin:.0f} s of CPU; seed {seed}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--game", choices=("ra", "raja"), default="raja")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    given = parser.parse_args()
    sys.stdout.write(f"twins: seed {given.seed}\n")
    sys.stdout.flush()
    sys.stdout.write(f"twins: {play(given.game, given.games, given.seed)}\n")


if __name__ == "__main__":
    main()

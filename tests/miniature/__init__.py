"""A miniature game with simultaneous sealed choices, and how tests register it.

It has the rooms of a real game (`words/`, `state`, `legal`, `decide`, `evolve`, `view`,
`events`, `bots/`, `game`), its client side in `client/`, and is found like one: by entry
points of the groups `ra_online.games` and `ra_online.clients`. They stand in the metadata
of a small distribution, `registration/`, which only has to lie on `sys.path`:

    from tests.miniature import environment, register
    register()                                   # in this process
    subprocess.run([...], env=environment())     # in a process of its own

The game's name is `miniature`; its objects are `tests.miniature.game.MINIATURE` and
`tests.miniature.client.game.MINIATURE`.

Rules. 2 to 4 seats; three rounds (option `long`: five). Each round turns over a lot of 1
to 9 points, and every seat chooses, sealed, one card of its hand or holds back. When all
have chosen, the choices are shown: the highest card takes the lot, equal highest cards
take nothing; cards shown are gone. Ruleset `open`: all hold the same cards, hands and
points are public. Ruleset `veiled`: hands are dealt from one deck and hidden, as points
are until the end, and what a seat is asked is seen by that seat alone.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: what makes `tests.miniature` importable."""
REGISTRATION = Path(__file__).resolve().parent / "registration"
"""The folder with the metadata that registers the game."""


def register() -> None:
    """Make this process find the game; calling it again changes nothing."""
    for folder in (str(ROOT), str(REGISTRATION)):
        if folder not in sys.path:
            sys.path.append(folder)


def environment() -> dict[str, str]:
    """This process's environment with a PYTHONPATH by which a new process finds the game."""
    folders = [str(ROOT), str(REGISTRATION)]
    before = os.environ.get("PYTHONPATH")
    if before:
        folders.append(before)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}

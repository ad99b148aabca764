"""A demo game of bots, without a terminal: served, watched, told in plain lines, recorded,
replayed and verified. What `make play` shows where there is no terminal.

A composition module, like `client.solo` and `client.replay`: it may reach everything. It
watches through a socket as any spectator does, and leaves nothing behind but the record
that it is told to keep.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from client.address import parse_address
from client.changes import Attended, Change, FileCame, Greeted, Refusal, Stepped
from client.identity import Identity
from client.link import Link, LinkLost
from client.talk import Talk

SEATS = 4
LEVEL = "easy"

Print = Callable[[str], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, replay and verify a game; the exit code (0: all of it came out right)."""
    parser = argparse.ArgumentParser(
        prog="python -m client.demo",
        description="A game of four bots: served, told, recorded, replayed, verified.",
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the record there")
    keep: Path | None = parser.parse_args(arguments).record
    with TemporaryDirectory(prefix="ra-demo-") as folder:
        path = keep or Path(folder) / "demo.ra"
        try:
            asyncio.run(play(path, _print))
        except LinkLost as error:
            sys.stderr.write(f"demo: {error}\n")
            return 1
        return verify(path, _print, kept=keep is not None)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


async def play(path: Path, tell: Print) -> None:
    """A game of bots through a server of its own; its record is written to `path`.
    Raises LinkLost."""
    from server.app import serve
    from server.config import Settings

    async with serve(Settings(port=0, memory=True, log="off")) as app:
        talk = Talk(Identity("ra-demo", "Demo"))
        link = Link(parse_address(f"127.0.0.1:{app.port}"), talk)
        talk.listeners.append(Spectator(talk, link, path, tell).hear)
        await link.run()


class Spectator:
    """Opens a table full of bots, tells what happens there, and asks for the record."""

    def __init__(self, talk: Talk, link: Link, path: Path, tell: Print) -> None:
        self._talk = talk
        self._link = link
        self._path = path
        self._print = tell

    def hear(self, change: Change) -> None:
        """Take in one change."""
        match change:
            case Greeted():
                ruleset = "standard"
                self._talk.create("ra", ruleset, SEATS, bots=(LEVEL,) * SEATS, sit=False)
            case Attended(scene, missed):
                names = ", ".join(name for name in scene.names if name is not None)
                self._print(f"Table {scene.table.code}: {names} play Ra ({scene.table.ruleset}).")
                for _, happenings in missed:
                    self._tell(happenings)
                self._ask_for_record()
            case Stepped(_, happenings):
                self._tell(happenings)
                self._ask_for_record()
            case FileCame("record", _, data):
                self._path.write_bytes(data)
                self._link.stop()
            case Refusal(text=text):
                raise LinkLost(text)

    def _tell(self, happenings: tuple[object, ...]) -> None:
        model = self._talk.model
        assert model.game is not None
        assert model.scene is not None
        for happening in happenings:
            for line in model.game.narrate(happening, model.scene.name):
                self._print(line)

    def _ask_for_record(self) -> None:
        scene = self._talk.model.scene
        if scene is not None and scene.over:
            self._talk.get_record(scene.table.code)


def verify(path: Path, tell: Print, *, kept: bool = True) -> int:
    """Replay and verify the record at `path`; the exit code."""
    from client.replay import main as replay

    size = path.stat().st_size
    where = f"kept in {path}" if kept else "thrown away after this; --record FILE keeps it"
    tell(f"\nThe record: {size} bytes, {where}. Replayed and verified:\n")
    return replay([str(path), "--verify"])


if __name__ == "__main__":
    sys.exit(main())

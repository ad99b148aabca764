"""`python -m client.demo`: a server, its spectator and the replay, one after another.

A composition module, like `client.solo` and `client.replay`: it may import everything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from client.cli.loop import run_loop
from client.cli.parser import Parser, path
from client.cli.terminal import (
    Unwritten,
    Writer,
    complain,
    output_trouble,
    silence,
    write_trouble,
)
from client.demo.spectator import NotKept, Print, Spectator
from client.dial.address import parse_address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, LinkLost
from client.replay.command import run as replay
from server.app import serve
from server.settings import Settings
from server.startup_errors import NotStarted

EXIT_TROUBLE = 1


def run(given: Sequence[str] | None = None) -> int:
    """Play, replay and verify a game; the exit code. A reader that stops reading ends it
    quietly."""
    try:
        keep: Path | None = _parser().parse_args(given).record
        if (closed := output_trouble()) is not None:
            return _complain(closed)
        with _place(keep) as path:
            run_loop(play(path, Writer(sys.stdout)))
            return verify(path, Writer(sys.stdout), kept=keep is not None)
    except Unwritten as error:
        trouble = write_trouble(error)
        silence(sys.stdout)
        return 0 if trouble is None else _complain(trouble)
    except (LinkLost, NotKept, NotStarted) as error:
        return _complain(str(error))
    except OSError as error:  # too few files may be open, say
        return _complain(error.strerror or str(error))


def _parser() -> Parser:
    parser = Parser(
        prog="demo",
        usage="python -m client.demo [-h] [--record FILE]",
        description="A game of four bots: served, told, recorded, replayed, verified.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--record", type=path, metavar="FILE", help="keep the record there")
    return parser


def _complain(text: str) -> int:
    complain("demo", text)
    return EXIT_TROUBLE


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    """Where the record goes. Raises NotKept at once if nothing can be written there; a file that
    was created to find that out is removed again if it stays empty."""
    if keep is None:
        try:
            folder = TemporaryDirectory(prefix="ra-demo-", ignore_cleanup_errors=True)
        except OSError as error:
            raise NotKept(f"no temporary folder: {error.strerror or error}") from None
        with folder:
            yield Path(folder.name) / "demo.ra"
        return
    try:
        fresh = not keep.exists()
        with keep.open("ab"):
            pass
    except OSError as error:
        raise NotKept(f"{keep} cannot be written: {error.strerror or error}") from None
    try:
        yield keep
    finally:
        with suppress(OSError):
            if fresh and keep.stat().st_size == 0:
                keep.unlink()


async def play(path: Path, tell: Print) -> None:
    """Play a game between bots on a server of its own and write its record to `path`. Raises
    LinkLost, NotKept, NotStarted, and what `tell` raises."""
    async with serve(Settings(host=("localhost",), port=0, memory=True, log="off")) as app:
        conversation = Conversation(Identity("ra-demo", "Demo"))
        link = Link(parse_address(str(app.addresses[0])), conversation)
        conversation.listeners.append(Spectator(conversation, link, path, tell).hear)
        await link.run()


def verify(path: Path, tell: Print, *, kept: bool = True) -> int:
    """Replay and verify the record at `path`; the exit code."""
    size = path.stat().st_size
    where = f"kept in {path}" if kept else "thrown away after this; --record FILE keeps it"
    tell(f"\nThe record: {size} bytes, {where}. Replayed and verified:\n")
    return replay([str(path), "--verify"])

"""The command line of `ra-replay`: its flags and their help."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from client.cli.parser import Parser, Version, path, shown, whole

MOST_STEPS = 200_000
"""Steps that a stored match can have (`protocol.chain.MAX_ENTRIES`)."""
MOST_SIMULATIONS = 10**8
"""The same as a server takes for its bots."""
MOST_SEED = 2**64 - 1
MOST_PROCESSES = 64
MOST_SEATS = 255

EPILOG = """\
examples:
  ra-replay game.ra                          step through it on the screen
  ra-replay game.ra --plain --seat 1         a line per step, as seat 1 saw it
  ra-replay game.ra --verify                 chain, commitment, deal, entries, result
  ra-replay --db ra.db --table KIWI-42       a table of a server, running or ended
  ra-replay game.ra --plain --epoch 2        the table as the second epoch begins
  ra-replay game.ra --analyse --seat 1       what the best bot would have done, and why

A running table is shown as a spectator sees it; --reveal (for the operator of the server)
opens all seats and what is undrawn. A transcript shows what its audience was sent, and
proves no more: --verify finds out whether it is whole, and checks nothing of the game.
The last lines of --verify say what was checked and what could not be.

exit codes: 0 nothing is wrong; 1 the file is not whole and sound, or verification failed;
2 the command line makes no sense for this match; 3 the file, database or table cannot be
read at all; 130 interrupted.
"""


def parse_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command line; ends the process with one line on stderr if it makes no sense.
    Raises OSError where help is asked for and cannot be written."""
    parser = Parser(
        prog="ra-replay",
        description="Replay and verify a match of Ra from its record.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", type=path, help="a record (.ra) or a transcript")
    parser.add_argument("--db", type=path, metavar="PATH", help="a server's database instead")
    parser.add_argument("--table", metavar="CODE", help="the table in the database")
    parser.add_argument("--reveal", action="store_true", help="show all of a running table")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--plain", action="store_true", help="a line per step")
    how.add_argument("--json", action="store_true", help="an object per step, one a line")
    how.add_argument("--verify", action="store_true", help="check it and say what holds")
    parser.add_argument(
        "--notation", action="store_true", help="with --plain: what happened in the notation"
    )
    _add_analysis(parser)
    parser.add_argument(
        "--seat",
        type=_seat,
        metavar="N|all|spectator",
        help="through whose eyes (who plays is counted from 1)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--at", type=whole(1, MOST_STEPS), metavar="N", help="the table after step N"
    )
    where.add_argument(
        "--epoch", type=whole(1, MOST_STEPS), metavar="N", help="... as epoch N begins"
    )
    parser.add_argument("--version", action=Version, nargs=0, help="say the version and end")
    args = parser.parse_args(given)
    if (args.file is None) == (args.db is None):
        parser.error("give a file, or --db PATH and --table CODE")
    if (args.db is None) != (args.table is None):
        parser.error("--db and --table go together")
    if args.notation and not args.plain:
        parser.error("--notation goes with --plain")
    if args.reveal and args.db is None:
        parser.error("--reveal goes with --db: a file shows all that it holds")
    if args.analyse:
        if args.plain or args.verify or args.at or args.epoch or args.seat == "spectator":
            parser.error("--analyse goes with --seat N, --json, --budget, --seed, --processes")
    elif args.budget or args.seed is not None or args.processes:
        parser.error("--budget, --seed and --processes go with --analyse")
    return args


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    thinking = parser.add_argument_group("a finished match, thought over")
    thinking.add_argument(
        "--analyse",
        action="store_true",
        help="what the best bot would have done in each decision, and what it cost not to",
    )
    thinking.add_argument(
        "--budget",
        type=whole(1, MOST_SIMULATIONS),
        metavar="N",
        help="simulations for each decision",
    )
    thinking.add_argument(
        "--seed", type=whole(0, MOST_SEED), metavar="N", help="another chance (default 1)"
    )
    thinking.add_argument(
        "--processes",
        type=whole(1, MOST_PROCESSES),
        metavar="N",
        help="so many at a time (default: the cores)",
    )


def _seat(text: str) -> str | int:
    """`all`, `spectator`, or the match seat: people count from 1, and we from 0."""
    if text in ("all", "spectator"):
        return text
    if text.isascii() and text.isdigit() and not text.strip("0"):
        raise argparse.ArgumentTypeError("there is no seat 0: the first is 1")
    try:
        return whole(1, MOST_SEATS)(text) - 1
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{shown(text)} is no seat from 1 to {MOST_SEATS}, 'all' or 'spectator'"
        ) from None

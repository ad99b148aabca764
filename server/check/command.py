"""`ra-server check DB`: examines a whole database and prints what is wrong with it.

It only reads, also beside a running server; with `--repair-directory` it writes, and no server may
run. Exit codes: 0 nothing is wrong (any more), 1 something is, 2 it could not be examined.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from enum import IntEnum
from pathlib import Path

from server.check.examination import Examination, counted
from server.check.inspector import Inspector
from server.check.repair import DirectoryRepair
from server.startup_errors import explain, shown
from server.stdio import complain, say
from server.store.port import StoreError
from server.usage import EXIT_USAGE, Parser, file_name

_REPAIRABLE = ("directory",)


class CheckExit(IntEnum):
    """How the command ends."""

    SOUND = 0
    FINDINGS = 1
    NOT_EXAMINED = EXIT_USAGE


def main(arguments: Sequence[str]) -> int:
    """Examine a database, print a line for each finding and a summary; returns a `CheckExit`."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return _examine(given.db, given.repair_directory)
    except StoreError as error:
        complain(f"{parser.prog}: cannot examine {shown(given.db)}: {explain(error)}")
        return CheckExit.NOT_EXAMINED


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="ra-server check",
        description="Examine a whole database: the file, every table's log from its chain to "
        "its deal, the directory, the sessions. Writes nothing unless asked to, and may run "
        "beside a server. Prints a line for each finding: table, entry, code, words.",
        epilog="Exit codes: 0 nothing is wrong (any more), 1 something is, 2 it could not be "
        "examined.",
        allow_abbrev=False,
    )
    parser.add_argument("db", metavar="DB", type=file_name, help="The database file")
    parser.add_argument(
        "--repair-directory",
        action="store_true",
        help="Rewrite the directory where the logs say otherwise (no server may run); "
        "logs are never changed, and the rows of damaged ones stay",
    )
    return parser


def _examine(path: Path, repair: bool) -> CheckExit:
    left = rewritten = 0
    damaged = set()
    with (
        Inspector(path) as inspector,
        DirectoryRepair(path) if repair else nullcontext() as directory,
    ):
        examination = Examination(inspector)
        for finding in examination.findings():
            say(str(finding))
            if directory is not None and finding.code in _REPAIRABLE:
                rewritten += 1
            else:
                left += 1
                damaged.add(finding.table)
        if directory is not None and rewritten:
            directory.write(examination.derived)
    repaired = f"; {counted(rewritten, 'row')} of the directory rewritten" if rewritten else ""
    damaged.discard(None)
    verdict = "nothing is wrong"
    if left:
        verdict = f"{counted(left, 'finding')}, {counted(len(damaged), 'table')} with any"
    say(f"{examination} examined{repaired}; {verdict}")
    return CheckExit.FINDINGS if left else CheckExit.SOUND

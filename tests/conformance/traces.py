"""Plays recorded games through the kernel and compares every step.

    python -m tests.conformance.traces FILE.jsonl.gz

prints a line per difference and at the end `N games, M steps, D differences`; the exit
code is 1 if there are differences. What is no such file counts as a difference too. Each game
names its format, `ra-trace/1` (the usual one) or `raja-trace/1`; tests/data/README.md describes
them.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.conformance import ra_traces, raja_traces
from tests.conformance.comparison import Comparison, Malformed

_USUAL = "ra-trace/1"
_FORMATS: dict[str, Callable[[Comparison, str, dict[str, Any]], None]] = {
    _USUAL: ra_traces.compare_game,
    "raja-trace/1": raja_traces.compare_game,
}
"""How the games of each format are compared."""


def compare_file(path: Path) -> Comparison:
    """Compare every game of a file (gzip or plain, one JSON object a line)."""
    found = Comparison()
    number = 0
    try:
        for number, line in enumerate(_lines(path), 1):
            if line.strip():
                _compare_line(found, f"game {number}", line)
    except (OSError, EOFError, zlib.error) as error:
        found.differ(f"after line {number}", f"the file cannot be read: {error}")
    return found


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as file:
        yield from file


def _compare_line(found: Comparison, where: str, line: bytes) -> None:
    found.games += 1
    try:
        trace = json.loads(line)
    except (ValueError, RecursionError) as error:
        found.differ(where, f"no JSON: {error}")
        return
    try:
        _compare_game(found, where, trace)
    except Malformed as error:
        found.differ(where, f"malformed: {error}")
    except RecursionError:
        found.differ(where, "malformed: nested too deeply")


def _compare_game(found: Comparison, where: str, trace: Any) -> None:
    named = trace.get("format", _USUAL) if isinstance(trace, dict) else None
    compare = _FORMATS.get(named) if isinstance(named, str) else None
    if compare is None:
        raise Malformed(f"not an object of a format among {', '.join(_FORMATS)}")
    compare(found, where, trace)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m tests.conformance.traces FILE.jsonl.gz", file=sys.stderr)
        return 2
    found = compare_file(Path(arguments[0]))
    for difference in found.differences:
        print(difference)
    print(found.summary())
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

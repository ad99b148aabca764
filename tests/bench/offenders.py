"""Offenders beside players: `python -m tests.bench.offenders [--json]`.

Twenty tables of three play at a steady pace at one real server. Rounds in quiet and rounds
beside those of `tests.bench.offending` follow each other by turns; what counts is the ratio
of the medians of both, because absolute figures belong to one machine and one moment.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from time import perf_counter
from typing import Any

from attrs import asdict, frozen

from tests.bench.lean import Loop, RaTable
from tests.bench.load import _pin, greeted, product_server

TABLES = 20
KINDS = ("silent", "no_hello", "slow", "deaf", "flood")
EVERY = 0.1
"""Seconds from one move of a table to the next."""
FLAGS = (
    *("--hello-seconds", "1.5", "--open-seconds", "1.5", "--ping-seconds", "1"),
    *("--outbox-bytes", "65536", "--message-rate", "100", "--message-burst", "200"),
    *("--create-rate", "1000", "--create-burst", "100000"),
)
"""Limits with times that fit into a round; the rates are the defaults."""


class PacedTable(RaTable):
    """A table whose moves have time between them."""

    due: float | None = None

    def act(self) -> None:
        if self._public[2]:
            self.due = perf_counter() + EVERY * (0.5 + self._rng.random())
        else:
            super().act()

    def on_time(self, now: float) -> None:
        """Make the move that is due."""
        if self.due is not None and now >= self.due:
            self.due = None
            super().act()


@frozen
class Round:
    """What one round measured."""

    p50_ms: float
    p99_ms: float
    moves: int


def play(loop: Loop, tables: list[PacedTable], seconds: float) -> Round:
    """Play on for a while."""
    loop.moves, loop.latencies = 0, []
    play_on(loop, tables, seconds)
    latencies = sorted(loop.latencies)
    p50, p99 = (latencies[len(latencies) * part // 100] * 1000 for part in (50, 99))
    return Round(p50, p99, loop.moves)


def compare(rounds: int, seconds: float) -> dict[str, object]:
    """Quiet and loud rounds by turns: both medians, their ratios, memory, how the
    offenders ended."""
    quiet: list[Round] = []
    loud: list[Round] = []
    ends: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    said = 0
    with product_server(*FLAGS) as (port, server):
        loop = Loop()
        tables = []
        for number in range(TABLES):
            peers = [greeted(port, f"p{number}-{n}") for n in range(3)]
            tables.append(PacedTable(loop, peers, number))
            tables[-1].open()
        play(loop, tables, 1.0)
        before, most = server.memory_info().rss, 0
        for _ in range(rounds):
            quiet.append(play(loop, tables, seconds))
            code = tables[0]._public[0][0]
            command = [sys.executable, "-m", "tests.bench.offending", str(port), code]
            with subprocess.Popen([*command, str(seconds)], stdout=subprocess.PIPE) as offending:
                _pin(offending.pid, 1)
                loud.append(play(loop, tables, seconds))
                most = max(most, server.memory_info().rss)
                found = _on(loop, tables, offending)
            said += found["flood_said"]
            for kind in KINDS:
                ends[kind].update(found[kind])
            play_on(loop, tables, 0.5)
        alive = server.is_running()
        loop.close()
    one, other = _median(quiet), _median(loud)
    return {
        "quiet": asdict(one),
        "loud": asdict(other),
        "p50_ratio": other.p50_ms / one.p50_ms,
        "p99_ratio": other.p99_ms / one.p99_ms,
        "grown_bytes": most - before,
        "ends": {kind: dict(codes) for kind, codes in ends.items()},
        "flood_said": said,
        "alive": alive,
        "tables": TABLES,
        "rounds": rounds,
    }


def _on(loop: Loop, tables: list[PacedTable], process: subprocess.Popen[bytes]) -> Any:
    """Play on until the offenders are all gone: how they ended."""
    while process.poll() is None:
        play_on(loop, tables, 0.1)
    assert process.stdout is not None
    return json.loads(process.stdout.read())


def play_on(loop: Loop, tables: list[PacedTable], seconds: float) -> None:
    end = perf_counter() + seconds
    while (now := perf_counter()) < end:
        for table in tables:
            table.on_time(now)
        loop.run(0.001)


def _median(rounds: list[Round]) -> Round:
    return Round(
        statistics.median(one.p50_ms for one in rounds),
        statistics.median(one.p99_ms for one in rounds),
        sum(one.moves for one in rounds),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each kind")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a round")
    arguments = parser.parse_args()
    _pin(os.getpid(), 1)
    found = compare(arguments.rounds, arguments.seconds)
    print(json.dumps(found) if arguments.json else json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

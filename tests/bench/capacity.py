"""The capacity benchmark: `python -m tests.bench.capacity [--json] [--tables N] [--unfinished N]`.

What a server pays for what is kept: how long it takes to start on many stored tables, what a
finished table takes of its memory, and how long one takes to wake. What counts are ratios of
two things done by turns, because absolute figures belong to one machine.

The databases are made once in each call, their rows written directly (`stocked`).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from attrs import evolve

from engine.stream import Stream
from server.app import App, serve
from server.games import game_services
from server.settings import Settings
from server.store.port import START, Row
from server.store.sqlite import SqliteStore
from server.tables.directory import row_of
from tests.bench.stocked import CODE, long_table, stock
from tests.patience import until
from tests.process.serving import program

TABLES = 100_000
UNFINISHED = 10_000
ENTRIES = 300
_QUICK = Settings(
    port=0,
    log="off",
    sleep_seconds=0.05,
    create_rate=1e6,
    tables_per_session=10**6,
)


def measure(tables: int, unfinished: int, rounds: int, entries: int = ENTRIES) -> dict[str, object]:
    """All figures; `rounds` of everything that is timed."""
    with tempfile.TemporaryDirectory() as folder:
        empty, full, few = (Path(folder) / name for name in ("empty.db", "full.db", "few.db"))
        begin = perf_counter()
        stock(empty, finished=0, unfinished=0)
        stock(full, finished=tables - unfinished, unfinished=unfinished)
        stock(few, finished=tables // 100, unfinished=unfinished)
        made = perf_counter() - begin
        started = _starts((empty, full), rounds)
        served = asyncio.run(_serves((empty, full), rounds))
        grown = asyncio.run(_held(full)) - asyncio.run(_held(few))
        more = tables - unfinished - tables // 100
        woken, folded = asyncio.run(_wakes(Path(folder) / "one.db", entries, 10 * rounds))
    return {
        "tables": tables,
        "unfinished": unfinished,
        "made_s": round(made, 1),
        "empty_start_s": round(started[0], 3),
        "start_s": round(started[1], 3),
        "start_ratio": round(started[1] / started[0], 2),
        "empty_ready_ms": round(1000 * served[0], 1),
        "ready_ms": round(1000 * served[1], 1),
        "bytes_per_finished_table": max(0, round(grown / more)),
        "entries": entries,
        "folded_ms": round(1000 * folded, 2),
        "woken_ms": round(1000 * woken, 2),
        "wake_ratio": round(woken / folded, 2),
    }


# starts


def _starts(databases: Sequence[Path], rounds: int) -> list[float]:
    """For each database: the seconds from a process's beginning until it listens, at best."""
    times: list[list[float]] = [[] for _ in databases]
    for _ in range(rounds):
        for database, of_one in zip(databases, times, strict=True):
            of_one.append(_start(database))
    return [min(of_one) for of_one in times]


def _start(database: Path) -> float:
    command = [program("ra-server"), "--port", "0", "--db", str(database), "--log", "off"]
    begin = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        taken = perf_counter() - begin
        child.terminate()
        assert "listening" in line, line
    return taken


async def _serves(databases: Sequence[Path], rounds: int) -> list[float]:
    """The same of a server in this process: without the interpreter and what it imports."""
    times: list[list[float]] = [[] for _ in databases]
    for _ in range(rounds):
        for database, of_one in zip(databases, times, strict=True):
            begin = perf_counter()
            async with serve(evolve(_QUICK, db=database)):
                of_one.append(perf_counter() - begin)
    return [min(of_one) for of_one in times]


# memory


async def _held(database: Path) -> int:
    """Bytes that a server holds once it has looked through its database."""
    gc.collect()
    tracemalloc.start()
    try:
        async with serve(evolve(_QUICK, db=database)) as app:
            await _at_rest(app)
            gc.collect()
            return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


async def _at_rest(app: App) -> None:
    """Wait until a server has done what it does after its start."""
    background = app.lobby.startup_scan.task
    assert background is not None
    await background
    await until(lambda: not app.residents.tables)


# waking


async def _wakes(database: Path, entries: int, rounds: int) -> tuple[float, float]:
    """Seconds to wake a table of so many entries, and to decode and fold them in a plain
    loop: each at best, taken by turns."""
    bodies = long_table(entries)
    rows = tuple(Row(number, body) for number, body in enumerate(bodies, 1))
    row = row_of(rows)
    store = SqliteStore(database)
    position = START
    for one in rows:
        listed = evolve(row, number=one.number, deadline=None)
        position = await store.append(CODE, position, one, listed)
    await store.close()
    codec, woken, folded = game_services("ra").entries, [], []
    async with serve(evolve(_QUICK, db=database)) as app:
        for _ in range(rounds):
            await until(lambda: not app.residents.tables)
            begin = perf_counter()
            stream = None
            for body in bodies:
                entry = codec.decode(body)
                if stream is None:
                    stream = Stream(entry)
                else:
                    stream.fold(entry)
            folded.append(perf_counter() - begin)
            await until(lambda: not app.residents.tables)
            begin = perf_counter()
            table = await app.residents.get(CODE)
            woken.append(perf_counter() - begin)
            assert stream is not None and table.stream.number == stream.number == entries
    return min(woken), min(folded)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one object for machines")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--unfinished", type=int, default=UNFINISHED)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    found = measure(given.tables, given.unfinished, given.rounds)
    if given.json:
        print(json.dumps(found))
        return 0
    for name, value in found.items():
        print(f"{name:>26} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

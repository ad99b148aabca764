"""The load benchmark: `python -m tests.bench.load [--json]`.

The floor server of `tests.bench.floor` and the real `ra-server` run by turns, each
pinned to one core as a process of its own; the load generator of `tests.bench.lean` has
the other core. 50 tables of 3, each in a closed loop. What counts is the ratio of the
two, because absolute figures belong to one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import process_time
from typing import TypeVar

import msgpack
import psutil
from attrs import AttrsInstance, asdict, fields, frozen

from protocol.messages import VERSION
from tests.bench.lean import HELLO, SEATS, WELCOME, FloorTable, Loop, Peer, RaTable, Table

TABLES = 50
IDLE_TABLES = 100
WARM_SECONDS = 1.0
ONE_ADDRESS = (
    *("--connections-per-address", "100000", "--connects-per-address", "1000000"),
    *("--address-rate", "1000000", "--new-sessions-per-address", "100000"),
    *("--people-per-address", "100000", "--wrong-codes", "100000000"),
    *("--tables-per-address", "100000", "--tables-per-new-session", "100000"),
    *("--seats-per-address", "100000", "--seats-per-new-session", "100000"),
    *("--seats-per-session", "100000", "--watchers-per-address", "100000"),
)
"""Limits for many clients on one machine."""


@frozen
class Run:
    """What one run measured."""

    moves_per_s: float
    p50_ms: float
    """From the send of a move to its receipt by the last client of the table."""
    p99_ms: float
    cpu_s_per_1000: float
    """CPU seconds of the server, all threads, per 1000 moves."""
    generator_busy: float
    """The part of its core that the generator used."""


@contextmanager
def floor_server() -> Iterator[tuple[int, psutil.Process]]:
    """A floor server: its port and process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.bench.floor", "--db", f"{folder}/floor.db"]
        with _process(command) as server:
            yield server


@contextmanager
def product_server(*flags: str) -> Iterator[tuple[int, psutil.Process]]:
    """A real server with limits that fit a load generator."""
    program = shutil.which("ra-server", path=str(Path(sys.executable).parent)) or "ra-server"
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", "0", "--db", f"{folder}/ra.db", "--log", "off"]
        command += ["--message-rate", "100000", "--message-burst", "100000"]
        command += ["--tables-per-session", "1000", *ONE_ADDRESS, *flags]
        with _process(command) as server:
            yield server


@contextmanager
def _process(command: list[str]) -> Iterator[tuple[int, psutil.Process]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            line = child.stdout.readline()
            words = line.replace(":", " ").split()
            port = int(next(word for word in reversed(words) if word.isdigit()))
            server = psutil.Process(child.pid)
            _pin(child.pid, 0)
            yield port, server
        finally:
            child.kill()


def _pin(pid: int, which: int) -> None:
    """Pin all threads of a process to one core: 0 the server's, 1 the generator's."""
    for thread in psutil.Process(pid).threads():
        with suppress(ProcessLookupError):  # a thread that has ended meanwhile
            os.sched_setaffinity(thread.id, {_CORES[which % len(_CORES)]})


_CORES = sorted(os.sched_getaffinity(0))


def floor_tables(loop: Loop, port: int, count: int) -> list[Table]:
    tables: list[Table] = []
    for name in range(count):
        table = FloorTable(loop, [Peer(port) for _ in range(SEATS)])
        table.open(name)
        tables.append(table)
    return tables


def ra_tables(loop: Loop, port: int, count: int, *, hold: bool = False) -> list[Table]:
    tables: list[Table] = []
    for number in range(count):
        table = RaTable(loop, [greeted(port, f"p{number}-{n}") for n in range(SEATS)], number)
        for at, peer in enumerate(table.peers):
            peer.on_message = table.listener(at)
        table.hold = hold
        table.open()
        tables.append(table)
    return tables


def greeted(port: int, name: str) -> Peer:
    """A client that has said hello."""
    peer = Peer(port, "ra.v1")
    answer = peer.call(msgpack.packb((HELLO, VERSION, "load/1", (), "en", name, None)))
    assert answer[0] == WELCOME, answer
    return peer


def measure(product: bool, seconds: float) -> Run:
    """One run of one server."""
    with product_server() if product else floor_server() as (port, server):
        loop = Loop()
        (ra_tables if product else floor_tables)(loop, port, TABLES)
        loop.run(WARM_SECONDS)
        loop.moves, loop.latencies = 0, []
        own, before = process_time(), cpu(server)
        took = loop.run(seconds)
        used, own = cpu(server) - before, process_time() - own
    loop.close()
    latencies = sorted(loop.latencies)
    return Run(
        moves_per_s=loop.moves / took,
        p50_ms=latencies[len(latencies) // 2] * 1000,
        p99_ms=latencies[len(latencies) * 99 // 100] * 1000,
        cpu_s_per_1000=used / loop.moves * 1000,
        generator_busy=own / took,
    )


def cpu(server: psutil.Process) -> float:
    """CPU seconds a process has used, all threads, user and system."""
    times = server.cpu_times()
    return times.user + times.system


def idle_table_bytes(count: int = IDLE_TABLES) -> float:
    """Memory of the real server per table with three connected clients whose match has
    started and in which nothing happens."""
    with product_server() as (port, server):
        warm = Loop()
        ra_tables(warm, port, 5, hold=True)
        warm.run(1.0)
        before = server.memory_info().rss
        loop = Loop()
        tables = ra_tables(loop, port, count, hold=True)
        while any(min(table.numbers) < SEATS for table in tables):
            loop.run(0.1)
        grown = server.memory_info().rss - before
        warm.close()
        loop.close()
    return grown / count


def compare(rounds: int, seconds: float, idle_tables: int = IDLE_TABLES) -> dict[str, object]:
    """Alternating runs, the medians of both, and their ratios."""
    floors: list[Run] = []
    products: list[Run] = []
    for _ in range(rounds):
        floors.append(measure(False, seconds))
        products.append(measure(True, seconds))
    floor, product = median(floors), median(products)
    return {
        "floor": asdict(floor),
        "product": asdict(product),
        "cpu_ratio": product.cpu_s_per_1000 / floor.cpu_s_per_1000,
        "p99_ratio": product.p99_ms / floor.p99_ms,
        "idle_table_bytes": idle_table_bytes(idle_tables),
        "tables": TABLES,
        "rounds": rounds,
        "cores": len(_CORES),
    }


R = TypeVar("R", bound=AttrsInstance)


def median(runs: Sequence[R]) -> R:
    """The medians of what several runs measured, figure by figure."""
    made = type(runs[0])
    names = [field.name for field in fields(made)]
    return made(*[statistics.median(getattr(run, name) for run in runs) for name in names])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each server")
    parser.add_argument("--seconds", type=float, default=4.0, help="measured time of a run")
    arguments = parser.parse_args()
    _pin(os.getpid(), 1)
    found = compare(arguments.rounds, arguments.seconds)
    if arguments.json:
        print(json.dumps(found))
        return
    for name in ("floor", "product"):
        run = found[name]
        assert isinstance(run, dict)
        figures = "  ".join(f"{key} {value:.3f}" for key, value in run.items())
        print(f"{name:8} {figures}")
    print(f"cpu_ratio {found['cpu_ratio']:.2f}  p99_ratio {found['p99_ratio']:.2f}")
    print(f"memory of a connected idle table: {found['idle_table_bytes']:.0f} bytes")
    if len(_CORES) < 2:
        print("one core only: server and generator shared it, the figures mean little")


if __name__ == "__main__":
    main()

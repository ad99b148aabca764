"""What people notice of bots that think: `python -m tests.bench.bot_latency [--json]`.

One real server; 8 tables of `hard` bots that think all the time, and one table of three
people, each of whose moves is timed from its sending to its receipt by all three. By
turns the bots' processes are stopped (quiet) and let go on (busy), every few seconds, so
that whatever else the machine does meets both alike. What counts is the ratio, busy to
quiet, of the medians over all turns.

Not pinned: server, bots and this generator share the cores as the system sees fit.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

import msgpack
import psutil
from attrs import asdict, frozen

from server.bots.executor import spare_cores
from tests.bench.lean import CREATE, SEATS, Loop, Peer, RaTable
from tests.bench.load import ONE_ADDRESS, cpu, greeted, median

TABLES = 8
BOTS = 4
PAUSE_SECONDS = 0.01
"""Between two moves of the people."""
_SETTLE_SECONDS = 0.2
_PATIENCE = 30.0


@frozen
class Turn:
    """What one turn measured."""

    p50_ms: float
    p99_ms: float
    moves: int
    bots_busy: float
    """Cores that the bots' processes used."""


class People(RaTable):
    """A table whose next move is sent when it is told to."""

    def together(self) -> bool:
        """Whether all have received the last move."""
        return self._sent is None and min(self.numbers) == max(self.numbers) >= SEATS

    def move(self) -> None:
        self._acted = self.numbers[0]
        self.act()


@contextmanager
def running_server(*flags: str) -> Iterator[tuple[int, psutil.Process]]:
    """A real server: its port and process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "server", "--port", "0", "--db", f"{folder}/ra.db"]
        # whoever is stopped by this benchmark does not hang
        command += ["--log", "off", "--bot-seconds", "3600", *ONE_ADDRESS, *flags]
        command += ["--message-rate", "100000", "--message-burst", "100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            try:
                assert child.stdout is not None
                port = int(child.stdout.readline().rpartition(":")[2])
                yield port, psutil.Process(child.pid)
            finally:
                for process in psutil.Process(child.pid).children():
                    with suppress(psutil.NoSuchProcess):
                        process.kill()
                child.kill()


def open_bots(port: int, level: str, count: int) -> list[Peer]:
    """Open so many tables of bots alone."""
    peers = []
    for number in range(count):
        peer = greeted(port, f"host{number}")
        how = ("ra", "standard", (), BOTS, (level,) * BOTS, False, False)
        peer.call(
            msgpack.packb((CREATE, number.to_bytes(16, "big"), *how, os.urandom(16), (0, 0, 0), 1))
        )
        peers.append(peer)
    return peers


def thinking(server: psutil.Process, many: int) -> list[psutil.Process]:
    """The processes in which bots think, once there are so many and all do."""
    end = monotonic() + _PATIENCE
    while monotonic() < end:
        found = server.children()
        if len(found) == many and all(cpu(process) > 0.5 for process in found):
            return found
        with suppress(psutil.TimeoutExpired):
            server.wait(0.1)
    raise TimeoutError("the bots do not think")


def play(loop: Loop, people: People, bots: Iterable[psutil.Process], seconds: float) -> Turn:
    """Let the people play for so long."""
    loop.run(_SETTLE_SECONDS)
    before, began = sum(map(cpu, bots)), monotonic()
    loop.latencies = []
    while monotonic() - began < seconds:
        people.move()
        while not people.together():
            loop.run(0.001)
        loop.run(PAUSE_SECONDS)
    busy = (sum(map(cpu, bots)) - before) / (monotonic() - began)
    times = sorted(loop.latencies)
    return Turn(
        p50_ms=times[len(times) // 2] * 1000,
        p99_ms=times[len(times) * 99 // 100] * 1000,
        moves=len(times),
        bots_busy=busy,
    )


def compare(
    turns: int,
    seconds: float,
    tables: int = TABLES,
    level: str = "hard",
    workers: int | None = None,
) -> dict[str, object]:
    """Quiet and busy turns alternating, the medians of both, and their ratios."""
    quiet: list[Turn] = []
    busy: list[Turn] = []
    workers = workers or spare_cores()
    with running_server("--bot-workers", str(workers)) as (port, server):
        loop = Loop()
        people = People(loop, [greeted(port, f"person{n}") for n in range(SEATS)], 1)
        people.hold = True
        people.open()
        while not people.together():
            loop.run(0.1)
        hosts = open_bots(port, level, tables)
        bots = thinking(server, workers)
        for turn in range(2 * turns):
            stop = (turn % 4) in (0, 3)  # quiet busy busy quiet: a slow drift cancels out
            for process in bots:
                process.send_signal(signal.SIGSTOP if stop else signal.SIGCONT)
            (quiet if stop else busy).append(play(loop, people, bots, seconds))
            for host in hosts:
                read_all(host)
        loop.close()
        for host in hosts:
            host.socket.close()
    one, other = median(quiet), median(busy)
    return {
        "quiet": asdict(one),
        "busy": asdict(other),
        "p50_ratio": other.p50_ms / one.p50_ms,
        "p99_ratio": other.p99_ms / one.p99_ms,
        "noise_p99_ratio": noise(quiet),
        "tables": tables,
        "workers": workers,
        "turns": turns,
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
    }


def read_all(peer: Peer) -> None:
    """Take what has come, so that nobody is dropped for not reading."""
    peer.socket.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            peer.receive()
    peer.socket.setblocking(True)


def noise(quiet: list[Turn]) -> float:
    """The same ratio between quiet turns and quiet turns."""
    if len(quiet) < 2:
        return 1.0
    halves = median(quiet[::2]).p99_ms, median(quiet[1::2]).p99_ms
    return max(halves) / min(halves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--turns", type=int, default=12, help="turns of each kind")
    parser.add_argument("--seconds", type=float, default=3.0, help="measured time of a turn")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--level", default="hard")
    parser.add_argument("--workers", type=int, help="processes of bots (default: the server's)")
    wanted = parser.parse_args()
    found = compare(wanted.turns, wanted.seconds, wanted.tables, wanted.level, wanted.workers)
    if wanted.json:
        print(json.dumps(found))
        return
    for name in ("quiet", "busy"):
        run = found[name]
        assert isinstance(run, dict)
        print(f"{name:6}" + "  ".join(f"{key} {value:.2f}" for key, value in run.items()))
    print(f"p50 ratio {found['p50_ratio']:.2f} (must 1.5)  p99 ratio {found['p99_ratio']:.2f} (3)")
    print(f"p99 of quiet turns to quiet turns: {found['noise_p99_ratio']:.2f}")


if __name__ == "__main__":
    main()

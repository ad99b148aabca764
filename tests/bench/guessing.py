"""Wrong codes by the hundred thousand: `python -m tests.bench.guessing [--json]`.

One address says as many wrong codes as it can write, over as many connections as it may
have, to a real server with all settings as they are by default. How many are answered, what
that costs the server, and how long somebody behind the same address waits for a right one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    SUBPROTOCOL,
    VERSION,
    Hello,
    Refused,
    Watch,
    Welcome,
)
from server.app import App
from tests.patience import until
from tests.process.serving import server_process
from tests.server.peer import peer

ADDRESS = "127.0.0.2"
"""Where the wrong codes come from, and the friend who says the right one."""
CONNECTIONS = 110
"""As many as there may be new sessions in a minute, or nearly."""


class Guesser:
    """One connection that says wrong codes, again and again."""

    def __init__(self, port: int, codes: int, told: Counter[str]) -> None:
        self._uri = f"ws://127.0.0.1:{port}"
        self._codes = codes
        self._told = told
        self._token: bytes | None = None

    async def run(self) -> None:
        """Until cancelled; whoever is dropped comes back."""
        while True:
            with suppress(ConnectionClosed, OSError):
                options: dict[str, Any] = {"ping_interval": None, "local_addr": (ADDRESS, 0)}
                async with connect(self._uri, subprotocols=[SUBPROTOCOL], **options) as socket:  # type: ignore[list-item]
                    await self._guess(socket)
            self._told["dropped"] += 1

    async def _guess(self, socket: ClientConnection) -> None:
        hello = Hello(VERSION, "guessing/1", (), "en", "Eve", self._token)
        await socket.send(CLIENT_CODEC.encode(hello))
        welcome = SERVER_CODEC.decode(cast(bytes, await socket.recv()))
        assert isinstance(welcome, Welcome), welcome
        self._token = welcome.token or self._token
        self._told["greeted"] += 1
        saying = asyncio.create_task(self._say(socket))
        try:
            async for data in socket:
                message = SERVER_CODEC.decode(cast(bytes, data))
                if isinstance(message, Refused):
                    self._told[message.code] += 1
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)

    async def _say(self, socket: ClientConnection) -> None:
        while self._codes:
            self._codes -= 1
            await socket.send(CLIENT_CODEC.encode(Watch(f"KIWI-{random.randrange(10**6)}", 0)))
            self._told["said"] += 1


async def measure(codes: int, seconds: float) -> dict[str, object]:
    """What `codes` wrong ones come to while the server is watched for `seconds`."""
    with tempfile.TemporaryDirectory() as folder:
        async with server_process(Path(folder)) as server:
            return await _measure(server.port, psutil.Process(server.pid), codes, seconds)


async def _measure(
    port: int, process: psutil.Process, codes: int, seconds: float
) -> dict[str, object]:
    app = cast(App, SimpleNamespace(port=port))
    told: Counter[str] = Counter()
    waited: list[float] = []
    async with peer(app, "Ann") as ann, peer(app, "Bob", host=ADDRESS) as bob:
        right = await ann.create(listed=False)
        guessers = [Guesser(port, codes // CONNECTIONS + 1, told) for _ in range(CONNECTIONS)]
        tasks = [asyncio.create_task(guesser.run()) for guesser in guessers]
        await until(lambda: told["greeted"] == CONNECTIONS)
        begin, spent = monotonic(), _cpu(process)
        while monotonic() - begin < seconds:
            asked = monotonic()
            await bob.watch(right)
            waited.append(monotonic() - asked)
            await asyncio.sleep(0.5)
        took, spent = monotonic() - begin, _cpu(process) - spent
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "said": told["said"],
        "seconds": took,
        "granted": told["no_table"],
        "refused": told["too_many_codes"],
        "dropped": told["dropped"],
        "cpu_share": spent / took,
        "right_code_p50_ms": statistics.median(waited) * 1000,
        "right_code_most_ms": max(waited) * 1000,
    }


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--codes", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=120.0)
    args = parser.parse_args()
    found = asyncio.run(measure(args.codes, args.seconds))
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:20} {value:,.3f}" if isinstance(value, float) else f"{name:20} {value:,}")


if __name__ == "__main__":
    main()

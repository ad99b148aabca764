"""How long a person waits for a bot: `python -m tests.bench.bot_turns [--json]`.

One real server. A person plays against one `hard` bot, alone on the server at first, and
then beside a stranger at another address who has opened hundreds of tables of five `hard`
bots and attends as many of them as one address may. Each answer of the person's bot is timed
from the entry that asks it to its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

from attrs import asdict, frozen
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import SUBPROTOCOL, Accepted, Create, Refused, Snapshot, Update
from protocol.wire import Wire
from server.games import game_services
from tests.bench.bot_latency import running_server
from tests.server.peer import Peer

TABLES = 600
ATTENDED = 190
"""Of these: as many as the connections that one address may have allow."""
MANY = (
    *("--tables-per-session", "1000", "--tables-per-address", "1000"),
    *("--create-burst", "1000", "--people-per-address", "1000"),
)
"""More than the defaults let one address open."""
_STRANGER = "127.0.0.2"
_SETTLE_SECONDS = 3.0


@frozen
class Waits:
    """What one phase measured."""

    p50_ms: float
    p90_ms: float
    most_ms: float
    answers: int


@asynccontextmanager
async def connected(port: int, name: str, address: str) -> AsyncIterator[Peer]:
    uri = f"ws://127.0.0.1:{port}"
    async with connect(
        uri,
        subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
        compression=None,
        max_queue=None,
        local_addr=(address, 0),
    ) as socket:
        peer = Peer(socket)
        await peer.hello(name)
        yield peer


async def person_waits(port: int, answers: int) -> Waits:
    """Play until the person's bot has answered so often."""
    times: list[float] = []
    async with connected(port, "Ann", "127.0.0.1") as ann:
        while len(times) < answers:
            await ann.create(seats=2, bots=("hard",))
            await _play(ann, times, answers)
    times.sort()
    return Waits(
        p50_ms=times[len(times) // 2] * 1000,
        p90_ms=times[len(times) * 9 // 10] * 1000,
        most_ms=times[-1] * 1000,
        answers=len(times),
    )


async def _play(ann: Peer, times: list[float], answers: int) -> None:
    game, wire = find_game("ra"), Wire(game_services("ra").game.vocabulary)
    chance, said, asked = Chance(b"ann"), -1, 0.0
    while not ann.over and len(times) < answers:
        bots = any(seat != ann.seat for seat, _, _ in ann.public[2])
        asked = perf_counter() if bots else 0.0
        act = ann.answer(game, wire, chance)
        if act is not None and act.token != said:
            said = act.token
            await ann.send(act)
        while not isinstance(await ann.receive(), (Update, Snapshot)):
            pass
        if asked:
            times.append(perf_counter() - asked)


@asynccontextmanager
async def crowd(port: int, tables: int, attended: int) -> AsyncIterator[None]:
    """A stranger's tables: so many, of which so many are attended."""
    ready = asyncio.Semaphore(0)
    each, more = divmod(tables, attended)

    async def attend(number: int) -> None:
        async with connected(port, f"mal{number}", _STRANGER) as mal:
            for _ in range(each + (number < more)):
                create = Create(
                    *(os.urandom(8), "ra", "standard", (), 5, ("hard",) * 5, False, False),
                    os.urandom(16),
                )
                told = await mal.ask(create, (Accepted, Refused))
                assert isinstance(told, Accepted), told
            ready.release()
            try:
                while True:
                    await mal.socket.recv()
            except ConnectionClosed:
                return

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(attend(number)) for number in range(attended)]
        for _ in tasks:
            await ready.acquire()
        await asyncio.sleep(_SETTLE_SECONDS)
        yield
        for task in tasks:
            task.cancel()


async def compare(answers: int, tables: int, attended: int) -> dict[str, object]:
    """The waits alone and beside the stranger, and their ratio."""
    with running_server(*MANY, "--bot-seconds", "10") as (port, _):
        await person_waits(port, 5)  # the processes are started by then
        alone = await person_waits(port, answers)
        async with crowd(port, tables, attended):
            beside = await person_waits(port, answers)
    return {
        "alone": asdict(alone),
        "beside": asdict(beside),
        "p50_ratio": beside.p50_ms / alone.p50_ms,
        "p90_ratio": beside.p90_ms / alone.p90_ms,
        "tables": tables,
        "attended": attended,
        "cores": len(os.sched_getaffinity(0)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--answers", type=int, default=60, help="answers timed in each phase")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--attended", type=int, default=ATTENDED)
    wanted = parser.parse_args()
    found = asyncio.run(compare(wanted.answers, wanted.tables, wanted.attended))
    if wanted.json:
        print(json.dumps(found))
        return
    for name in ("alone", "beside"):
        run = found[name]
        assert isinstance(run, dict)
        print(f"{name:7}" + "  ".join(f"{key} {value:.1f}" for key, value in run.items()))
    print(f"p50 ratio {found['p50_ratio']:.2f}   p90 ratio {found['p90_ratio']:.2f} (must 2)")


if __name__ == "__main__":
    main()

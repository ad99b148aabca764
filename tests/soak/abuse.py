"""One address does everything it may, and a person from another is never refused anything:
`python -m tests.soak.abuse [--minutes N] [--seed S]`.

A real server with all settings as they are by default. `tests.soak.abusing` comes from
127.0.0.2; from 127.0.0.1 one person after the other comes with a new session, opens a table,
plays a game against bots, talks, looks at the list and fetches the record. All that they ask
for is granted and timed, and no connection of theirs is closed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from asyncio.subprocess import PIPE
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import psutil
from attrs import define, field

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import (
    Accepted,
    Create,
    FromClient,
    GetMoveCode,
    GetRecord,
    ListTables,
    MoveCode,
    Record,
    Refused,
    Said,
    Say,
    Snapshot,
    Tables,
    Welcome,
)
from protocol.wire import Wire
from server.app import App
from tests.process.serving import server_process
from tests.server.peer import Peer, peer

M = TypeVar("M")
BOTS = ("easy", "easy")


@define
class Seen:
    """What those from the other address met with."""

    games: int = 0
    refusals: list[str] = field(factory=list)
    actions: list[float] = field(factory=list)
    """Seconds until an action was granted."""
    others: list[float] = field(factory=list)
    """Seconds until anything else was."""


class Somebody:
    """One person, with a session of their own."""

    def __init__(self, one: Peer, seen: Seen) -> None:
        self._one = one
        self._seen = seen

    async def come_and_play(self, seed: str) -> None:
        """Open a table, play a game to its end, and take its record."""
        bots = len(BOTS)
        create = Create(
            os.urandom(8), "ra", "standard", (), bots + 1, BOTS, True, True, os.urandom(16)
        )
        if not await self._asks(create, Accepted):
            return
        await self._one.until(Snapshot)
        await self._asks(ListTables(), Tables)
        await self._asks(Say("Good luck!"), Said)
        await self._play(seed)
        await self._asks(GetMoveCode(), MoveCode)
        if self._one.over:
            await self._asks(GetRecord(self._one.view.table.code), Record)
            self._seen.games += 1

    async def _play(self, seed: str) -> None:
        game, said = find_game("ra"), -1
        wire, chance = Wire(game.vocabulary), Chance(seed.encode())
        while not self._one.over:
            act = self._one.answer(game, wire, chance)
            if act is None or act.token == said:
                self._note(await self._one.receive())
                continue
            said = act.token
            if not await self._asks(act, Accepted):
                return

    async def _asks(self, message: FromClient, kind: type[M]) -> M | None:
        """What is answered; None: a refusal, which is noted."""
        begin = monotonic()
        answer = await self._one.ask(message, (kind, Refused))
        took = self._seen.actions if kind is Accepted else self._seen.others
        took.append(monotonic() - begin)
        return None if self._note(answer) else cast(M, answer)

    def _note(self, heard: object) -> bool:
        if isinstance(heard, Refused):
            self._seen.refusals.append(heard.code)
        return isinstance(heard, Refused)


async def abused(
    folder: Path, seconds: float, seed: str, *flags: str, part: float = 1.0
) -> dict[str, Any]:
    """Play beside the abuse for a while: what was seen, and what the abuser was told, who has
    `part` of the connections that it may have."""
    async with server_process(folder, *flags) as server:
        process, most = psutil.Process(server.pid), 0
        command = (sys.executable, "-m", "tests.soak.abusing", str(server.port), str(seconds))
        some = ("--seed", seed, "--part", str(part))
        abusing = await asyncio.create_subprocess_exec(*command, *some, stdout=PIPE)
        seen, begin, turn = Seen(), monotonic(), 0
        while (left := begin + seconds - monotonic()) > 0:
            turn += 1
            try:
                async with asyncio.timeout(left):
                    await _one_after_the_other(server.port, seen, f"{seed} {turn}")
            except TimeoutError:
                break
            finally:
                most = max(most, process.memory_info().rss)
        spent = process.cpu_times()
        output, _ = await abusing.communicate()
        assert await server.terminate() == 0, "the server ended as it should"
    return {
        "seconds": monotonic() - begin,
        "games": seen.games,
        "refusals": seen.refusals,
        "actions": len(seen.actions),
        **_times("action", seen.actions),
        **_times("other", seen.others),
        "rss_mib": most / 2**20,
        "cpu_share": (spent.user + spent.system) / seconds,
        "abuser": json.loads(output),
    }


async def _one_after_the_other(port: int, seen: Seen, seed: str) -> None:
    app = cast(App, SimpleNamespace(port=port))
    begin = monotonic()
    async with peer(app, None) as one:
        assert isinstance(await one.hello(f"Ann {os.urandom(2).hex()}"), Welcome)
        seen.others.append(monotonic() - begin)
        await Somebody(one, seen).come_and_play(seed)


def _times(name: str, took: list[float]) -> dict[str, float]:
    took = sorted(took) or [0.0]
    parts = {"p50": 0.5, "p99": 0.99}
    found = {f"{name}_{p}_ms": took[int(len(took) * at)] * 1000 for p, at in parts.items()}
    return {**found, f"{name}_most_ms": took[-1] * 1000}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    given = parser.parse_args()
    sys.stdout.write(f"abuse: seed {given.seed}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(abused(Path(folder), given.minutes * 60, given.seed))
    sys.stdout.write(f"abuse: {json.dumps(found, indent=1)}\n")
    assert not found["refusals"] and found["games"], "somebody was refused"


if __name__ == "__main__":
    main()

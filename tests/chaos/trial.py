"""Tables of scripted players at a server, and what must be true at every quiet point."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack

from engine.entry import Entry
from engine.stream import Stream
from server.games import game_services
from server.store.reader import Reader
from tests.chaos.player import Group, Player
from tests.patience import PATIENCE, until

PLAYERS = 3
FLAGS = (
    *("--heartbeat-seconds", "0.25", "--ping-seconds", "1", "--close-seconds", "0.3"),
    *("--create-rate", "1000", "--create-burst", "1000"),
    *("--file-rate", "1000", "--file-burst", "1000"),
)
"""For a server whose clients come and go all the time."""


class Trial:
    """Some tables with their players, running."""

    def __init__(self, database: Path, groups: Sequence[Group], running: asyncio.Future[None]):
        self._database = database
        self.groups = groups
        self._running = running
        self.quiet_points = 0

    @property
    def players(self) -> list[Player]:
        return [player for group in self.groups for player in group.members]

    @property
    def answered(self) -> int:
        """Actions that were acknowledged so far."""
        return sum(len(player.answers) for player in self.players)

    @property
    def tables(self) -> int:
        return sum(len(group.codes) for group in self.groups)

    async def go_on(self, seconds: float) -> None:
        """Let them play for a while; raises what a player asserts."""
        for group in self.groups:
            group.paused = False
        await asyncio.wait((self._running,), timeout=seconds)
        if self._running.done():
            self._running.result()

    async def rest(self) -> None:
        """A quiet point: wait until nothing is under way, and check everything."""
        for group in self.groups:
            group.paused = True
        with Reader(self._database) as reader:
            try:
                await until(lambda: not self._unsettled(reader))
            except TimeoutError:
                raise AssertionError(f"stuck: {self._unsettled(reader)}") from None
            for group in self.groups:
                for code in group.codes:
                    check_table(code, group, entries_of(reader, code))
        self.quiet_points += 1
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*[self._compare(player) for player in self.players])

    def _unsettled(self, reader: Reader) -> list[str]:
        """Who has something under way, or not yet what is stored. All must be settled at
        one look: what one still waits for is new to the others."""
        if self._running.done():
            self._running.result()
        last = {code: reader.find(code) for code in {player.code for player in self.players}}
        names = []
        for player in self.players:
            row = last[player.code]
            settled = player.settled(row.number) if row is not None else not player.code
            if player.pending is not None or not settled:
                names.append(player.name)
        return sorted(names)

    async def _compare(self, player: Player) -> None:
        if not player.code:
            return
        comparing = asyncio.ensure_future(player.compare())
        await asyncio.wait((comparing, self._running), return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            comparing.cancel()
            self._running.result()
        kept, fresh = comparing.result()
        with Reader(self._database) as reader:
            stream = Stream.replay(entries_of(reader, player.code))
        projector = game_services("ra").projector
        seat = player.seat if stream.match is not None else None
        assert kept.number == fresh.number == stream.number, player.name
        assert kept.public == fresh.public == msgpack.packb(projector.public(stream)), player.name
        assert kept.private == fresh.private, player.name
        if seat is not None:
            assert kept.private == msgpack.packb(projector.private(stream, seat)), player.name


def entries_of(reader: Reader, code: str) -> list[Entry]:
    codec = game_services("ra").entries
    return [codec.decode(row.body) for row in reader.read(code).rows]


def check_table(code: str, group: Group, entries: list[Entry]) -> None:
    """Every acknowledged action is there with its number, none twice, none of nobody's;
    what was told is what is stored; all seats are those who took them."""
    projector = game_services("ra").projector
    acts: dict[tuple[int | None, bytes | None], Entry]
    acts = {(entry.seat, entry.id): entry for entry in entries if entry.seat is not None}
    assert len(acts) == sum(entry.seat is not None for entry in entries), "an action twice"
    seats = {player.seats[code]: player for player in group.members if code in player.seats}
    for (seat, id), entry in acts.items():
        player = seats.get(seat)
        if player is not None and id is not None and (code, id) in player.answers:
            continue
        open = player is not None and player.pending is not None and player.pending.id == id
        assert open or player is None, f"entry {entry.number} of {code} was never answered"
    for player in group.members:
        own = player.seats.get(code)
        for (at, id), number in player.answers.items():
            if at == code:
                assert acts[own, id].number == number, "an acknowledged action is not there"
    told = {entry.number: projector.happened(entry, None) for entry in entries}
    for player in group.members:
        for (at, number), happened in player.told.items():
            assert at != code or told[number] == happened, "told what did not happen"


@asynccontextmanager
async def trial(
    database: Path,
    port: int,
    tables: int,
    seed: str,
    *,
    spectators: int = 1,
    silence: float = 1.0,
) -> AsyncIterator[Trial]:
    """`tables` tables with their players and spectators, who all connect to `port`."""
    groups = [Group() for _ in range(tables)]
    for at, group in enumerate(groups):
        for n in range(PLAYERS + spectators):
            Player(
                group,
                port,
                f"P{at}-{n}",
                f"{seed}/{at}/{n}",
                spectator=n >= PLAYERS,
                silence=silence,
            )
    tasks = [asyncio.ensure_future(p.run()) for group in groups for p in group.members]
    running = asyncio.ensure_future(_together(tasks))
    try:
        yield Trial(database, groups, running)
    finally:
        running.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(running, *tasks, return_exceptions=True)


async def _together(tasks: Sequence[asyncio.Future[None]]) -> None:
    await asyncio.gather(*tasks)

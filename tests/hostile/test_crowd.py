"""A crowd that says anything well-formed, in any order, at tables where others play."""

from __future__ import annotations

import asyncio
import random

from attrs import evolve

from engine.game import find_game
from protocol.messages import (
    CLIENT_CODEC,
    Act,
    Beat,
    CloseTable,
    Create,
    FromClient,
    GetRecord,
    GetTranscript,
    JoinTable,
    LeaveTable,
    ListTables,
    Say,
    StartMatch,
    Watch,
)
from server.app import App
from server.tables.directory import row_of
from tests.patience import PATIENCE
from tests.server.peer import QUIET, peer, server

SAID = 400
GENEROUS = evolve(
    QUIET,
    message_rate=1e6,
    create_burst=1000,
    file_burst=1000,
    tables_per_session=1000,
)


def anything(rng: random.Random, codes: list[str], ids: list[bytes]) -> FromClient:
    """A well-formed message; ids and codes are often those of others."""
    id, code = rng.choice(ids), rng.choice(codes)
    nonce = rng.randbytes(16)
    game = rng.choice(("ra", "ra", "miniature", "chess"))
    bots = tuple(rng.choices(("random", "easy", "none"), (9, 3, 1), k=rng.randrange(4)))
    ruleset = rng.choice((*find_game("ra").rulesets, "open", "veiled"))
    token, since = rng.randrange(200), rng.choice((0, 1, 5, 1 << 62))
    command = rng.choice(((32,), (33,), (36,), (35, 9), (34, (1, 2)), (6, 1), (37, (4,)), (9,)))
    return rng.choice(
        (
            Create(id, game, ruleset, (), rng.randrange(7), bots, True, rng.random() < 0.8, nonce),
            ListTables(),
            JoinTable(id, code, nonce),
            Watch(code, since),
            LeaveTable(id),
            StartMatch(id),
            CloseTable(id),
            Act(id, token, command),
            Act(id, token, command),
            Say("\u202e" * rng.randrange(3)),
            Beat(),
            GetTranscript(),
            GetRecord(code),
        )
    )


async def babble(app: App, seed: int, codes: list[str], ids: list[bytes]) -> None:
    rng = random.Random(seed)
    async with peer(app, f"Babbler {seed}") as one:
        for said in range(SAID):
            await one.socket.send(CLIENT_CODEC.encode(anything(rng, codes, ids)))
            if one.public is not None:
                codes.append(one.public[0][0])
            if said % 5 == 4:
                await one.receive()
        # What is said last is answered last, unless a well-formed message closed the connection.
        await one.send(Act(b"the last", 1, (32,)))
        while getattr(await one.receive(), "id", None) != b"the last":
            pass


async def test_a_crowd_that_says_anything_meets_refusals_and_no_fault() -> None:
    async with server(GENEROUS) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(bots=("random",))
        codes, ids = [code], [bytes([n]) for n in range(1, 12)]
        await bob.join(code)
        crowd = [babble(app, seed, codes, ids) for seed in range(6)]
        game = asyncio.gather(ann.play(), bob.play())
        await asyncio.wait_for(asyncio.gather(*crowd, game), 2 * PATIENCE)
        assert ann.over and app.counters.faults == 0
        # every log is whole, and the directory says what it says
        for table in await app.store.tables():
            rows = (await app.store.read(table)).rows
            assert row_of(rows).number == len(rows)

"""Whole games through real sockets."""

from __future__ import annotations

import asyncio
from io import BytesIO

import pytest
from attrs import evolve

from engine.game import find_game
from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    GetRecord,
    GetTranscript,
    LeaveTable,
    Left,
    Record,
    Refused,
    Said,
    Say,
    StartMatch,
)
from protocol.record import read_record
from tests.server.peer import QUIET, peer, server


@pytest.mark.parametrize(("game", "ruleset"), [("ra", ""), ("miniature", "veiled")])
async def test_three_people_play_a_whole_game_and_all_see_the_same(game: str, ruleset: str) -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Cid") as cid, peer(app, "Eve") as eve:
            code = await ann.create(game, ruleset)
            await eve.watch(code)
            for other in (bob, cid):
                assert isinstance(await other.join(code), Accepted)

            async def look_on() -> None:
                while not eve.over:
                    await eve.receive()

            everybody = (ann.play(game, b"a"), bob.play(game, b"b"), cid.play(game, b"c"))
            await asyncio.wait_for(asyncio.gather(*everybody, look_on()), 60)
            assert ann.public == bob.public == cid.public == eve.public
            assert eve.private is None and ann.view.table.phase is Phase.OVER
            record = read_record(BytesIO((await eve.ask(GetRecord(code), Record)).data))
            assert record.ending.result is not None
            assert [player.name for player in record.header.players] == ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("game", ["ra", "miniature"])
async def test_one_person_plays_against_bots(game: str) -> None:
    bots = (next(iter(find_game(game).bots)),) * 2
    async with server() as app, peer(app) as ann:
        await ann.create(game, bots=bots)
        await asyncio.wait_for(ann.play(game), 60)
        assert ann.view.table.phase is Phase.OVER


async def test_a_table_of_bots_alone_finishes_and_can_be_watched_afterwards() -> None:
    async with server() as app, peer(app) as ann:
        bots = tuple(find_game("ra").bots)[:1] * 3
        await ann.create(bots=bots, sit=False)
        while not ann.over:
            await ann.receive()
        assert ann.seat is None and ann.private is None


async def test_the_host_starts_with_gaps_and_seats_are_dense() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Cid") as cid:
            code = await ann.create(seats=4)
            await bob.join(code)
            await cid.join(code)
            assert cid.seat == 2
            await bob.ask(LeaveTable(b"go"), Left)
            await ann.ask(StartMatch(b"start"), Accepted)
            while cid.public[1] is None:
                await cid.receive()
            assert cid.view.table.places == (0, 2)
            assert (ann.seat, cid.seat) == (0, 1)
            assert cid.private is not None
            await asyncio.gather(ann.play(), cid.play())


async def test_a_file_that_no_message_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.net.handlers.MAX_FILE", 1000)
    async with server() as app, peer(app) as ann:
        code = await ann.create("miniature", bots=("random",) * 2)
        await asyncio.wait_for(ann.play("miniature"), 60)
        for ask in (GetRecord(code), GetTranscript()):
            refused = await ann.ask(ask, Refused)
            facts = dict(refused.facts)
            assert (refused.code, facts["most"]) == ("too_large", "1000")
            assert int(facts["size"]) > 1000


async def test_a_file_larger_than_what_may_wait_for_a_client_ends_no_connection() -> None:
    """It would count as not read, before anybody could have read it."""
    async with server(evolve(QUIET, outbox_bytes=6000)) as app, peer(app) as ann:
        code = await ann.create("ra", bots=("random",) * 3, sit=False)
        async with asyncio.timeout(60):
            while ann.view.table.phase is not Phase.OVER:
                await ann.receive()
        refused = await ann.ask(GetRecord(code), Refused)
        assert (refused.code, dict(refused.facts)["most"]) == ("too_large", "6000")
        assert (await ann.ask(Say("still here"), Said)).text == "still here"

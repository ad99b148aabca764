"""Nobody is sent what they may not know, whoever they are and whatever they ask."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import (
    SERVER_CODEC,
    Accepted,
    Act,
    GetRecord,
    GetTranscript,
    LeaveTable,
    Left,
    Record,
    Refused,
    Snapshot,
    StartMatch,
    Transcript,
    Update,
)
from protocol.record import read_record
from protocol.transcript import read_transcript
from protocol.wire import Wire
from tests.server.peer import QUIET, Peer, peer, server

CARRIES_VIEWS = (Snapshot, Update, Transcript, Record)


def parts(one: Peer) -> list[object]:
    """Every private part that was sent to one connection."""
    messages = [SERVER_CODEC.decode(frame) for frame in one.frames]
    return [m.private for m in messages if isinstance(m, (Snapshot, Update))]


def choice(one: Peer) -> Act:
    game = find_game("miniature")
    made = one.answer(game, Wire(game.vocabulary), Chance(b"sealed"))
    assert made is not None
    return made


async def test_who_has_no_seat_sees_the_strict_public_view_and_no_more() -> None:
    """A spectator, a player who left, and a socket in the lobby, beside three seats."""
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Gone") as gone, peer(app, "Eve") as eve, peer(app, "Lob") as lob:
            code = await ann.create(seats=4)
            await gone.join(code)
            await bob.join(code)
            await gone.ask(LeaveTable(b"leave"), Left)
            await gone.watch(code)
            await eve.watch(code)
            await ann.ask(StartMatch(b"go"), Accepted)
            for _ in range(2):
                assert (await lob.ask(GetRecord(code), Refused)).code == "not_ended"
            await asyncio.gather(ann.play(), bob.play())
            for watcher in (gone, eve):
                while not watcher.over:
                    await watcher.receive()
                assert watcher.seat is None and set(parts(watcher)) == {None}
            assert any(part is not None for part in parts(ann))
            kinds = {type(SERVER_CODEC.decode(frame)) for frame in lob.frames}
            assert not kinds & set(CARRIES_VIEWS)
            spectators = [
                [m.public for m in map(SERVER_CODEC.decode, one.frames) if isinstance(m, Update)]
                for one in (gone, eve)
            ]
            assert spectators[0][-50:] == spectators[1][-50:]


async def test_no_frame_before_the_end_holds_the_secret_or_the_seed() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create("ra", bots=("random", "random"))
        await eve.watch(code)
        secret = app.residents.tables[code].stream.sealed.secret
        assert len(secret) == 32
        for one in (ann, eve):
            assert (await one.ask(GetRecord(code), Refused)).code == "not_ended"
            await one.ask(GetTranscript(), Transcript)
        await ann.play()
        while not eve.over:
            await eve.receive()
        for one in (ann, eve):
            told = [number for number, frame in enumerate(one.frames) if secret in frame]
            assert told == [len(one.frames) - 1] or len(told) == 1
            last = SERVER_CODEC.decode(one.frames[told[0]])
            assert isinstance(last, Update) and last.number == one.number


async def test_a_transcript_in_the_middle_is_what_its_audience_was_sent() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create("miniature", "veiled", seats=2)
        await eve.watch(code)
        async with peer(app, "Bob") as bob:
            await bob.join(code)
            while ann.public[1] is None or bob.public[1] is None:
                await min(ann, bob, key=lambda one: one.number).receive()
            for one in (ann, bob):  # two sealed choices, which are shown, then one that is not
                await one.send(choice(one))
            while ann.number < 4 or bob.number < 4:
                await min(ann, bob, key=lambda one: one.number).receive()
            await ann.ask(choice(ann), Accepted)
            for one in (ann, bob, eve):
                transcript = read_transcript(
                    BytesIO((await one.ask(GetTranscript(), Transcript)).data)
                )
                assert not transcript.ended
                assert transcript.heading.seat == one.seat
                live = [m for m in map(SERVER_CODEC.decode, one.frames) if isinstance(m, Update)]
                updates = {update.number: update for update in transcript.updates}
                assert all(updates[update.number] == update for update in live)


async def test_the_record_is_saved_and_served_when_the_match_is_over(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    async with server(evolve(QUIET, records=folder)) as app, peer(app, "Ann") as ann:
        bots = tuple(find_game("ra").bots)[:2]
        code = await ann.create(bots=bots)
        await ann.play()
        data = (await ann.ask(GetRecord(code), Record)).data
        record = read_record(BytesIO(data))
        assert record.ending.result is not None
        async with peer(app, "Stranger") as stranger:
            assert (await stranger.ask(GetRecord(code), Record)).data == data
    assert (folder / f"{code}.ra").read_bytes() == data
    assert [path.name for path in folder.iterdir()] == [f"{code}.ra"]


async def test_files_may_be_asked_for_at_a_slow_rate() -> None:
    async with server(evolve(QUIET, file_burst=3, file_rate=0.01)) as app, peer(app) as ann:
        await ann.create()
        for _ in range(3):
            await ann.ask(GetTranscript(), Transcript)
        assert (await ann.ask(GetTranscript(), Refused)).code == "too_fast"

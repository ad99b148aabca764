"""Transcripts: exactly what one audience was sent, and nothing it may not know."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from engine.deal import Chance
from engine.game import Setup
from engine.stream import Request, Stream, open_stream
from engine.table.words import Join, Leave, Open, Start
from protocol.chain import Fault, FileError, write_parts
from protocol.delta import apply
from protocol.messages import SERVER_CODEC, Snapshot, Update
from protocol.project import Projector
from protocol.record import read_record
from protocol.transcript import (
    END_MARK,
    HEADING,
    TRANSCRIPT,
    EndMark,
    Follower,
    Heading,
    WholeTranscript,
    read_transcript,
    write_transcript,
)
from tests.games import NAMES, Played, nonce, open_table, person, seed, setups, whole_game
from tests.protocol.test_record import record_of

VEILED = Setup("veiled", 3)
HEAD = Heading("T-1", "miniature", 1, "open", (), "tests 1.0", None)


def written(played: Played, seat: int | None, upto: int | None = None) -> bytes:
    projector = Projector(played.game)
    return b"".join(write_transcript(played.entries[:upto], projector, seat, "tests 1.0"))


def followed(transcript: WholeTranscript) -> list[tuple[Any, Any]]:
    """Public and private view after each number, as a client builds them up."""
    public, private = transcript.snapshot.public, transcript.snapshot.private
    views = [(public, private)]
    for update in transcript.updates:
        public = apply(public, update.public[1])
        if update.private is not None:
            private = apply(private, update.private[1])
        views.append((public, private))
    return views


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_leads_through_every_view_of_its_audience(name: str) -> None:
    played = whole_game(name, setups(name)[-1], 3)
    projector = Projector(played.game)
    assert played.stream.match is not None
    for seat in (None, *range(played.stream.match.setup.seats)):
        transcript = read_transcript(BytesIO(written(played, seat)))
        stream: Stream | None = None
        for entry, (public, private) in zip(played.entries, followed(transcript), strict=True):
            if stream is None:
                stream = Stream(entry)
            else:
                stream.fold(entry)
            assert SERVER_CODEC.encode(
                Snapshot(1, None, public, private, ())
            ) == SERVER_CODEC.encode(
                Snapshot(1, None, projector.public(stream), projector.private(stream, seat), ())
            )
        assert transcript.ended
        assert transcript.heading.seat == seat


def test_of_a_running_match_there_is_a_transcript_that_says_so() -> None:
    played = whole_game("miniature", VEILED, 3)
    transcript = read_transcript(BytesIO(written(played, 0, 6)))
    assert not transcript.ended
    assert len(transcript.updates) == 5


def test_a_transcript_grows_only_at_its_end() -> None:
    """What an audience was sent does not change by what happens later."""
    played = whole_game("miniature", VEILED, 3)
    short = read_transcript(BytesIO(written(played, 1, 5)))
    long = read_transcript(BytesIO(written(played, 1)))
    assert long.updates[: len(short.updates)] == short.updates


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_of_a_running_match_holds_no_secret(name: str) -> None:
    """For no audience, whatever has happened until then."""
    setup = setups(name)[-1]
    played = whole_game(name, setup, 0x5EC12E7)
    secret = seed(0x5EC12E7)
    for upto in range(1, len(played.entries), 1 + len(played.entries) // 4):
        for seat in (None, *range(setup.seats)):
            running = written(played, seat, upto)
            assert secret not in running
    ended = written(played, None)
    assert secret in ended, "so it would have been found"


def test_a_record_and_a_transcript_are_two_kinds_of_file() -> None:
    played = whole_game("miniature", VEILED, 3)
    with pytest.raises(FileError) as error:
        read_transcript(BytesIO(record_of(played)))
    assert error.value.fault is Fault.NOT_OURS
    with pytest.raises(FileError) as error:
        read_record(BytesIO(written(played, None)))
    assert error.value.fault is Fault.NOT_OURS


def test_every_shorter_transcript_is_refused() -> None:
    whole = written(whole_game("miniature", VEILED, 3), 2)
    for size in range(0, len(whole), 11):
        with pytest.raises(FileError):
            read_transcript(BytesIO(whole[:size]))


def test_what_is_no_transcript_inside_is_refused() -> None:
    snapshot = SERVER_CODEC.encode(Snapshot(1, None, None, None, ()))
    update = SERVER_CODEC.encode(Update(2, ((), ()), None))
    end = END_MARK.encode(EndMark(False))
    head = HEADING.encode(HEAD)
    for header, messages, mark in (
        (head, [], end),
        (head, [update], end),
        (head, [snapshot, snapshot], end),
        (head, [snapshot, update, update], end),
        (head, [update, update], end),
        (head, [snapshot, b"\xc0"], end),
        (b"\xc0", [snapshot], end),
        (head, [snapshot], b"\xc0"),
    ):
        data = b"".join(write_parts(TRANSCRIPT, header, messages, mark))
        with pytest.raises(FileError) as error:
            read_transcript(BytesIO(data))
        assert error.value.fault is Fault.UNREADABLE


def test_a_private_part_stands_only_where_there_is_something_private() -> None:
    played = open_table("miniature", Setup("open", 2), number=3)
    projector = Projector(played.game)
    follower = Follower(projector, played.stream, 1)
    parts = [
        follower.update(played.stream, entry).private for entry in played.moves(Chance(seed(3)))
    ]
    assert None in parts
    assert any(part is not None for part in parts)


def test_a_seat_is_known_by_its_place_at_the_table_until_the_match_starts() -> None:
    """Where gaps were closed, table seat and match seat differ: a reader of the
    transcript is to find itself in both."""
    opening = Open("miniature", "veiled", (), 4, (), True, True, "Ann", nonce(0))
    entry = open_stream(
        opening, id=None, person=person(0), code="T-1", secret=seed(1), bot_nonces=(), time=0
    )
    played = Played(Stream(entry), [entry])
    for who, name in ((1, "Bo"), (2, "Cy")):
        played.request(Request(Join(name, nonce(who)), None, person(who)))
    played.request(Request(Leave(), None, person(1)))
    waiting = read_transcript(BytesIO(written(played, 2)))
    assert waiting.snapshot.seat == 2
    played.request(Request(Start(), None, person(0)))
    cys = read_transcript(BytesIO(written(played, 1)))
    assert (cys.heading.seat, cys.snapshot.seat) == (1, 2)
    full = open_stream(
        Open("miniature", "veiled", (), 2, ("easy", "easy"), True, False, "", b""),
        id=None, person=person(0), code="T-2", secret=seed(1),
        bot_nonces=(nonce(1), nonce(2)), time=0,
    )  # fmt: skip
    data = written(Played(Stream(full), [full]), 1)
    assert read_transcript(BytesIO(data)).snapshot.seat == 1

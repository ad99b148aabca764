"""Records: a whole match in one file, never a shortened one, never of a running one."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest
from attrs import evolve

from engine.entry import Entry
from engine.game import Result, Setup
from engine.stream import Request, Stream, open_stream
from engine.table.words import Close, CloseReason, Open, Phase, Revealed, TableOpened
from protocol.chain import Fault, FileError, write_parts
from protocol.codec import dumps
from protocol.entries import entry_codec
from protocol.record import (
    ENDING,
    HEADER,
    RECORD,
    Ending,
    Header,
    RecordedPlayer,
    RecordReader,
    each_entry,
    ending_of,
    fold,
    header_of,
    read_record,
    write_record,
)
from tests.games import NAMES, Played, nonce, open_table, person, seed, setups, whole_game
from tests.miniature.game import MINIATURE, Miniature
from tests.miniature.state import Deal

VEILED = Setup("veiled", 2)
CODEC = entry_codec(MINIATURE.vocabulary)
GAME = whole_game("miniature", VEILED, 4)


def record_of(played: Played) -> bytes:
    codec = entry_codec(played.game.vocabulary)
    bodies = [codec.encode(entry) for entry in played.entries]
    return b"".join(write_record(played.stream, bodies, "tests 1.0"))


def forged(
    entries: Iterable[Entry | bytes], header: Header | None = None, ending: Ending | None = None
) -> bytes:
    """A file with a right chain around anything, as whoever knows the format can make."""
    bodies = [e if isinstance(e, bytes) else CODEC.encode(e) for e in entries]
    return b"".join(
        write_parts(
            RECORD,
            HEADER.encode(header or header_of(GAME.stream, "tests 1.0")),
            bodies,
            ENDING.encode(ending or ending_of(GAME.stream)),
        )
    )


def fault(data: bytes, **options: Any) -> tuple[Fault, int]:
    with pytest.raises(FileError) as error:
        read_record(BytesIO(data), **options)
    return error.value.fault, error.value.number


@pytest.mark.parametrize("name", NAMES)
def test_a_record_holds_the_whole_match(name: str) -> None:
    for number, setup in enumerate(setups(name)):
        played = whole_game(name, setup, number)
        record = read_record(BytesIO(record_of(played)))
        assert list(record.entries) == played.entries
        assert record.ending.phase is Phase.OVER
        assert record.ending.result == ending_of(fold(record.entries)).result
        assert record.header.players == tuple(
            RecordedPlayer(f"Player {seat + 1}", None) for seat in range(setup.seats)
        )
        assert (record.header.game, record.header.ruleset) == (name, setup.ruleset)


def test_an_abandoned_match_says_that_it_has_no_result() -> None:
    played = open_table("miniature", VEILED)
    played.request(Request(Close(CloseReason.ABANDONED)))
    record = read_record(BytesIO(record_of(played)))
    assert record.ending == Ending(Phase.CLOSED, None)


def test_a_closed_lobby_and_a_table_of_bots_have_records_too() -> None:
    opening = Open("miniature", "open", (), 3, ("easy",), True, True, "Ann", nonce(0))
    entry = open_stream(
        opening, id=None, person=person(0), code="T-1", secret=seed(1),
        bot_nonces=(nonce(5),), time=0,
    )  # fmt: skip
    played = Played(Stream(entry), [entry])
    played.request(Request(Close(CloseReason.REAPED)))
    record = read_record(BytesIO(record_of(played)))
    assert record.header.players == (
        RecordedPlayer("Ann", None),
        RecordedPlayer("easy bot 3", "easy"),
    )
    assert record.ending == Ending(Phase.CLOSED, None)


def test_a_running_match_is_never_written_as_a_record() -> None:
    for played in (open_table("miniature", VEILED), open_table("ra", Setup("standard", 3))):
        with pytest.raises(ValueError, match="never as a record"):
            record_of(played)


def test_a_record_of_fewer_entries_is_not_written() -> None:
    bodies = [CODEC.encode(entry) for entry in GAME.entries]
    for some in (bodies[:-1], [*bodies, bodies[-1]]):
        with pytest.raises(ValueError, match="entries given"):
            b"".join(write_record(GAME.stream, some, "tests 1.0"))


def test_only_who_read_it_all_knows_how_it_ended() -> None:
    reader = RecordReader(BytesIO(record_of(GAME)))
    entries = iter(reader)
    for _ in range(len(GAME.entries)):
        next(entries)
        assert reader.ending is None
    assert next(entries, None) is None
    assert reader.ending == ending_of(GAME.stream)


def test_every_shorter_record_is_refused() -> None:
    whole = record_of(GAME)
    for size in range(0, len(whole), 7):
        assert fault(whole[:size])[0] in (Fault.TORN, Fault.CUT, Fault.NOT_OURS)


def test_later_rules_are_refused_with_both_numbers() -> None:
    later = evolve(header_of(GAME.stream, "later 9"), rules=5)
    with pytest.raises(FileError, match=r"5.*1") as error:
        read_record(BytesIO(forged(GAME.entries, later)))
    assert error.value.fault is Fault.FUTURE_RULES


def test_later_rules_behind_an_honest_header_are_refused_as_well() -> None:
    opened, *rest = GAME.entries[0].events
    assert isinstance(opened, TableOpened)
    first = evolve(GAME.entries[0], events=(evolve(opened, rules=5), *rest))
    assert fault(forged([first, *GAME.entries[1:]])) == (Fault.FUTURE_RULES, 1)


def test_an_unknown_game_is_named() -> None:
    other = evolve(header_of(GAME.stream, "tests 1.0"), game="chess")
    with pytest.raises(FileError, match="chess") as error:
        read_record(BytesIO(forged(GAME.entries, other)))
    assert error.value.fault is Fault.UNKNOWN_GAME
    opened, *rest = GAME.entries[0].events
    assert isinstance(opened, TableOpened)
    first = evolve(GAME.entries[0], events=(evolve(opened, game="chess"), *rest))
    with pytest.raises(FileError) as error:
        fold([first])
    assert error.value.fault is Fault.UNKNOWN_GAME


def altered(at: int, /, **changes: Any) -> list[Entry]:
    return [evolve(e, **changes) if e.number == at else e for e in GAME.entries]


def test_events_of_a_later_version_are_named() -> None:
    tree = CODEC.pack(GAME.entries[3])
    unknown = dumps((*tree[:7], (*tree[7], (77, 1)), tree[8]))
    longer = dumps((*tree[:7], ((*tree[7][0], 1), *tree[7][1:]), tree[8]))
    other = dumps((*tree, None, 1))
    for body, found in (
        (unknown, Fault.UNKNOWN_EVENT),
        (longer, Fault.UNKNOWN_FIELD),
        (other, Fault.UNKNOWN_FIELD),
        (b"\xc0", Fault.UNREADABLE),
    ):
        entries: list[Entry | bytes] = [*GAME.entries[:3], body, *GAME.entries[4:]]
        assert fault(forged(entries)) == (found, 4)


def test_entries_that_cannot_follow_are_named() -> None:
    for entries in (
        altered(4, seat=9),
        altered(2, sealed=None),
        altered(GAME.stream.number, events=GAME.entries[-1].events[:-1]),
    ):
        assert fault(forged(entries))[0] is Fault.IMPOSSIBLE
    assert fault(forged([]))[0] is Fault.IMPOSSIBLE


def test_a_record_of_any_number_of_entries_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.chain.MAX_ENTRIES", 5)
    assert fault(forged([*GAME.entries[:5], *[b"what is never looked at"] * 9])) == (
        Fault.TOO_LONG,
        6,
    )


def test_a_renumbered_entry_is_unreadable() -> None:
    assert fault(forged(altered(4, number=7))) == (Fault.UNREADABLE, 4)


def test_a_shortened_match_in_a_sound_file_is_refused() -> None:
    """The last entries are left out and the rest is chained again: still no whole match."""
    assert fault(forged(GAME.entries[:-1]))[0] is Fault.IMPOSSIBLE
    running = Ending(Phase.PLAYING, None)
    assert fault(forged(GAME.entries[:-1], ending=running))[0] is Fault.IMPOSSIBLE


def test_another_ending_or_header_than_the_entries_have_is_refused() -> None:
    for ending in (
        Ending(Phase.OVER, Result((99, 0), (0,))),
        Ending(Phase.OVER, None),
        Ending(Phase.CLOSED, ending_of(GAME.stream).result),
    ):
        assert fault(forged(GAME.entries, ending=ending))[0] is Fault.IMPOSSIBLE
    header = header_of(GAME.stream, "tests 1.0")
    for other in (
        evolve(header, ruleset="open"),
        evolve(header, players=header.players[:1]),
        evolve(header, code="T-2"),
        evolve(header, rules=0),
    ):
        assert fault(forged(GAME.entries, other)) == (Fault.IMPOSSIBLE, 0)


def test_an_old_record_replays_by_its_facts_under_changed_rules() -> None:
    """A rule is changed and the rules number raised: what happened stays what happened."""

    class Later(Miniature):
        rules = 2

        def decide(self, state: Any, seat: int, command: Any) -> Any:
            raise AssertionError("nothing is decided again when a record is read")

        def deal(self, setup: Setup, chance: Any) -> Deal:
            raise AssertionError("nothing is dealt again when a record is read")

    record = read_record(BytesIO(record_of(GAME)), lambda _: Later())
    assert record.ending == ending_of(GAME.stream)


def test_the_record_of_an_ended_match_holds_the_secret() -> None:
    record = read_record(BytesIO(record_of(GAME)))
    revealed = record.entries[-1].events[-1]
    assert isinstance(revealed, Revealed)
    assert revealed.secret == seed(4)


def test_stored_bodies_are_read_as_entries_of_their_game() -> None:
    bodies = [CODEC.encode(entry) for entry in GAME.entries]
    assert list(each_entry("miniature", bodies)) == GAME.entries
    for name, broken, found in (
        ("chess", bodies, Fault.UNKNOWN_GAME),
        ("miniature", [*bodies[:2], b"\xc0"], Fault.UNREADABLE),
    ):
        with pytest.raises(FileError) as error:
            list(each_entry(name, broken))
        assert error.value.fault is found

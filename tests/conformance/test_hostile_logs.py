"""Records with anything in them, soundly chained: reading ends in a FileError or in a
record that can be verified and shown; never in another exception."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from attrs import evolve

from client.replay.recording import EVERYBODY
from client.replay.stored import recording_of
from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.entry import Entry
from engine.errors import BrokenLog
from engine.stream import Stream
from engine.verify import Subject, Verdict, failed, verify
from protocol.chain import FileError, write_parts
from protocol.codec import ProtocolError, dumps, loads
from protocol.entries import entry_codec
from protocol.record import ENDING, HEADER, RECORD, ending_of, header_of, read_record
from tests.games import NAMES, open_table, person, seed, setups, whole_game

ANYTHING = (0, 1, -1, 2, 5, 99, 1 << 40, None, True, "x\x1b[31m", b"zz", (), ((0,),))
"""What takes the place of a leaf."""
CASES = 100


def leaves(tree: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths of all leaves of a tree."""
    if type(tree) is not tuple:
        return [path]
    return [leaf for at, item in enumerate(tree) for leaf in leaves(item, (*path, at))]


def changed(tree: Any, path: tuple[int, ...], value: Any) -> Any:
    """The tree with another value at a path."""
    if not path:
        return value
    at, *rest = path
    return (*tree[:at], changed(tree[at], tuple(rest), value), *tree[at + 1 :])


@pytest.mark.parametrize("name", NAMES)
def test_a_record_of_anything_is_refused_or_read(name: str) -> None:
    played = whole_game(name, setups(name)[0], 5)
    codec = entry_codec(played.game.vocabulary)
    bodies = [codec.encode(entry) for entry in played.entries]
    header = HEADER.encode(header_of(played.stream, "tests 1.0"))
    end = ENDING.encode(ending_of(played.stream))
    chance, outcomes = Chance(seed(11)), {"refused": 0, "read": 0}
    for case in range(CASES):
        at = chance.below(len(bodies))
        tree = loads(bodies[at])
        body = dumps(changed(tree, chance.choice(leaves(tree)), chance.choice(ANYTHING)))
        parts = write_parts(RECORD, header, [*bodies[:at], body, *bodies[at + 1 :]], end)
        try:
            record = read_record(BytesIO(b"".join(parts)))
        except FileError:
            outcomes["refused"] += 1
            continue
        outcomes["read"] += 1
        findings = verify(record.entries, record.ending.result)
        assert [finding.subject for finding in findings] == list(Subject)[1:]
        if case % 5 == 0:
            stream = Stream.replay(record.entries)
            try:
                recording = recording_of("record", record.entries, stream, reveal=False)
                assert len(recording.steps(EVERYBODY)) == len(record.entries)
            except ProtocolError:
                continue
    assert min(outcomes.values()) > 5


def mutated(entries: list[Entry], chance: Chance) -> list[Entry] | None:
    """The log with one thing changed in what one entry says; None if that is the same."""
    at = chance.below(len(entries) - 1) + 1
    entry = entries[at]
    events, other = list(entry.events), chance.choice(entries).events
    place = chance.below(len(events))
    match chance.below(7):
        case 0:
            events.insert(chance.below(len(events) + 1), chance.choice(other))
        case 1:
            del events[place]
        case 2:
            events.insert(place, events[place])
        case 3:
            events[place], events[0] = events[0], events[place]
        case 4:
            events = list(other)
        case 5:
            entry = evolve(entry, seat=chance.choice((None, 0, 1, 2, 99)))
        case _:
            entry = evolve(entry, person=chance.choice((None, *map(person, range(4)))))
    changed = evolve(entry, events=tuple(events))
    return None if changed == entries[at] else [*entries[:at], changed, *entries[at + 1 :]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("absence", Absence)
def test_a_log_in_which_one_entry_says_something_else_is_found_out(
    name: str, absence: Absence
) -> None:
    """Events put in, left out, repeated, exchanged, of another entry; another seat or
    sender: the fold refuses it, or verification does."""
    setup = next(setup for setup in setups(name) if setup.seats == 3)
    clock = Clock(ClockKind.BANK, 60_000, 500)
    played = open_table(name, setup, number=4, clock=clock, absence=absence)
    chance, outcomes = Chance(seed(12)), {"broken": 0, "found": 0}
    for _ in played.lively(chance):
        pass
    match = played.stream.match
    assert match is not None
    assert not failed(verify(played.entries, match.result))
    for _ in range(150):
        entries = mutated(played.entries, chance)
        if entries is None:
            continue
        findings = verify(entries, match.result)
        assert failed(findings)
        broken = findings[0].verdict is Verdict.FAILS
        outcomes["broken" if broken else "found"] += 1
    assert min(outcomes.values()) > 5


@pytest.mark.parametrize("name", NAMES)
def test_a_log_with_other_entries_folds_or_is_broken(name: str) -> None:
    """Whole entries left out, repeated, exchanged, numbered as if nothing were wrong."""
    setup = next(setup for setup in setups(name) if setup.seats == 3)
    played = open_table(name, setup, number=5, absence=Absence.BOT)
    chance, broken = Chance(seed(13)), 0
    for _ in played.lively(chance):
        pass
    for _ in range(100):
        entries = list(played.entries)
        one, two = chance.below(len(entries)), chance.below(len(entries))
        match chance.below(3):
            case 0:
                del entries[one]
            case 1:
                entries.insert(one, entries[two])
            case _:
                entries[one], entries[two] = entries[two], entries[one]
        numbered = [evolve(entry, number=number) for number, entry in enumerate(entries, 1)]
        try:
            Stream.replay(numbered)
        except BrokenLog:
            broken += 1
    assert broken > 50

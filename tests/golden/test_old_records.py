"""Old records for ever: a golden game of Ra under rules that have changed since.

Events lead to the recorded result whatever happens to the rules; only the check that decides the
commands again says that it does not know those rules. Later versions are refused by name, and
neither reading nor refusing touches the file.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.entry import Command, Event
from engine.errors import IllegalAction
from engine.ra.game import RA, Ra
from engine.ra.state import RaState
from engine.ra.words.commands import Pass
from engine.ra.words.refusals import RaRefusal
from engine.stream import Stream
from engine.verify import Subject, Verdict, failed, verify
from protocol.chain import Fault, FileError, write_parts
from protocol.codec import dumps
from protocol.entries import entry_codec
from protocol.record import ENDING, HEADER, RECORD, RecordReader, read_record

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RECORDS = sorted(GOLDEN.glob("*.ra"))


class Harsher(Ra):
    """Ra with one rule changed: nobody may pass any more."""

    rules = 2

    def decide(self, state: RaState, seat: int, command: Command) -> tuple[Event, ...]:
        if isinstance(command, Pass):
            raise IllegalAction(RaRefusal.MUST_BID)
        return super().decide(state, seat, command)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_old_record_leads_to_its_result_under_changed_rules(path: Path) -> None:
    data = path.read_bytes()
    old = read_record(BytesIO(data))
    assert old.ending.result is not None
    new = read_record(BytesIO(data), lambda _: Harsher())
    assert new == old
    findings = {f.subject: f for f in verify(new.entries, old.ending.result, lambda _: Harsher())}
    assert not failed(tuple(findings.values()))
    assert findings[Subject.RESULT].verdict is Verdict.HOLDS
    assert findings[Subject.COMMANDS].verdict is Verdict.NOT_DERIVED
    assert "not re-derived" in findings[Subject.COMMANDS].detail


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_old_record_leads_to_its_result_where_more_reveals_today(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Actions are taken back in it that could not be taken back any more."""
    for event in RA.vocabulary.events.values():
        monkeypatch.setattr(event, "reveals", True)
    record = read_record(BytesIO(path.read_bytes()), lambda _: Harsher())
    assert record.ending.result is not None


def test_under_its_own_rules_the_changed_rule_would_have_been_noticed() -> None:
    """Had somebody changed the rule and forgotten the number, verification says so."""

    class Forgetful(Harsher):
        rules = 1

    record = read_record(BytesIO(RECORDS[0].read_bytes()), lambda _: Forgetful())
    findings = verify(record.entries, record.ending.result, lambda _: Forgetful())
    assert failed(findings)


def rewritten(rules: int | None = None, event: tuple[Any, ...] | None = None) -> bytes:
    """A golden record with another rules number in its header, or with another event in
    its tenth entry, soundly chained."""
    reader = RecordReader(BytesIO(RECORDS[0].read_bytes()))
    codec = entry_codec(RA.vocabulary)
    bodies = [codec.encode(entry) for entry in reader]
    assert reader.ending is not None
    if event is not None:
        tree = codec.pack(codec.decode(bodies[9]))
        bodies[9] = dumps((*tree[:7], (event, *tree[7][1:]), tree[8]))
    header = reader.header if rules is None else evolve(reader.header, rules=rules)
    end = ENDING.encode(reader.ending)
    return b"".join(write_parts(RECORD, HEADER.encode(header), bodies, end))


@pytest.mark.parametrize(
    ("data", "fault", "words"),
    [
        (rewritten(rules=3), Fault.FUTURE_RULES, ("3", "1")),
        (rewritten(event=(90, 1)), Fault.UNKNOWN_EVENT, ("part 10", "90")),
        (rewritten(event=(33, 0, 4, 1)), Fault.UNKNOWN_FIELD, ("part 10", "TileDrawn")),
    ],
)
def test_what_a_later_version_wrote_is_refused_by_name(
    tmp_path: Path, data: bytes, fault: Fault, words: tuple[str, ...]
) -> None:
    file = tmp_path / "later.ra"
    file.write_bytes(data)
    with file.open("rb") as source, pytest.raises(FileError) as refusal:
        read_record(source)
    assert refusal.value.fault is fault
    assert all(word in str(refusal.value) for word in words)
    assert file.read_bytes() == data


def test_one_unreadable_game_keeps_no_other_from_being_read() -> None:
    with pytest.raises(FileError):
        read_record(BytesIO(rewritten(event=(90, 1))))
    record = read_record(BytesIO(RECORDS[1].read_bytes()))
    assert Stream.replay(record.entries).seating.ended

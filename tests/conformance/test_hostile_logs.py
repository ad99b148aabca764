"""Records with anything in them, soundly chained: reading ends in a FileError or in a
record that can be verified and shown; never in another exception."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from client.replay.film import EVERYBODY
from client.replay.stored import film_of
from engine.deal import Chance
from engine.stream import Stream
from engine.verify import Subject, verify
from protocol.chain import FileError, write_parts
from protocol.codec import ProtocolError, dumps, loads
from protocol.entries import entry_codec
from protocol.record import ENDING, HEADER, RECORD, ending_of, header_of, read_record
from tests.games import NAMES, seed, setups, whole_game

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
            film = film_of("record", record.entries, Stream.replay(record.entries), reveal=False)
            try:
                assert len(film.frames(EVERYBODY)) == len(record.entries)
            except ProtocolError:
                continue
    assert min(outcomes.values()) > 5

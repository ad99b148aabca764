"""Entries as bytes: exact, and what a later version wrote is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Setup
from protocol.codec import ProtocolError, dumps, loads
from protocol.entries import UnknownEvent, UnknownField, entry_codec
from tests.games import NAMES, setups, whole_game
from tests.miniature.game import MINIATURE

CODEC = entry_codec(MINIATURE.vocabulary)
PLAYED = whole_game("miniature", Setup("veiled", 2))
ACTED = CODEC.pack(PLAYED.entries[-1])
"""(number, time, cause, seat, person, id, command, events, sealed)"""


@pytest.mark.parametrize("name", NAMES)
def test_entries_survive_their_bytes(name: str) -> None:
    played = whole_game(name, setups(name)[0])
    codec = entry_codec(played.game.vocabulary)
    for entry in played.entries:
        assert codec.decode(codec.encode(entry)) == entry


def changed(field: int, value: Any) -> bytes:
    return dumps((*ACTED[:field], value, *ACTED[field + 1 :]))


@pytest.mark.parametrize("tag", [31, 99, -1, 1 << 62])
def test_an_unknown_event_or_command_is_named(tag: int) -> None:
    for data in (changed(7, (*ACTED[7], (tag, 1))), changed(6, (tag,))):
        with pytest.raises(UnknownEvent, match=str(tag)):
            CODEC.decode(data)


def test_an_unknown_field_is_named_and_never_dropped() -> None:
    event, *rest = ACTED[7]
    for data, name in (
        (changed(7, ((*event, 5), *rest)), "CardChosen"),
        (changed(6, (*ACTED[6], 5)), "Choose|Hold"),
        (dumps((*ACTED, None, 5)), "entry"),
    ):
        with pytest.raises(UnknownField, match=name):
            CODEC.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc0",
        b"\x90",
        b"\xc1",
        dumps(ACTED[:-1]),
        dumps(ACTED) + b"\0",
        changed(6, ()),
        changed(6, 7),
        changed(6, ("x",)),
        changed(7, 7),
        changed(7, (7,)),
        changed(7, ((True, 1),)),
        changed(7, ((33, 0),)),
        changed(0, None),
        changed(2, 77),
        changed(8, (b"secret",)),
    ],
)
def test_what_is_no_entry_is_a_protocol_error(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        CODEC.decode(data)


def test_an_entry_beyond_the_limit_is_refused() -> None:
    with pytest.raises(ProtocolError):
        CODEC.decode(dumps(ACTED), max_bytes=10)


@given(st.integers(0, len(dumps(ACTED)) - 1), st.integers(0, 255))
def test_a_changed_byte_is_another_entry_or_a_protocol_error(at: int, byte: int) -> None:
    data = bytearray(dumps(ACTED))
    data[at] = byte
    try:
        entry = CODEC.decode(bytes(data))
    except ProtocolError:
        return
    assert CODEC.pack(entry) == loads(CODEC.encode(entry))

"""The frames put together from parts are the frames of the codec."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.frames import ACT_HEAD, accepted_frame, pack_part, update_frames
from protocol.messages import (
    CLIENT_CODEC,
    OLDEST_VERSION,
    VERSION,
    Accepted,
    Act,
    Update,
    server_codec,
)
from tests.protocol import examples
from tests.protocol.trees import deltas, trees

EVERY_VERSION = [server_codec(version) for version in range(OLDEST_VERSION, VERSION + 1)]
"""These frames are sent to peers of every version."""
parts = st.tuples(st.lists(trees, max_size=3).map(tuple), deltas)
numbers = st.integers(1, (1 << 63) - 1)


@given(numbers, parts, st.dictionaries(st.integers(0, 4), parts, max_size=5))
def test_all_frames_of_an_entry_are_those_of_the_codec(
    number: int, public: Any, private: Any
) -> None:
    packed = {seat: pack_part(*part) for seat, part in private.items()}
    everybody, seats = update_frames(number, pack_part(*public), packed)
    for codec in EVERY_VERSION:
        assert everybody == codec.encode(Update(number, public, None))
        assert seats == {
            seat: codec.encode(Update(number, public, part)) for seat, part in private.items()
        }


@given(st.binary(min_size=1, max_size=16), numbers)
def test_the_answer_to_an_action_is_that_of_the_codec(id: bytes, number: int) -> None:
    for codec in EVERY_VERSION:
        assert accepted_frame(id, number) == codec.encode(Accepted(id, number))


def test_an_action_looks_like_no_other_message() -> None:
    frames = [(type(message), CLIENT_CODEC.encode(message)) for message in examples.CLIENT]
    assert {kind for kind, frame in frames if frame.startswith(ACT_HEAD)} == {Act}

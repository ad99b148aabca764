"""What a server may say at its limits fits into a message, and the other end reads it."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import pytest

from protocol.fields import MAX_FILE, MAX_FROM_SERVER, MAX_SINCE
from protocol.messages import (
    CLIENT_CODEC,
    FROM_CLIENT,
    FROM_SERVER,
    MAX_FROM_CLIENT,
    SERVER_CODEC,
    Happened,
    Snapshot,
)
from protocol.shapes import ITEMS, is_class, is_enum, many, optional, split, wire_fields

MOST = 1 << 10
"""Of what has no limit of its own: a text, an array, as the software makes them."""


def largest(kind: Any) -> Any:
    """The largest value of an annotation; characters of four bytes."""
    kind, limit = split(kind)
    some, each = optional(kind), many(kind)
    if some is not None:
        return largest(some)
    if each is not None:
        return (largest(each),) * (min(limit[-1], 8) if limit == ITEMS else limit[-1])
    if get_origin(kind) is tuple:
        return tuple(largest(one) for one in get_args(kind))
    if is_enum(kind):
        return list(kind)[-1]
    if is_class(kind):
        return kind(*(largest(field.kind) for field in wire_fields(kind)))
    if kind is bool:
        return True
    if kind is int:
        return limit[-1]
    if kind in (str, bytes):
        return ("\U0001f300" if kind is str else b"\xff") * min(limit[-1], max(MOST, MAX_FILE))
    return ((b"tree" * 16,) * 4,)


@pytest.mark.parametrize("kind", FROM_SERVER.values(), ids=lambda kind: kind.__name__)
def test_every_message_of_a_server_is_read_at_its_limits(kind: type) -> None:
    message = largest(kind)
    data = SERVER_CODEC.encode(message)
    assert len(data) <= MAX_FROM_SERVER
    assert SERVER_CODEC.decode(data) == message


@pytest.mark.parametrize("kind", FROM_CLIENT.values(), ids=lambda kind: kind.__name__)
def test_every_message_of_a_client_is_read_at_its_limits(kind: type) -> None:
    message = largest(kind)
    data = CLIENT_CODEC.encode(message)
    assert len(data) <= MAX_FROM_CLIENT
    assert CLIENT_CODEC.decode(data) == message


def test_a_snapshot_tells_of_as_many_entries_as_a_server_may_be_set_to() -> None:
    since = tuple(Happened(n, ((33, 1, 2),), ()) for n in range(MAX_SINCE))
    message = Snapshot(MAX_SINCE, None, (), None, since)
    assert SERVER_CODEC.decode(SERVER_CODEC.encode(message)) == message

"""attrs classes <-> trees <-> msgpack bytes, strictly.

A frame holds a *tree* (`protocol.tree`). An attrs class is the tuple of its fields in
order, a member of a union the tuple of its tag and its fields. Anything that does not
fit exactly raises ProtocolError, with bounded work.

The classes state their limits: `Annotated[T, range(low, beyond)]` bounds the value of an
int, or the length of a str (characters), bytes or tuple. `protocol.generate` writes the
code that packs and unpacks a class once, when its codec is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgpack

from protocol.generate import generate
from protocol.tree import MAX_DEPTH, ProtocolError, Tree, check

MAX_BYTES = 1 << 20

T = TypeVar("T")


class Codec(Generic[T]):
    """Packs and unpacks one type: an attrs class, or a union given as tag -> class.

    `named` says what an abstract type in a field's annotation stands for: a union, or another type.
    A field that was added after its class had been stored is marked by `attrs.field(default=...,
    metadata={"added": True})`: every codec takes its default where it is missing. With `trim`, such
    fields at the end are left out where they have their defaults, so that whatever was written
    before they came is written again byte for byte. With `version`, fields that a later version of
    the protocol added do not exist.
    """

    def __init__(
        self,
        root: type[T] | Mapping[int, type[T]],
        named: Mapping[Any, Any] | None = None,
        max_bytes: int = MAX_BYTES,
        trim: bool = False,
        version: int | None = None,
    ) -> None:
        self.max_bytes = max_bytes
        self.pack, self.unpack, self.source = generate(root, named or {}, trim, version)
        """`pack`: the tree of a value (trusted to be of its type). `unpack`: the value
        of a tree; raises ProtocolError. `source`: the code of both."""

    def encode(self, value: T) -> bytes:
        """The bytes of a value; raises TypeError for anything that must not travel."""
        return dumps(self.pack(value))

    def decode(self, data: bytes) -> T:
        """The value of at most `max_bytes` bytes; raises ProtocolError."""
        value: T = self.unpack(_parse(data, self.max_bytes))
        return value


def dumps(tree: Tree) -> bytes:
    """A tree as msgpack; raises TypeError for anything else, such as an enum, a set or a list: the
    other end gets exactly what is sent."""
    try:
        check(tree)
    except ProtocolError as error:
        raise TypeError(f"this cannot travel: {error}") from None
    return pack_tree(tree)


def pack_tree(tree: Tree) -> bytes:
    """`dumps` for something known to be a tree: made by a codec, or of parts of such trees."""
    packed: bytes = msgpack.packb(tree, use_bin_type=True)
    return packed


def loads(data: bytes, max_bytes: int = MAX_BYTES) -> Tree:
    """The tree in `data`, which must hold exactly one; raises ProtocolError."""
    tree = _parse(data, max_bytes)
    check(tree)
    return tree


def _parse(data: bytes, max_bytes: int) -> Any:
    """Whatever msgpack finds in `data`; it may not be a tree."""
    if type(data) is not bytes:
        raise ProtocolError("a binary message is wanted")
    if len(data) > max_bytes:
        raise ProtocolError(f"{len(data)} bytes, at most {max_bytes} allowed")
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_map_len=0,
            max_ext_len=0,
            unicode_errors="strict",
        )
    except Exception:
        # Whatever the library raises for hostile bytes, now or in a later release.
        raise ProtocolError("no msgpack, or too deep") from None


__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Codec",
    "ProtocolError",
    "Tree",
    "dumps",
    "loads",
    "pack_tree",
]

"""attrs classes <-> trees <-> msgpack bytes, strictly.

A *tree* is what a frame holds: None, bool, int (64 bits signed), str, bytes, and
tuples of trees; no maps, no floats. An attrs class is the tuple of its fields in
order, a member of a union the tuple of its tag and its fields. Whatever does not fit
exactly raises ProtocolError, with bounded work.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar, Union, get_args, get_origin

import attrs
import msgpack

Tree: TypeAlias = Any
"""None | bool | int | str | bytes | tuple of trees."""

MAX_DEPTH = 16
MAX_BYTES = 1 << 20

T = TypeVar("T")
Union_ = Mapping[int, type]
Read = Callable[[Any], Any]


class ProtocolError(Exception):
    """Bytes or a tree that do not follow the protocol."""


class Codec(Generic[T]):
    """Packs and unpacks one type: an attrs class, or a union given as tag -> class.

    `named` says what an abstract type in a field's annotation stands for: a union, or
    another type.
    """

    def __init__(
        self, root: type[T] | Mapping[int, type[T]], named: Mapping[Any, Any] | None = None
    ) -> None:
        made = _Maker(named or {})
        self.pack: Callable[[T], Tree] = made.packer(root)
        """The tree of a value (which is trusted to be of its type)."""
        self.unpack: Callable[[Tree], T] = made.unpacker(root)
        """The value of a tree; raises ProtocolError."""

    def encode(self, value: T) -> bytes:
        """The bytes of a value."""
        return dumps(self.pack(value))

    def decode(self, data: bytes, max_bytes: int = MAX_BYTES) -> T:
        """The value of bytes; raises ProtocolError."""
        return self.unpack(loads(data, max_bytes))


def dumps(tree: Tree) -> bytes:
    """A tree as msgpack."""
    packed: bytes = msgpack.packb(tree, use_bin_type=True)
    return packed


def loads(data: bytes, max_bytes: int = MAX_BYTES) -> Tree:
    """The tree in `data`, which must hold exactly one; raises ProtocolError."""
    if len(data) > max_bytes:
        raise ProtocolError(f"{len(data)} bytes, at most {max_bytes} allowed")
    try:
        tree = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_map_len=0,
            max_ext_len=0,
            unicode_errors="strict",
        )
    except Exception as error:
        raise ProtocolError(f"no msgpack: {type(error).__name__}") from None
    _check(tree, MAX_DEPTH)
    return tree


def _check(tree: Tree, depth: int) -> None:
    kind = type(tree)
    if kind is tuple:
        if not depth:
            raise ProtocolError(f"deeper than {MAX_DEPTH}")
        for item in tree:
            _check(item, depth - 1)
    elif kind is int:
        if not -(1 << 63) <= tree < 1 << 63:
            raise ProtocolError("integer beyond 64 bits signed")
    elif kind not in (str, bytes, bool, type(None)):
        raise ProtocolError(f"{kind.__name__} is not allowed")


class _Maker:
    """Makes packers and unpackers from type annotations, once, at import."""

    def __init__(self, named: Mapping[Any, Any]) -> None:
        self.named = named
        self._reads: dict[Any, Read] = {}
        self._packs: dict[Any, Read | None] = {}

    # pack

    def packer(self, root: Any) -> Read:
        return self._pack(root) or (lambda value: value)

    def _pack(self, kind: Any) -> Read | None:
        """A packer, or None where a value already is its tree."""
        if isinstance(kind, Mapping):
            return self._pack_union(kind)
        if kind in self.named and self.named[kind] is not kind:
            return self._pack(self.named[kind])
        if kind in self._packs:
            return self._packs[kind]
        made: Read | None = None
        origin = get_origin(kind)
        if origin is tuple:
            args = get_args(kind)
            if len(args) == 2 and args[1] is Ellipsis:
                inner = self._pack(args[0])
                if inner is not None:
                    each = inner
                    made = lambda value: tuple([each(item) for item in value])  # noqa: E731
            else:
                inners = [self._pack(arg) or _same for arg in args]
                if any(i is not _same for i in inners):
                    made = lambda value: tuple(  # noqa: E731
                        [pack(item) for pack, item in zip(inners, value, strict=True)]
                    )
        elif origin in (Union, types.UnionType):
            (other,) = [arg for arg in get_args(kind) if arg is not type(None)]
            inner = self._pack(other)
            if inner is not None:
                some = inner
                made = lambda value: None if value is None else some(value)  # noqa: E731
        elif attrs.has(kind):
            made = self._pack_class(kind)
        self._packs[kind] = made
        return made

    def _pack_class(self, kind: type) -> Read:
        fields = [(f.name, self._pack(f.type) or _same) for f in _fields(kind)]
        return lambda value: tuple([pack(getattr(value, name)) for name, pack in fields])

    def _pack_union(self, union: Union_) -> Read:
        tags = {cls: (tag, self._pack_class(cls)) for tag, cls in union.items()}

        def pack(value: Any) -> Tree:
            tag, inner = tags[type(value)]
            return (tag, *inner(value))

        return pack

    # unpack

    def unpacker(self, root: Any) -> Read:
        return self._read(root)

    def _read(self, kind: Any) -> Read:
        if isinstance(kind, Mapping):
            return self._read_union(kind)
        if kind in self.named and self.named[kind] is not kind:
            return self._read(self.named[kind])
        if kind not in self._reads:
            self._reads[kind] = self._make(kind)
        return self._reads[kind]

    def _make(self, kind: Any) -> Read:
        if kind is Any:
            return _same
        origin = get_origin(kind)
        if origin is tuple:
            args = get_args(kind)
            if len(args) == 2 and args[1] is Ellipsis:
                return _read_many(self._read(args[0]))
            return _read_fixed([self._read(arg) for arg in args])
        if origin in (Union, types.UnionType):
            (other,) = [arg for arg in get_args(kind) if arg is not type(None)]
            some = self._read(other)
            return lambda tree: None if tree is None else some(tree)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return _read_enum(kind)
        if attrs.has(kind):
            return self._read_class(kind)
        if kind in (int, str, bytes, bool):
            return _read_plain(kind)
        raise TypeError(f"no codec for {kind!r}")

    def _read_class(self, kind: type) -> Read:
        reads = [self._read(f.type) for f in _fields(kind)]
        count = len(reads)
        name = kind.__name__

        def read(tree: Tree) -> Any:
            if type(tree) is not tuple or len(tree) != count:
                raise ProtocolError(f"{name} wants {count} fields")
            try:
                return kind(*[read(item) for read, item in zip(reads, tree, strict=True)])
            except ValueError as error:
                raise ProtocolError(f"{name}: {error}") from None

        return read

    def _read_union(self, union: Union_) -> Read:
        members = {tag: self._read(cls) for tag, cls in union.items()}

        def read(tree: Tree) -> Any:
            if type(tree) is not tuple or not tree or type(tree[0]) is not int:
                raise ProtocolError("a tagged tuple is wanted")
            member = members.get(tree[0])
            if member is None:
                raise ProtocolError(f"unknown tag {tree[0]}")
            return member(tree[1:])

        return read


def _fields(kind: type) -> list[Any]:
    hints = typing.get_type_hints(kind)
    return [f.evolve(type=hints[f.name]) for f in attrs.fields(kind)]


def _same(value: Any) -> Any:
    return value


def _read_plain(kind: type) -> Read:
    def read(tree: Tree) -> Any:
        if type(tree) is not kind:
            raise ProtocolError(f"{kind.__name__} wanted")
        return tree

    return read


def _read_enum(kind: type[Enum]) -> Read:
    members = {member.value: member for member in kind}

    def read(tree: Tree) -> Any:
        member = members.get(tree) if type(tree) in (int, str) else None
        if member is None:
            raise ProtocolError(f"no {kind.__name__}")
        return member

    return read


def _read_many(each: Read) -> Read:
    def read(tree: Tree) -> Any:
        if type(tree) is not tuple:
            raise ProtocolError("an array wanted")
        return tuple([each(item) for item in tree])

    return read


def _read_fixed(reads: list[Read]) -> Read:
    def read(tree: Tree) -> Any:
        if type(tree) is not tuple or len(tree) != len(reads):
            raise ProtocolError(f"an array of {len(reads)} wanted")
        return tuple([read(item) for read, item in zip(reads, tree, strict=True)])

    return read

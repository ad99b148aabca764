"""What a frame holds, before any class is read from it.

A *tree* is None, bool, int (64 bits signed), str, bytes, or a tuple of trees; no maps, no
floats. Does not know about msgpack, attrs classes or messages.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

Tree: TypeAlias = Any
"""None | bool | int | str | bytes | tuple of trees."""

MAX_DEPTH = 16
"""Arrays within arrays, in a field that is a tree, and in a tree by itself."""

_LEAVES = frozenset((str, bytes, bool, type(None)))


class ProtocolError(Exception):
    """Bytes or a tree that do not follow the protocol."""


def check(tree: Tree, depth: int = MAX_DEPTH) -> None:
    """Raise ProtocolError unless this is a tree of at most `depth` arrays in arrays."""
    kind = type(tree)
    if kind is tuple:
        _check_items(tree, depth)
    elif kind is int:
        if not -0x8000000000000000 <= tree <= 0x7FFFFFFFFFFFFFFF:
            _refuse_int()
    elif kind not in _LEAVES:
        _refuse_kind(kind)


def _check_items(items: tuple[Any, ...], depth: int) -> None:
    if not depth:
        raise ProtocolError("too many arrays within arrays")
    for item in items:
        kind = type(item)
        if kind is int:
            if not -0x8000000000000000 <= item <= 0x7FFFFFFFFFFFFFFF:
                _refuse_int()
        elif kind is tuple:
            _check_items(item, depth - 1)
        elif kind not in _LEAVES:
            _refuse_kind(kind)


def _refuse_int() -> NoReturn:
    raise ProtocolError("an integer beyond 64 bits signed")


def _refuse_kind(kind: type) -> NoReturn:
    raise ProtocolError(f"{kind.__name__} is not allowed")

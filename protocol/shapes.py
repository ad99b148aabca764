"""What an annotation says about the wire: fields, limits, optional parts.

The code generator, the schema and the tables of the protocol page share it, so that all three say
the same.
"""

from __future__ import annotations

import types
import typing
from enum import Enum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

import attrs

INT = range(-(1 << 63), 1 << 63)
"""Values of an int without a limit of its own."""
TEXT = range(1025)
"""Characters of a str without a limit of its own."""
BYTES = range(1025)
"""Bytes of a bytes without a limit of its own."""
ITEMS = range(4097)
"""Items of a tuple without a limit of its own."""

_LIMITS: dict[Any, range] = {int: INT, str: TEXT, bytes: BYTES}


@attrs.frozen
class WireField:
    """One field of a class, as it travels."""

    name: str
    kind: Any
    """Its annotation."""
    added: bool
    """Whether it was added later: where it is missing at the end it has its default."""
    default: Any
    """The tree of its default; only for a field that was added later."""
    since: int
    """The version of the protocol that added it."""


@cache
def wire_fields(kind: type) -> tuple[WireField, ...]:
    """The fields of an attrs class in the order in which they travel."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        WireField(
            field.name,
            hints[field.name],
            field.metadata.get("added", False),
            _tree(field.default),
            field.metadata.get("since", 1),
        )
        for field in attrs.fields(kind)
    )


def _tree(default: Any) -> Any:
    """The tree of a default value."""
    if isinstance(default, Enum):
        return default.value
    if attrs.has(type(default)):
        return tuple(_tree(getattr(default, field.name)) for field in attrs.fields(type(default)))
    return tuple(map(_tree, default)) if type(default) is tuple else default


def split(kind: Any) -> tuple[Any, range]:
    """An annotation without its limit, and the limit (the usual one, if it has none)."""
    limit = None
    if get_origin(kind) is Annotated:
        kind, limit = get_args(kind)[:2]
    default = ITEMS if get_origin(kind) is tuple else _LIMITS.get(kind, INT)
    return kind, default if limit is None else limit


def optional(kind: Any) -> Any:
    """X of the annotation `X | None`; None for any other annotation."""
    if get_origin(kind) not in (Union, types.UnionType):
        return None
    some = [arg for arg in get_args(kind) if arg is not type(None)]
    if len(some) != 1 or len(some) == len(get_args(kind)):
        raise TypeError(f"{kind} does not travel: of unions only X | None does")
    return some[0]


def many(kind: Any) -> Any:
    """X of the annotation `tuple[X, ...]`; None for any other annotation."""
    args = get_args(kind)
    is_many = get_origin(kind) is tuple and len(args) == 2 and args[1] is Ellipsis
    return args[0] if is_many else None


def is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def is_class(kind: Any) -> bool:
    return isinstance(kind, type) and attrs.has(kind)


def can_refuse(kind: type) -> bool:
    """Whether an attrs class may raise ValueError for values of the right types."""
    checked = any(field.validator or field.converter for field in attrs.fields(kind))
    return checked or hasattr(kind, "__attrs_post_init__")

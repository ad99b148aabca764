"""Writes the functions that pack and unpack attrs classes, once for each codec.

Straight code for each class is several times as fast as walking its description for every message.
The codec keeps the source (`Codec.source`) for reading. Does not know messages or games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args, get_origin

from protocol.shapes import (
    INT,
    WireField,
    can_refuse,
    is_class,
    is_enum,
    many,
    optional,
    split,
    wire_fields,
)
from protocol.tree import ProtocolError, check

Function = Callable[[Any], Any]
Union = Mapping[int, type]


def generate(
    root: Any, named: Mapping[Any, Any], trim: bool, version: int | None
) -> tuple[Function, Function, str]:
    """The pack and the unpack function of a class or union, and their source. With `trim`, added
    fields at the end are not packed where they have their defaults; with `version`, fields that a
    later version added do not exist.

    Raises TypeError for an annotation that cannot travel.
    """
    source = _Source(named, version)
    unpack = _Reader(source).function(root)
    pack = _Packer(source, trim).function(root)
    text = "\n".join(source.lines) + "\n"
    exec(compile(text, "<generated codec>", "exec"), source.space)  # noqa: S102 - our own text
    return source.space[pack], source.space[unpack], text


class _Source:
    """The text of functions, each written when first used, and the names they refer to."""

    def __init__(self, named: Mapping[Any, Any], version: int | None) -> None:
        self.named = named
        self._version = version
        self.lines: list[str] = []
        self.space: dict[str, Any] = {"ProtocolError": ProtocolError, "check": check}
        self._functions: dict[Any, str | None] = {}

    def meant(self, kind: Any) -> Any:
        """What an abstract type stands for; any other kind stands for itself."""
        return kind if isinstance(kind, Mapping) else self.named.get(kind, kind)

    def fields(self, kind: type) -> list[WireField]:
        """The fields of a class that travel."""
        last = self._version
        return [field for field in wire_fields(kind) if last is None or field.since <= last]

    def constant(self, prefix: str, value: Any) -> str:
        """The name of `value` in the text."""
        name = f"{prefix}_{len(self.space)}"
        self.space[name] = value
        return name

    def once(self, key: Any, prefix: str, write: Callable[[], Iterable[str]]) -> str:
        """The name of the function for `key`; `write` gives its body."""
        if key not in self._functions:
            self._functions[key] = None
            name = self.constant(prefix, None)
            body = [f"    {line}" for line in write()]
            self.lines += [f"def {name}(value):", *body, ""]
            self._functions[key] = name
        name_then = self._functions[key]
        if name_then is None:
            raise TypeError(f"{prefix} holds itself: what travels has a fixed depth")
        return name_then

    def table(self, prefix: str, pairs: Iterable[tuple[str, str]]) -> str:
        """The name of a dict of names to functions."""
        name = self.constant(prefix, None)
        items = ", ".join(f"{key}: {function}" for key, function in pairs)
        self.lines += [f"{name} = {{{items}}}", ""]
        return name


class _Packer:
    """Writes functions that make a tree of a value, which they trust."""

    def __init__(self, source: _Source, trim: bool) -> None:
        self.source = source
        self.trim = trim

    def function(self, kind: Any) -> str:
        """The name of the function that packs a class or union."""
        kind = self.source.meant(kind)
        if isinstance(kind, Mapping):
            return self.source.once(("pack", id(kind)), "pack_union", lambda: self._union(kind))
        return self._class_function(kind, None)

    def _class_function(self, kind: type, tag: int | None) -> str:
        def body() -> Iterable[str]:
            items = [] if tag is None else [repr(tag)]
            fields = self.source.fields(kind)
            items += [self.expression(f"value.{field.name}", field.kind) for field in fields]
            added = [field.default for field in fields if field.added]
            if not added or not self.trim:
                yield f"return {_tuple(items)}"
                return
            yield f"tree = {_tuple(items)}"
            for left in range(len(added), 0, -1):
                defaults = self.source.constant("defaults", tuple(added[-left:]))
                yield f"if tree[-{left}:] == {defaults}:"
                yield f"    return tree[:-{left}]"
            yield "return tree"

        return self.source.once(("pack", kind, tag), f"pack_{kind.__name__}", body)

    def _union(self, union: Union) -> Iterable[str]:
        members = self.source.table(
            "packers",
            [
                (self.source.constant(kind.__name__, kind), self._class_function(kind, tag))
                for tag, kind in union.items()
            ],
        )
        yield f"member = {members}.get(type(value))"
        yield "if member is None:"
        yield "    raise TypeError(f'{type(value).__name__} is no member of this union')"
        yield "return member(value)"

    def expression(self, value: str, kind: Any) -> str:
        """An expression for the tree of the expression `value`."""
        kind = self.source.meant(split(kind)[0])
        some, each = optional(kind), many(kind)
        if some is not None:
            inner = self.expression(value, some)
            return value if inner == value else f"(None if {value} is None else {inner})"
        if each is not None:
            inner = self.expression("item", each)
            return value if inner == "item" else f"tuple([{inner} for item in {value}])"
        if get_origin(kind) is tuple:
            parts = [f"{value}[{at}]" for at in range(len(get_args(kind)))]
            items = [self.expression(*pair) for pair in zip(parts, get_args(kind), strict=True)]
            return value if items == parts else _tuple(items)
        if is_enum(kind):
            return f"{value}._value_"
        if isinstance(kind, Mapping) or is_class(kind):
            return f"{self.function(kind)}({value})"
        return value


class _Reader:
    """Writes functions that check a tree from a peer and make its value."""

    def __init__(self, source: _Source) -> None:
        self.source = source

    def function(self, kind: Any) -> str:
        """The name of the function that reads a class or union."""
        kind = self.source.meant(kind)
        if isinstance(kind, Mapping):
            return self.source.once(("read", id(kind)), "read_union", lambda: self._union(kind))
        if not is_class(kind):
            raise TypeError(f"{kind!r} does not travel")
        return self._class_function(kind, None)

    def _union(self, union: Union) -> Iterable[str]:
        members = self.source.table(
            "readers",
            [(repr(tag), self._class_function(kind, tag)) for tag, kind in union.items()],
        )
        yield "if type(value) is not tuple or not value or type(value[0]) is not int:"
        yield "    raise ProtocolError('an array that begins with a tag is wanted')"
        yield f"member = {members}.get(value[0])"
        yield "if member is None:"
        yield "    raise ProtocolError(f'unknown tag {value[0]}')"
        yield "return member(value)"

    def _class_function(self, kind: type, tag: int | None) -> str:
        return self.source.once(
            ("read", kind, tag), f"read_{kind.__name__}", lambda: self._class(kind, tag)
        )

    def _class(self, kind: type, tag: int | None) -> Iterable[str]:
        name, fields = kind.__name__, self.source.fields(kind)
        names = [f"{field.name}_" for field in fields]
        count = len(fields) + (tag is not None)
        yield "if type(value) is not tuple:"
        yield f"    raise ProtocolError('{name}: an array is wanted')"
        added = [field.default for field in fields if field.added]
        if added:
            defaults = self.source.constant("defaults", tuple(added))
            yield f"if {count - len(added)} <= len(value) < {count}:"
            yield f"    value += {defaults}[len(value) - {count}:]"
        if getattr(kind, "open_ended", False):
            yield f"if len(value) > {count}:"
            yield "    check(value)"
            yield f"    value = value[:{count}]"
        yield f"if len(value) != {count}:"
        yield f"    raise ProtocolError('{name}: fields wanted: {len(fields)}')"
        if names:
            yield f"{_tuple(names if tag is None else ['_', *names])} = value"
        for field, one in zip(fields, names, strict=True):
            yield from self.statements(one, field.kind, f"{name}.{field.name}")
        made = f"return {self.source.constant(name, kind)}({', '.join(names)})"
        if not can_refuse(kind):
            yield made
            return
        yield "try:"
        yield f"    {made}"
        yield "except ValueError:"
        yield f"    raise ProtocolError('{name}: impossible values') from None"

    def statements(self, value: str, kind: Any, where: str) -> Iterable[str]:
        """Statements that check the variable `value`, and turn it into its value."""
        kind, limit = split(kind)
        kind = self.source.meant(kind)
        some = optional(kind)
        if some is not None:
            yield f"if {value} is not None:"
            yield from _indented(self.statements(value, some, where))
        elif kind is Any:
            yield f"check({value})"
        elif kind in (int, str, bytes, bool):
            yield from _leaf(value, kind, limit, where)
        elif is_enum(kind):
            members = self.source.constant("members", {one.value: one for one in kind})
            yield f"if type({value}) not in (int, str) or {value} not in {members}:"
            yield f"    raise ProtocolError('{where}: no {kind.__name__}')"
            yield f"{value} = {members}[{value}]"
        elif many(kind) is not None:
            yield from self._many(value, many(kind), limit, where)
        elif get_origin(kind) is tuple:
            yield from self._fixed(value, get_args(kind), where)
        else:
            yield f"{value} = {self.function(kind)}({value})"

    def _many(self, value: str, each: Any, limit: range, where: str) -> Iterable[str]:
        yield f"if type({value}) is not tuple or {_beyond(f'len({value})', limit)}:"
        yield f"    raise ProtocolError('{where}: an array {_span(limit)} long is wanted')"
        item, items = f"{value}item", f"{value}items"
        if split(each)[0] in (int, str, bytes, bool):
            yield f"for {item} in {value}:"
            yield from _indented(self.statements(item, each, where))
            return
        yield f"{items} = []"
        yield f"for {item} in {value}:"
        yield from _indented(self.statements(item, each, where))
        yield f"    {items}.append({item})"
        yield f"{value} = tuple({items})"

    def _fixed(self, value: str, kinds: tuple[Any, ...], where: str) -> Iterable[str]:
        yield f"if type({value}) is not tuple or len({value}) != {len(kinds)}:"
        yield f"    raise ProtocolError('{where}: an array of {len(kinds)} is wanted')"
        parts = [f"{value}{at}" for at in range(len(kinds))]
        yield f"{_tuple(parts)} = {value}"
        for part, kind in zip(parts, kinds, strict=True):
            yield from self.statements(part, kind, where)
        yield f"{value} = {_tuple(parts)}"


def _leaf(value: str, kind: type, limit: range, where: str) -> Iterable[str]:
    if kind is bool:
        yield f"if type({value}) is not bool:"
        yield f"    raise ProtocolError('{where}: a boolean is wanted')"
        return
    measured = value if kind is int else f"len({value})"
    unit = {int: "an int", str: "a str of length", bytes: "bytes of length"}[kind]
    yield f"if type({value}) is not {kind.__name__} or {_beyond(measured, limit)}:"
    yield f"    raise ProtocolError('{where}: {unit} {_span(limit)} is wanted')"


def _beyond(measured: str, limit: range) -> str:
    return f"not {limit[0]} <= {measured} <= {limit[-1]}"


def _span(limit: range) -> str:
    if limit == INT:
        return "of 64 bits"
    return f"{limit[0]}" if limit[0] == limit[-1] else f"{limit[0]} to {limit[-1]}"


def _tuple(items: list[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


def _indented(lines: Iterable[str]) -> Iterable[str]:
    return (f"    {line}" for line in lines)

"""Commands and happenings as lines of text and back, by one template for each class.

`Notation` shows and parses exactly inversely: what parses shows as the same line again. Does not
know games; what people type is read more leniently elsewhere.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, get_args, get_origin

import attrs
from attrs import frozen

NOTHING = "nothing"
"""An empty tuple."""
_NONE_INSIDE = "-"
"""An empty tuple within a tuple."""
_SEPARATORS = (" ", " / ")
"""Between the items of a tuple, and between tuples in a tuple."""

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_FIELD = re.compile(r"\{(\w+)\}")


class UnreadableLine(ValueError):
    """A line that is not in the notation."""


@frozen
class Spelling:
    """How values of one type are written; both functions raise nothing but ValueError."""

    show: Callable[[Any], str]
    parse: Callable[[str], Any]


class Notation:
    """The lines of some classes.

    `lines` gives each attrs class its template, in which `{field}` stands for each field.
    `spellings` are for types other than numbers, truth values, enums and tuples.
    """

    def __init__(
        self, lines: Mapping[type, str], spellings: Mapping[type, Spelling] | None = None
    ) -> None:
        known = spellings or {}
        self._lines = {kind: _Line(kind, line, known) for kind, line in lines.items()}

    def show(self, value: object) -> str:
        """The line of a value."""
        return self._lines[type(value)].show(value)

    def parse(self, text: str) -> Any:
        """The value of a line; raises UnreadableLine."""
        for line in self._lines.values():
            found = line.parse(text)
            if found is not None:
                return found
        raise UnreadableLine(f"cannot read {text[:80]!r}")


class _Line:
    """One class with its template."""

    def __init__(self, kind: type, template: str, known: Mapping[type, Spelling]) -> None:
        hints = typing.get_type_hints(kind)
        fields = _FIELD.findall(template)
        if sorted(fields) != sorted(field.name for field in attrs.fields(kind)):
            raise TypeError(f"the line of {kind.__name__} has not the fields of the class")
        self._kind = kind
        self._template = template
        self._spellings = {name: spelling(hints[name], known) for name in fields}
        parts = _FIELD.split(template)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = [f"(?P<{name}>.+?)" for name in fields]
        self._pattern = re.compile("".join(parts))

    def show(self, value: object) -> str:
        shown = {name: how.show(getattr(value, name)) for name, how in self._spellings.items()}
        return self._template.format(**shown)

    def parse(self, text: str) -> Any | None:
        """The value; None if the text is no such line."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        try:
            read = {name: how.parse(match[name]) for name, how in self._spellings.items()}
            return self._kind(**read)
        except ValueError:
            return None


def spelling(kind: Any, known: Mapping[type, Spelling], depth: int = 0) -> Spelling:
    """How values of the annotated type `kind` are written."""
    if kind in known:
        return known[kind]
    if get_origin(kind) is tuple:
        inner = spelling(get_args(kind)[0], known, depth + 1)
        return _many(inner, _depth(kind), NOTHING if not depth else _NONE_INSIDE)
    if kind is bool:
        return _of_words({"no": False, "yes": True})
    if kind is int:
        return Spelling(str, number)
    if issubclass(kind, Enum):
        return _of_words({word(member): member for member in kind})
    raise TypeError(f"no spelling of {kind!r}")


def number(text: str) -> int:
    """The number in `text`, written in the one way that we write it; raises ValueError."""
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(f"no number: {text[:80]!r}")
    value = int(text)
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"beyond 64 bits: {text}")
    return value


def word(member: Enum) -> str:
    """A member of an enum as one word: STEP_PYRAMID is `step-pyramid`."""
    return member.name.lower().replace("_", "-")


def _depth(kind: Any) -> int:
    inner = get_args(kind)[0]
    return 1 + _depth(inner) if get_origin(inner) is tuple else 0


def _of_words(words: Mapping[str, Any]) -> Spelling:
    back = {value: text for text, value in words.items()}

    def parse(text: str) -> Any:
        if text not in words:
            raise ValueError(f"no such word: {text[:80]!r}")
        return words[text]

    return Spelling(back.__getitem__, parse)


def _many(inner: Spelling, depth: int, nothing: str) -> Spelling:
    separator = _SEPARATORS[depth]

    def show(values: tuple[Any, ...]) -> str:
        return separator.join(map(inner.show, values)) or nothing

    def parse(text: str) -> tuple[Any, ...]:
        return () if text == nothing else tuple(map(inner.parse, text.split(separator)))

    return Spelling(show, parse)

"""Compares what a trace holds with what the engine does: counts, and a line for each difference.

Does not know the games or their traces.
"""

from __future__ import annotations

import json
from typing import Any


class Malformed(Exception):
    """A part of a trace that is not of the format."""


class Comparison:
    """Counts, and a line for each difference."""

    def __init__(self) -> None:
        self.games = 0
        self.steps = 0
        self.differences: list[str] = []

    def differ(self, where: str, what: str) -> None:
        self.differences.append(one_line(f"{where}: {what}"))

    def compare(self, where: str, traced: Any, engine: Any) -> None:
        """A difference for each place in which two JSON values differ."""
        if isinstance(traced, dict) and isinstance(engine, dict):
            for key in [*engine, *(key for key in traced if key not in engine)]:
                if key not in traced or key not in engine:
                    has, lacks = ("engine", "trace") if key in engine else ("trace", "engine")
                    value = short({**traced, **engine}[key])
                    self.differ(f"{where}.{key}", f"{has} has {value}, {lacks} nothing")
                else:
                    self.compare(f"{where}.{key}", traced[key], engine[key])
        elif text(traced) != text(engine):
            self.differ(where, f"trace has {short(traced)}, engine {short(engine)}")

    def summary(self) -> str:
        return f"{self.games} games, {self.steps} steps, {len(self.differences)} differences"


def list_of(trace: dict[str, Any], field: str) -> list[Any]:
    value = trace.get(field)
    if not isinstance(value, list):
        raise Malformed(f"{field} is no list")
    return value


def set_of_numbers(numbers: Any) -> Any:
    """A list of numbers whose order says nothing, in the order of ours."""
    plain = isinstance(numbers, list) and all(type(number) is int for number in numbers)
    return sorted(numbers) if plain else numbers


def one_line(text: str) -> str:
    """A text that any terminal prints as one line, whatever a file put into it."""
    return "".join(
        char if char.isascii() and char.isprintable() else char.encode("unicode_escape").decode()
        for char in text
    )


def text(value: Any) -> str:
    """Equal exactly for equal JSON values; true is not 1."""
    return json.dumps(value, sort_keys=True)


def short(value: Any) -> str:
    written = text(value)
    return written if len(written) <= 160 else f"{written[:157]}..."

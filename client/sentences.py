"""Numbers and lists within sentences. Does not know what they are about."""

from __future__ import annotations

from collections.abc import Sequence


def number_of(number: int, one: str, several: str) -> str:
    """`1 point`, `2 points`."""
    return f"{number} {one if number == 1 else several}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; `nothing`."""
    if not parts:
        return "nothing"
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"

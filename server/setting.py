"""What one setting is: a default, its words, its bounds, and what breaking it gives.

Knows no setting by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from attrs import field


def setting(
    default: Any,
    text: str,
    *,
    breaks: str = "",
    least: float | None = None,
    most: float | None = None,
    kind: Callable[[str], Any] | None = None,
) -> Any:
    """One setting: its default, what it means, what its breaking gives, its range."""

    def check(_: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is None:
            return
        if least is not None and value < least:
            raise ValueError(f"{attribute.name} must be at least {least:g}")
        if most is not None and value > most:
            raise ValueError(f"{attribute.name} must be at most {most:g}")

    metadata = {"text": text, "breaks": breaks, "kind": kind or type(default)}
    return field(default=default, validator=check, metadata=metadata)

"""What a setting consists of (a default, its words, its bounds, what breaking it gives), and how
the texts of values are read: hosts, origins, paths, budgets, forms of the log.

A text that cannot be read is a ValueError with a reason for people. Does not know any setting by
name, and of the server only where a user's files are (`server.folders`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
from attrs import field

from server.folders import NoHome, expand


def setting(
    default: Any,
    text: str,
    *,
    breaks: str = "",
    least: float | None = None,
    most: float | None = None,
    kind: Callable[[str], Any] | None = None,
) -> Any:
    """One setting: its default, its words, what breaking it gives, and its range. `kind` makes a
    value from a text; by default it is the type of the default."""

    def check(_: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is None:
            return
        if least is not None and value < least:
            raise ValueError(f"{attribute.name} must be at least {least:g}")
        if most is not None and value > most:
            raise ValueError(f"{attribute.name} must be at most {most:g}")

    metadata = {"text": text, "breaks": breaks, "kind": kind or type(default)}
    return field(default=default, validator=check, metadata=metadata)


_ORIGIN = re.compile(
    r"null|[a-z][a-z0-9+.-]*://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?"
)
"""As browsers send it: in lower case and without a path."""


def origins(text: str) -> tuple[str, ...]:
    found = _parts(text)
    for origin in found:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(
                f"{origin!r} is not a web origin, which looks like https://play.example.org:8443"
            )
    return found


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def hosts(text: str) -> tuple[str, ...]:
    found = tuple(_host(host) for host in _parts(text))
    if not found:
        raise ValueError("must not be empty")
    return found


def _host(host: str) -> str:
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if host.count(":") == 1 or "]" in bare:
        raise ValueError(f"{host!r} has a port, which is a setting of its own (--port)")
    return bare


def place(text: str) -> Path:
    try:
        return expand(text)
    except NoHome as error:
        raise ValueError(str(error)) from None


MOST_BUDGET = 10**8
"""The most simulations for one decision."""


def budgets(text: str) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for part in _parts(text):
        level, _, number = part.partition("=")
        if not (level and number.isascii() and number.isdigit()):
            raise ValueError(f"{part!r} does not look like hard=1500")
        if len(number) > 9 or not 1 <= int(number) <= MOST_BUDGET:
            raise ValueError(f"{part!r}: a budget is a number from 1 to {MOST_BUDGET}")
        if level in found:
            raise ValueError(f"{level} is given twice")
        found[level] = int(number)
    return tuple(found.items())


def log_form(text: str) -> str:
    forms = ("off", "plain", "json")
    if text not in forms:
        raise ValueError(f"{text!r} is not one of {', '.join(forms)}")
    return text

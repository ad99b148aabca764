"""Command lines that people are told to type: whole, and quoted as a shell wants it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from typing import TypeAlias

from client.scene import Scene

Back: TypeAlias = Callable[[Scene | None], str]
"""The command line that leads back to a table (None: to the server) as who we are; empty if
none does."""


def command_line(*words: str) -> str:
    """`ra-client` with these words, to be typed or pasted as it stands: one line, of
    characters that can be seen."""
    return " ".join(["ra-client", *map(_quoted, words)])


def option(flag: str, value: str) -> tuple[str, ...]:
    """A flag with its value, also one that looks like a flag itself."""
    return (f"{flag}={value}",) if value.startswith("-") else (flag, value)


def way_to(scene: Scene | None) -> tuple[str, ...]:
    """The words that lead to a table as we are there; none to one that is over."""
    if scene is None or scene.over:
        return ()
    return (scene.table.code,) if scene.table_seat is not None else (scene.table.code, "--watch")


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    seen = [chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in os.fsencode(word)]
    return "$'" + "".join(f"\\{one}" if one in ("'", "\\") else one for one in seen) + "'"

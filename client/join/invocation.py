"""Command lines that people are told to type: whole, and quoted as a shell wants it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import TypeAlias

from client.state.scene import Scene

Back: TypeAlias = Callable[[Scene | None], str]
"""The command line that leads back to a table (None: to the server) as who we are; empty if
none does."""


_CODE = re.compile(r"[0-9A-Za-z][0-9A-Za-z ._-]{0,63}")
"""A table's code, in any form that a server of ours has given or may come to give: no option,
and nothing that a shell reads otherwise."""


def command_line(*words: str) -> str:
    """`ra-client` with these words, to be typed or pasted as it stands: one line, of
    characters that can be seen."""
    return " ".join(["ra-client", *map(_quoted, words)])


def option(flag: str, value: str) -> tuple[str, ...]:
    """A flag with its value, also one that looks like a flag itself."""
    return (f"{flag}={value}",) if value.startswith("-") else (flag, value)


def way_to(scene: Scene | None) -> tuple[str, ...]:
    """The words that lead to a table as we are there; none to one that is over, and none
    where its code is of a form that no server gives: then the way is to the server alone."""
    if scene is None or scene.over or not names_a_table(scene.table.code):
        return ()
    return (scene.table.code,) if scene.table_seat is not None else (scene.table.code, "--watch")


def names_a_table(code: str) -> bool:
    """Whether a code can stand on a command line, and mean a table there."""
    return _CODE.fullmatch(code) is not None


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    seen = [chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in os.fsencode(word)]
    return "$'" + "".join(f"\\{one}" if one in ("'", "\\") else one for one in seen) + "'"

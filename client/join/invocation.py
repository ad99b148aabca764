"""Command lines that we tell people to type: complete, and quoted for a shell."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import TypeAlias

from client.state.scene import Scene

Back: TypeAlias = Callable[[Scene | None], str]
"""The command line that leads back to a table (None: to the server) with our session; empty if
there is none."""


_CODE = re.compile(r"[0-9A-Za-z][0-9A-Za-z ._-]{0,63}")
"""A table's code, in any form that one of our servers has given or may give: it is no option, and
a shell does not read it as anything else."""


def command_line(*words: str) -> str:
    """`ra-client` with these words, ready to be typed or pasted: one line, of visible
    characters."""
    return " ".join(["ra-client", *map(_quoted, words)])


def option(flag: str, value: str) -> tuple[str, ...]:
    """A flag with its value, even a value that looks like a flag itself."""
    return (f"{flag}={value}",) if value.startswith("-") else (flag, value)


def way_to(scene: Scene | None) -> tuple[str, ...]:
    """The words that lead to a table as we are there. None if it is over, or if no server gives
    codes of that form: the command then leads to the server only."""
    if scene is None or scene.over or not names_a_table(scene.table.code):
        return ()
    return (scene.table.code,) if scene.table_seat is not None else (scene.table.code, "--watch")


def names_a_table(code: str) -> bool:
    """Whether a code can be used on a command line, where it means a table."""
    return _CODE.fullmatch(code) is not None


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    seen = [chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in os.fsencode(word)]
    return "$'" + "".join(f"\\{one}" if one in ("'", "\\") else one for one in seen) + "'"

"""The last entry seen of each table of a server, kept between runs: so that people who come back
later are also told that the server was put back to an earlier state.

One small file beside the sessions of that server. Nothing depends on it, so it does not matter if
it cannot be read or written. Does not know about sessions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MOST_TABLES = 100
_MOST_BYTES = 16_384


class LastSeen:
    """The file of one server."""

    def __init__(self, folder: Path) -> None:
        """`folder`: the folder of the server's sessions."""
        self._path = folder / "tables.seen"

    def load(self) -> dict[str, int]:
        """The last entry seen, by `client.state.restored.identity`; the table seen last comes
        last."""
        with suppress(OSError, ValueError, RecursionError):
            with self._path.open("rb") as file:
                kept = json.loads(file.read(_MOST_BYTES))
            if isinstance(kept, dict):
                return {code: at for code, at in kept.items() if type(at) is int and at > 0}
        return {}

    def save(self, seen: Mapping[str, int]) -> None:
        """Keep what was seen in this run in place of what was kept before; other tables stay."""
        if not seen or not self._path.parent.is_dir():
            return
        kept = {code: at for code, at in self.load().items() if code not in seen} | dict(seen)
        newest = dict(list(kept.items())[-MOST_TABLES:])
        fresh = self._path.with_suffix(f".{os.getpid()}")
        try:
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(newest, file)
            fresh.replace(self._path)
        except OSError:
            with suppress(OSError):
                fresh.unlink()

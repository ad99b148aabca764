"""The command's end of the local socket: a request, and its answer, within a time.

Blocking; knows nothing of what the requests mean.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from server.admin.door import knock
from server.admin.words import MOST_BYTES, NoRequest, pack, unpack

_SECONDS = 15.0
"""Time for an answer: more than a server takes for any."""


class NoAnswer(Exception):
    """The server was told, and what became of it is not known."""


class Caller:
    """A connection to one running server."""

    def __init__(self, made: socket.socket) -> None:
        self._socket = made
        self._lines = made.makefile("rb")

    def ask(self, said: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; raises NoAnswer."""
        try:
            self._socket.sendall(pack(said))
            line = self._lines.readline(MOST_BYTES + 1)
            if not line.endswith(b"\n"):
                raise NoAnswer
            return unpack(line)
        except (OSError, NoRequest):
            raise NoAnswer from None

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def call(database: Path) -> Caller | None:
    """A connection to the server that uses a database; None if none listens there. Raises
    server.admin.door.NoDoor if it may not be spoken to."""
    try:
        return Caller(knock(database, _SECONDS))
    except (FileNotFoundError, ConnectionRefusedError):
        return None

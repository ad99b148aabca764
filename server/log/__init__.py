"""The server's log: what is said in it (`lines`), how it gets out without ever holding up the
server (`writer`), and how libraries come to speak there too (`libraries`). Knows no part of
the server."""

from __future__ import annotations

from server.log.lines import Log, NullLog, SafeLog, open_log

__all__ = ["Log", "NullLog", "SafeLog", "open_log"]

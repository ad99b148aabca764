"""The server's log: what is logged (`lines`), how it is written without ever holding up the server
(`line_writer`), and how what libraries report gets there, too (`libraries`). Does not know any part
of the server."""

from __future__ import annotations

from server.log.lines import Log, NullLog, SafeLog, open_log

__all__ = ["Log", "NullLog", "SafeLog", "open_log"]

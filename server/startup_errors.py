"""Why the server or one of its commands cannot start, in plain words for its operator.

Knows the codes of the store's errors, but none of the parts that may fail to start.
"""

from __future__ import annotations

from collections.abc import Callable
from errno import errorcode
from os import strerror
from pathlib import Path

from server.store.port import Damaged, StoreError


class NotStarted(Exception):
    """Something that the settings name is not available; `str()` is one line in plain words."""


_REASONS = {
    "disk_full": "the disk is full",
    "locked": "another program has it locked",
    "read_only": "it may not be written to",
    "io_error": "the disk reports an error",
    "corrupt": "its pages are damaged",
    "too_big": "something in it is too big",
    "queue_full": "too much waits for the disk",
    "closed": "it is closed",
    "another file": "another file is in its place now, or none",
    "no_wal": "it cannot keep a write-ahead log there",
    "no_room": "the system does not let it be opened",
    "log_unread": "its newest entries are in the log beside it (-wal), which can be read only"
    " where files can be made: copy both to such a folder",
    "written": "it is being written to; try again",
}
"""What an operator is told, by the code of an error."""


def _in_use(error: StoreError) -> str:
    pid = error.facts.get("pid", "unknown")
    return "another server uses it" + ("" if pid == "unknown" else f" (process {pid})")


def _reason(error: StoreError) -> str:
    reason = str(error.facts.get("reason", "it cannot be opened"))
    return _REASONS.get(reason, reason)


def _later(error: StoreError) -> str:
    found, known = error.facts.get("found"), error.facts.get("known")
    return f"a later version of this program made it (form {found}; known here: {known})"


def _other_log(_: StoreError) -> str:
    return (
        "the log beside it (-wal) is not its own, as after a copy was put in the place of a"
        " crashed database: move that log away to use the file as it is (`ra-server restore`"
        " puts a backup back)"
    )


def _other_name(_: StoreError) -> str:
    return "a server uses it by another name, a hard link or a mount: give the name it has there"


def _many_names(error: StoreError) -> str:
    return (
        f"it has {error.facts.get('names')} names (hard links), and each would get a log of its"
        " own: leave it one, or copy it"
    )


def _exists(_: StoreError) -> str:
    return "there is a file of that name already (--replace puts the backup in its place)"


_WORDS: dict[str, Callable[[StoreError], str]] = {
    "in_use": _in_use,
    "cannot_open": _reason,
    "not_ours": _reason,
    "later_version": _later,
    "other_log": _other_log,
    "other_name": _other_name,
    "many_names": _many_names,
    "cannot_write": _reason,
    "target": _reason,
    "exists": _exists,
}


def explain(error: StoreError) -> str:
    """What is wrong with a database, in plain words."""
    if error.code in _WORDS:
        return _WORDS[error.code](error)
    if error.code in _REASONS:
        return _REASONS.get(str(error.facts.get("reason")), _REASONS[error.code])
    if isinstance(error, Damaged) and "table" in error.facts:
        number = error.facts.get("number")
        where = "" if number is None else f" at entry {number}"
        return f"the log of table {error.facts['table']} is damaged{where}"
    return error.code.replace("_", " ")


def shown(path: Path) -> str:
    """A path in one line without control characters."""
    return "".join(c if c.isprintable() else "?" for c in str(path))


def reason_of(error: OSError) -> str:
    """The system's reason for a failure, in one line and without its numbers."""
    if error.errno is not None and error.errno in errorcode:
        return strerror(error.errno)  # `str(error)` may hold more
    return " ".join(str(error.strerror or error).split())

"""Turns what libraries and the interpreter report (through `logging` and `warnings`, and exceptions
that nothing catches in threads and finalizers) into lines of the server's log, at a bounded rate.
Their texts may hold what peers sent or what bots know: apart from a few fixed texts of the standard
library, only the source and the place are logged.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from time import monotonic
from typing import Any

from server.log.lines import Log

_BURST = 20
"""Lines that may come at once; after that, one a second."""
_FIXED = ("asyncio", "concurrent.futures", "server.net.sockets")
"""Loggers whose messages are fixed texts, without data of peers."""


class LibraryLines:
    """Logs what libraries report, at a bounded rate."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._left = float(_BURST)
        self._at = monotonic()

    def say(self, event: str, *, grave: bool, **facts: Any) -> None:
        """Log a line, unless there are too many."""
        now = monotonic()
        self._left = min(float(_BURST), self._left + now - self._at)
        self._at = now
        if self._left < 1:
            self._log.drop()
            return
        self._left -= 1
        (self._log.error if grave else self._log.warning)(event, **facts)


class _Records(logging.Handler):
    """Takes what is reported through the module `logging`."""

    def __init__(self, libraries: LibraryLines) -> None:
        super().__init__(logging.WARNING)
        self._libraries = libraries

    def emit(self, record: logging.LogRecord) -> None:
        facts: dict[str, Any] = {
            "logger": record.name,
            "at": _place(record.pathname, record.lineno),
        }
        if record.name in _FIXED and isinstance(record.msg, str):
            facts["text"] = record.msg
        if record.exc_info and record.exc_info[1] is not None:
            facts["error"] = record.exc_info[1]
        self._libraries.say("library", grave=record.levelno >= logging.ERROR, **facts)

    def handleError(self, record: logging.LogRecord) -> None:
        """Do nothing; the base class would print a traceback."""


@contextmanager
def capture_libraries(log: Log) -> Iterator[None]:
    """Within, what libraries and the interpreter report goes to `log` instead of stderr."""
    libraries = LibraryLines(log)
    records = _Records(libraries)

    def warn(
        message: Warning | str, category: type[Warning], file: str, line: int, *_: Any
    ) -> None:
        at = _place(file, line)
        libraries.say("python_warning", grave=False, category=category.__name__, at=at)

    def thread_fault(args: threading.ExceptHookArgs) -> None:
        if args.exc_type is not SystemExit:
            libraries.say("thread_fault", grave=True, error=args.exc_value)

    def unraisable(args: sys.UnraisableHookArgs) -> None:
        libraries.say("finalizer_fault", grave=True, error=args.exc_value)

    places: tuple[tuple[Any, str, Callable[..., None]], ...] = (
        (warnings, "showwarning", warn),
        (threading, "excepthook", thread_fault),
        (sys, "unraisablehook", unraisable),
    )
    before = [getattr(where, name) for where, name, _ in places]
    for where, name, hook in places:
        setattr(where, name, hook)
    logging.getLogger().addHandler(records)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(records)
        for (where, name, _), hook in zip(places, before, strict=True):
            setattr(where, name, hook)


def _place(file: str, line: int) -> str:
    return f"{PurePath(file).name}:{line}"

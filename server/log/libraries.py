"""What libraries and the interpreter say by themselves (the modules `logging` and `warnings`,
exceptions that nobody catches in threads and finalizers) becomes lines of the server's log,
at a bounded rate. Their words may hold what peers sent or bots know: beyond a few words of
the standard library's own, only who speaks and where is told.
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
"""Lines at once; then one a second."""
_FIXED = ("asyncio", "concurrent.futures", "server.net.sockets")
"""Loggers whose messages are the same words each time, and hold nobody's."""


class LibraryLines:
    """What libraries say, at a bounded rate."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._left = float(_BURST)
        self._at = monotonic()

    def say(self, event: str, *, grave: bool, **facts: Any) -> None:
        """A line of the log, if there are not too many."""
        now = monotonic()
        self._left = min(float(_BURST), self._left + now - self._at)
        self._at = now
        if self._left < 1:
            self._log.drop()
            return
        self._left -= 1
        (self._log.error if grave else self._log.warning)(event, **facts)


class _Records(logging.Handler):
    """What is said through the module `logging`."""

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
        """By itself it would print a traceback."""


@contextmanager
def capture_libraries(log: Log) -> Iterator[None]:
    """Within, libraries and the interpreter speak in `log`, and nowhere else on stderr."""
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

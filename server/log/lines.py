"""Log lines on stderr: what happened, but never what people wrote, and no token.

Values are numbers, codes and names of our own; text from others is cleaned and cut. An exception is
logged as its type and where it was raised, without its message. Whatever becomes of a line, its
caller is neither held up nor interrupted.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from traceback import walk_tb
from typing import Any, Protocol

from server.log.line_writer import LineWriter

CLOSE_SECONDS = 0.5
"""How long a server that stops waits for its last lines to be written."""
_MOST = 200
_FRAMES = 6


class LineSink(Protocol):
    """Anything that takes log lines."""

    def info(self, event: str, **facts: Any) -> Any: ...
    def warning(self, event: str, **facts: Any) -> Any: ...
    def error(self, event: str, **facts: Any) -> Any: ...


class Log(LineSink, Protocol):
    """What the server needs of a log."""

    @property
    def lost(self) -> int:
        """How many lines were not written."""

    def drop(self) -> None:
        """Count a line that is not written because there are too many like it."""

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Let the last lines be written, for at most `seconds`."""


class NullLog:
    """A log that drops everything."""

    lost = 0

    def info(self, event: str, **facts: Any) -> None:
        """Do nothing."""

    warning = error = info

    def drop(self) -> None:
        """Do nothing."""

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Do nothing."""


class SafeLog:
    """A log that never raises: a line that cannot be made is counted as lost."""

    def __init__(self, sink: LineSink, behind: LineWriter | Log) -> None:
        """The lines that `sink` takes are written by `behind`."""
        self._sink = sink
        self._behind = behind
        self._failed = 0

    @classmethod
    def around(cls, log: Log) -> SafeLog:
        """The same log, which never raises."""
        return log if isinstance(log, cls) else cls(log, log)

    @property
    def lost(self) -> int:
        return self._behind.lost + self._failed

    def info(self, event: str, **facts: Any) -> None:
        self._say(self._sink.info, event, facts)

    def warning(self, event: str, **facts: Any) -> None:
        self._say(self._sink.warning, event, facts)

    def error(self, event: str, **facts: Any) -> None:
        self._say(self._sink.error, event, facts)

    def _say(self, say: Callable[..., Any], event: str, facts: dict[str, Any]) -> None:
        try:
            say(event, **facts)
        except Exception:
            self._failed += 1

    def drop(self) -> None:
        self._behind.drop()

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        self._behind.close(seconds)


def open_log(form: str) -> Log:
    """A log of the form `plain`, `json` or `off`, on what is stderr now."""
    if form == "off":
        return NullLog()
    import structlog

    render: Any = structlog.processors.JSONRenderer()
    if form == "plain":
        render = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    processors = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        _bounded,
        render,
    ]

    def logger(take: Callable[[str], Any]) -> Any:
        return structlog.wrap_logger(_Rendered(take), processors=processors)

    stream = sys.stderr
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, ValueError):
        # not a stream of the system, but something in memory, which never blocks
        return SafeLog(logger(lambda line: stream.write(f"{line}\n")), NullLog())
    encode = partial(_encoded, stream.encoding)
    lost = logger(encode)
    writer = LineWriter(descriptor, lambda lines: bytes(lost.warning("log_lost", lines=lines)))
    return SafeLog(logger(lambda line: writer.put(encode(line))), writer)


class _Rendered:
    """Takes rendered lines from structlog, whatever their level."""

    def __init__(self, take: Callable[[str], Any]) -> None:
        self.info = self.warning = self.error = take


def _encoded(encoding: str, line: str) -> bytes:
    return f"{line}\n".encode(encoding, "backslashreplace")


def _bounded(_: Any, __: str, facts: Any) -> Any:
    return {name: _shown(value) for name, value in facts.items()}


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, BaseException):
        return where(value)
    if not isinstance(value, str):
        return f"({type(value).__name__})"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in value[:_MOST])


def where(error: BaseException) -> str:
    """The class of an error and where it was raised, without its message. Reads no file."""
    frames = deque(walk_tb(error.__traceback__), _FRAMES)
    places = [f"{PurePath(frame.f_code.co_filename).name}:{line}" for frame, line in frames]
    return f"{type(error).__name__} at {' > '.join(places)}"

"""Log lines on stderr: what happened, never what was said or who may prove it.

Values are numbers, codes and names of ours; text of others is cleaned and cut. An
exception is logged as its type and where it arose, without its words.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from traceback import extract_tb
from typing import Any, Protocol

_MOST = 200
_FRAMES = 6


class Log(Protocol):
    """What the server needs of a log."""

    def info(self, event: str, **facts: Any) -> Any: ...
    def warning(self, event: str, **facts: Any) -> Any: ...
    def error(self, event: str, **facts: Any) -> Any: ...


class Silence:
    """A log that keeps nothing."""

    def info(self, event: str, **facts: Any) -> None:
        """Nothing."""

    warning = error = info


def open_log(form: str) -> Log:
    """A log of the form `plain`, `json` or `off`."""
    if form == "off":
        return Silence()
    import structlog

    render: Any = structlog.processors.JSONRenderer()
    if form == "plain":
        render = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    log: Log = structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _bounded,
            render,
        ],
    )
    return log


def _bounded(_: Any, __: str, facts: Any) -> Any:
    return {name: _shown(value) for name, value in facts.items()}


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, BaseException):
        return _where(value)
    if not isinstance(value, str):
        return f"({type(value).__name__})"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in value[:_MOST])


def _where(error: BaseException) -> str:
    frames = [
        f"{PurePath(frame.filename).name}:{frame.lineno}"
        for frame in extract_tb(error.__traceback__)[-_FRAMES:]
    ]
    return f"{type(error).__name__} at {' > '.join(frames)}"

"""The streams that a program was started with: whether they can be used, and what to do when they
no longer can. Does not know what is written."""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from client.cli.glyphs import Glyphs


class Unwritten(OSError):
    """A line of output could not be written; `errno` and `strerror` say why. A class of its own,
    to tell it from errors with other files."""


def terminal_trouble() -> str | None:
    """Why the full screen cannot be shown here; None if it can."""
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            return f"standard {name} is not a terminal"
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return f"a terminal of type {os.environ.get('TERM') or 'none'} cannot show the screen"
    return None


def output_trouble() -> str | None:
    """Why lines cannot be written here; None if they can."""
    return "standard output is closed" if sys.stdout is None else None


def write_trouble(error: OSError) -> str | None:
    """What to say about output that failed; None if the reader simply stopped reading."""
    if error.errno == errno.EPIPE:
        return None
    return f"standard output cannot be written: {error.strerror or error}"


def complain(program: str, text: str) -> None:
    """Write one line to stderr, if possible."""
    with suppress(OSError):
        if sys.stderr is not None:
            Writer(sys.stderr)(f"{program}: {text}")


def silence(stream: TextIO | None) -> None:
    """Send what is still buffered to the null device, so that the interpreter does not complain
    when it flushes at the end."""
    with suppress(OSError, AttributeError, ValueError):
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, stream.fileno())  # type: ignore[union-attr]


def glyphs_of(stream: TextIO) -> Glyphs:
    """The glyphs that can be written to a stream, in the terminal's encoding; from now on the
    stream writes characters that the encoding lacks as escapes."""
    from client.cli.glyphs import Glyphs, encoding

    told = encoding(os.environ, getattr(stream, "encoding", None) or "utf-8")
    with suppress(AttributeError, LookupError):
        stream.reconfigure(encoding=told, errors="backslashreplace")  # type: ignore[attr-defined]
    return Glyphs(told)


def wait_for_room(stream: TextIO) -> None:
    """Wait until the reader takes more. Ctrl-C ends this wait; it would not end a write, which
    blocks the event loop that has to notice it."""
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
        ours = threading.current_thread() is threading.main_thread()
        if poll.poll(0) or not ours or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            return
    except (AttributeError, OSError, ValueError):
        return  # not a stream of the system
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        poll.poll()
    finally:
        signal.signal(signal.SIGINT, before)


class Writer:
    """Writes lines, without anything that controls a terminal, whatever is in them; raises
    Unwritten when they cannot be written."""

    def __init__(self, stream: TextIO, *, at_once: bool = True) -> None:
        """Not `at_once`: the caller flushes the stream when all is written."""
        self._glyphs = glyphs_of(stream)
        self._stream = stream
        self._at_once = at_once

    def __call__(self, lines: str) -> None:
        from client.text import printable

        waits = self._at_once and self._stream is not sys.stderr  # which never blocks
        try:
            for line in lines.split("\n"):
                if waits:  # before each line: there may be room for one and not for all
                    wait_for_room(self._stream)
                self._stream.write(self._glyphs.in_line(printable(line)) + "\n")
                if self._at_once:
                    self._stream.flush()
        except OSError as error:
            silence(self._stream)
            raise Unwritten(error.errno, error.strerror or str(error)) from None

"""The three standard streams of a command, even if they are closed, or if what is behind them is
full, gone, or not read.

Does not know what is written there.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from contextlib import suppress
from typing import TextIO

_PATIENCE_MS = 1000
"""How long a complaint waits for room if nobody reads."""


class CannotPrint(Exception):
    """Something could not be printed; `str()` is the system's reason."""


def open_missing_streams() -> None:
    """Open the null device in place of streams that are closed: otherwise the next file to be
    opened (a database) would get the number of one, and everything that is printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123


def check_heard() -> None:
    """Raise CannotPrint if stdout was closed from the start. For commands that only print; a
    server needs no output."""
    if sys.__stdout__ is None:
        raise CannotPrint("standard output is closed")


def say(text: str) -> None:
    """Print a line (or, of help, lines) at once; raises CannotPrint."""
    stream = sys.stdout
    try:
        stream.write(f"{_encodable(visible(text), stream)}\n")
    except OSError as error:
        _give_up(error)
    flush()


def announce(text: str) -> None:
    """Print a line without ever waiting: if there is no room for it, a thread writes it as soon as
    there is. Raises CannotPrint if it cannot be printed at all."""
    if _has_room(sys.stdout, 0):
        say(text)
        return
    descriptor, data = sys.stdout.fileno(), f"{text}\n".encode()

    def write() -> None:
        with suppress(OSError):
            os.write(descriptor, data)

    with suppress(RuntimeError):  # the system has no thread left just now
        threading.Thread(target=write, name="announce", daemon=True).start()


def flush() -> None:
    """Flush what was printed; raises CannotPrint."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up(error)


def complain(text: str) -> None:
    """Write a line to stderr, if possible, and wait only briefly for a reader that is stuck. Leaves
    nothing that the interpreter would try to write again at its end, which would change the
    exit code."""
    stream, text = sys.stderr, visible(text)
    with suppress(OSError):
        if not _has_room(stream, _PATIENCE_MS):
            return
        try:
            descriptor = stream.fileno()
        except (OSError, ValueError):  # another object stands in its place
            stream.write(f"{text}\n")
            return
        os.write(descriptor, f"{text}\n".encode(stream.encoding, "backslashreplace"))


def _has_room(stream: TextIO, milliseconds: int) -> bool:
    """Whether a line can be written without waiting, now or within `milliseconds`."""
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
        return bool(poll.poll(milliseconds))
    except (AttributeError, OSError, ValueError):  # no such call, or no such descriptor
        return True


def visible(text: str) -> str:
    """A text of ours, with control characters written as escapes: paths, arguments and stored
    texts may hold them."""
    return "\n".join(map(_escaped, text.split("\n")))


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    escape = "unicode_escape"
    return "".join([c if c.isprintable() else c.encode(escape).decode() for c in line])


def _encodable(text: str, stream: TextIO) -> str:
    """A text with the characters that a stream's encoding lacks (a name in an 8-bit locale) written
    as escapes."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _give_up(error: OSError) -> None:
    # otherwise the interpreter would try again at its end, and complain
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    raise CannotPrint(error.strerror or str(error)) from None

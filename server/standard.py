"""The three standard streams of a command, also where somebody closed them or where what
is behind them is full.

Knows nothing of what is written there.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress


class CannotPrint(Exception):
    """What was to be printed cannot be; `str()` is what the system says."""


def open_closed() -> None:
    """Put nothing in the place of streams that are closed: else the next file to be opened
    (a database) gets the number of one, and what is printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123


def say(text: str) -> None:
    """Print a line at once; raises CannotPrint."""
    try:
        sys.stdout.write(f"{text}\n")
    except OSError as error:
        _give_up(error)
    flush()


def flush() -> None:
    """Send off what was printed; raises CannotPrint."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up(error)


def complain(text: str) -> None:
    """A line on stderr, if that can be."""
    with suppress(OSError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def _give_up(error: OSError) -> None:
    # the interpreter would try again at its end, and complain
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    raise CannotPrint(error.strerror or str(error)) from None

"""The door of every command: what takes time is imported behind it, and Ctrl-C ends the
program without a word, from its first line to its last. Knows no command, and imports
nothing that takes time."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeAlias

EXIT_INTERRUPT = 130

Run: TypeAlias = Callable[[Sequence[str] | None], int]
"""What a command does with its words (None: those of the process); the exit code."""


def enter(load: Callable[[], Run], given: Sequence[str] | None) -> int:
    """Load a command and run it; the exit code. Without words given it is what the process
    was started for, and what is left of the process ends at once when interrupted; or pays
    no attention, if that is how the command left it."""
    try:
        with at_once():
            _fill_closed()
            if given is None:
                from client.cli.stderr import hold_up_nobody

                hold_up_nobody()
            run = load()
        return run(given)
    except KeyboardInterrupt:
        return EXIT_INTERRUPT
    finally:
        if given is None and _ours() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signal.signal(signal.SIGINT, _end)


def _fill_closed() -> None:
    """Put nothing in the place of standard streams that are closed: else the next file to be
    opened gets the number of one. `sys.stdin` and `sys.stdout` stay None, so that it can be
    said; what is meant for a closed stderr goes nowhere, and never to the output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


@contextmanager
def at_once() -> Iterator[None]:
    """While something is imported an interruption ends the process, and there is nothing to
    put in order. As an exception it would come up within what the interpreter calls by
    itself while it imports, which reports it and goes on."""
    if not _ours() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # Whoever started us wants no interruption, or takes care of it.
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _ours() -> bool:
    """Whether signals are for this thread."""
    return threading.current_thread() is threading.main_thread()


def _end(*_: object) -> NoReturn:
    os._exit(EXIT_INTERRUPT)

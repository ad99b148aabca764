"""How every command is entered and left: imports that take time come after this, and Ctrl-C ends
the program without a message from its first line to its last. Does not know the commands, and
imports nothing that takes time."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn, TypeAlias

EXIT_INTERRUPT = 130
RESEND_SECONDS = 0.001
"""Time for the interpreter to leave the code in which an interruption was lost."""
_RETRY_SECONDS = 0.01
"""Time between two tries on a slow machine."""

Run: TypeAlias = Callable[[Sequence[str] | None], int]
"""Runs a command with its arguments (None: those of the process); returns the exit code."""


def enter(load: Callable[[], Run], given: Sequence[str] | None) -> int:
    """Load a command and run it; the exit code. Without arguments `given` it is the command that
    the process was started for: from its end on, an interruption ends the process at once, or
    is ignored if the command left it so."""
    try:
        with at_once():
            _fill_closed()
            if given is None:
                from client.cli.stderr import never_block

                never_block()
                sys.unraisablehook = _unraisable
            run = load()
        return run(given)
    except KeyboardInterrupt:
        return EXIT_INTERRUPT
    finally:
        if given is None and _ours() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signal.signal(signal.SIGINT, _end)


def _fill_closed() -> None:
    """Open the null device in place of closed standard streams: otherwise the next file opened
    would get the number of one. `sys.stdin` and `sys.stdout` stay None, so that the program can
    say so; what is meant for a closed stderr goes nowhere, and never to the output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # this number is the lowest one that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


@contextmanager
def at_once() -> Iterator[None]:
    """Let an interruption end the process at once while something is imported: nothing needs
    cleaning up then. As an exception it could be raised in code that the interpreter calls by
    itself during an import, which reports it and goes on."""
    if not _ours() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # The caller ignores interruptions, or handles them.
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _unraisable(report: sys.UnraisableHookArgs) -> None:
    """Interrupt again if an interruption was raised in code that the interpreter calls by itself
    (a finalizer, the callback of a weak reference): it would be printed there and lost."""
    if issubclass(report.exc_type, KeyboardInterrupt):
        signal.signal(signal.SIGALRM, _interrupt_again)
        signal.setitimer(signal.ITIMER_REAL, RESEND_SECONDS, _RETRY_SECONDS)
    else:
        sys.__unraisablehook__(report)


def _interrupt_again(_number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is _unraisable.__code__:
            return  # raised from here it would be lost once more
        frame = frame.f_back
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.raise_signal(signal.SIGINT)


def _ours() -> bool:
    """Whether signals are handled in this thread."""
    return threading.current_thread() is threading.main_thread()


def _end(*_: object) -> NoReturn:
    os._exit(EXIT_INTERRUPT)

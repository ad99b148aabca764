"""The signals that ask a server to end. Those that it was started to ignore (by `nohup`, or in a
shell's background) stay ignored. Knows nothing of what ending means.

It is the first of our modules that a server imports: what takes time is imported later, when
an interruption is taken care of.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_HANG_UP_SECONDS = 4.0
"""Time that a second hang-up leaves: a terminal that closes sends one, and so does its shell."""


def let_interruptions_end() -> None:
    """Let an interruption end the process as it ends any other program, without a traceback: at
    the start and at the end of a server, when it does not take care of signals itself."""
    with suppress(ValueError):  # not in the main thread: signals are somebody else's
        if not _ignored(signal.SIGINT):
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def ask_to_end(stop: Callable[[], None], code: int) -> None:
    """Have the running loop call `stop` at the first signal. The second ends the process at
    once, with exit code `code`; if it is a hang-up, after a few seconds."""
    import asyncio

    loop = asyncio.get_running_loop()
    asked = False

    def heed(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if not asked:
            asked = True
            with suppress(RuntimeError):  # the loop is at its end already
                loop.call_soon_threadsafe(stop)
        elif number != signal.SIGHUP:
            os._exit(code)
        else:
            with suppress(RuntimeError):  # the system gives no thread: it ends by itself
                _end_later(code)

    # or a line of the log would stop a server in the background of a terminal with `tostop`
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    for number in ENDING:
        if not _ignored(number):
            signal.signal(number, heed)


def _end_later(code: int) -> None:
    import threading

    late = threading.Timer(_HANG_UP_SECONDS, os._exit, (code,))
    late.daemon = True
    late.start()


def _ignored(number: int) -> bool:
    return signal.getsignal(number) is signal.SIG_IGN

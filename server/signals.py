"""The signals that ask a server to stop. Those that it was started to ignore (by `nohup`, or in a
shell's background) stay ignored. Does not know what stopping means.

This is the first of our modules that a server imports: whatever takes time to import is imported
later, when interruptions are handled.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_HANG_UP_SECONDS = 4.0
"""Time that a second hang-up leaves: both a terminal that closes and its shell send one."""


def let_interruptions_end() -> None:
    """Let an interruption end the process like any other program, without a traceback: at the start
    and at the end of a server, when it does not handle signals itself."""
    with suppress(ValueError):  # not in the main thread: the program that runs us handles signals
        if not _ignored(signal.SIGINT):
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def ask_to_end(stop: Callable[[], None], code: int) -> None:
    """Have the running loop call `stop` at the first signal. The second one ends the process with
    exit code `code`, at once or, if it is a hang-up, after a few seconds."""
    import asyncio

    loop = asyncio.get_running_loop()
    # With one handler of its own asyncio has every signal wake the loop, also one that the system
    # gives to another thread, as it does while a bot's process is being started.
    loop.add_signal_handler(signal.SIGURG, lambda: None)
    asked = False

    def on_signal(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if not asked:
            asked = True
            with suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(stop)
        elif number != signal.SIGHUP:
            os._exit(code)
        else:
            with suppress(RuntimeError):  # no thread left: the server stops by itself
                _end_later(code)

    # otherwise a log line would suspend a server in the background of a terminal with `tostop`
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    for number in ENDING:
        if not _ignored(number):
            signal.signal(number, on_signal)


def _end_later(code: int) -> None:
    import threading

    late = threading.Timer(_HANG_UP_SECONDS, os._exit, (code,))
    late.daemon = True
    late.start()


def _ignored(number: int) -> bool:
    return signal.getsignal(number) is signal.SIG_IGN

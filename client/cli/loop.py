"""Runs what a command does on an event loop that every signal wakes. Does not know what runs."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_loop(main: Coroutine[Any, Any, Result]) -> Result:
    """Like `asyncio.run`, but a signal wakes the loop even if the system gives it to a thread
    other than the main one, as it does while a process is being started. Its handler would
    otherwise be called only when something else wakes the loop."""
    return asyncio.run(_woken(main))


async def _woken(main: Coroutine[Any, Any, Result]) -> Result:
    if threading.current_thread() is threading.main_thread():
        # with one handler of its own asyncio has every signal wake the loop; this signal means
        # nothing to us, and nothing comes of it without a handler either
        asyncio.get_running_loop().add_signal_handler(signal.SIGURG, lambda: None)
    return await main

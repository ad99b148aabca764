"""Keeps errors inside a connection, in callbacks of the event loop, from ending the program.

The libraries below us (sockets, TLS, WebSockets, proxies) may raise where nobody can catch it, for
example when a proxy hangs up. The connection is then lost, and the code that waits for it is told
or runs out of time. Faults in our own code are passed on. Does not know about messages.
"""

from __future__ import annotations

import asyncio
from traceback import walk_tb
from typing import Any

_OURS = ("client", "protocol", "engine")


def guard(loop: asyncio.AbstractEventLoop) -> None:
    """Keep errors of connections from the loop's exception handler from now on. Call this before
    each connection, because handlers come and go."""
    before = loop.get_exception_handler()
    if isinstance(before, _Guard):
        return
    loop.set_exception_handler(_Guard(before))


class _Guard:
    """An exception handler that passes on to the one that was there before."""

    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if _of_a_connection(context.get("exception")):
            return
        if self._before is not None:
            self._before(loop, context)
        else:
            loop.default_exception_handler(context)


def _of_a_connection(error: BaseException | None) -> bool:
    """Whether an error was raised in a connection, by code that is not ours."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)] if error is not None else []
    if not frames or frames[-1].f_globals.get("__name__", "").partition(".")[0] in _OURS:
        return False
    kinds = (asyncio.BaseProtocol, asyncio.BaseTransport)
    return any(isinstance(frame.f_locals.get("self"), kinds) for frame in frames)

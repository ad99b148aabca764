"""The threads in which quick bots choose: off the event loop, and within a millisecond, where
a process of its own would cost far more than the choice.

A bot that does not choose in time is given up: its thread is abandoned (nothing can stop it)
and replaced, up to a limit. Does not know tables or games.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any

from server.bots.questions import BotFailed, Unserved

_MAX_LOST = 32
"""Threads that may be abandoned at a time."""
_WAIT_SECONDS = 30.0
"""How long a call waits for a thread at most, unless the time of one call is longer."""


class _Call:
    """One function that a thread is to call."""

    __slots__ = ("done", "function", "lost", "outcome", "queued", "started", "timer")

    def __init__(self, function: Callable[[], Any], outcome: asyncio.Future[Any]) -> None:
        self.function = function
        self.outcome = outcome
        self.queued = monotonic()
        self.started: float | None = None
        """When a thread took it up, by the monotonic clock."""
        self.done = False
        """Whether it has an outcome, wanted or not."""
        self.lost = False
        """Whether its thread was abandoned."""
        self.timer: asyncio.TimerHandle | None = None


def _nothing() -> None: ...


class ThreadPool:
    """Threads that choose for bots, each choice within a time limit."""

    def __init__(self, size: int, seconds: float) -> None:
        """`size` threads; `seconds` for one call."""
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._size = size
        self._alive = 0
        self._lost = 0

    async def call(self, function: Callable[[], Any]) -> Any:
        """What `function` returns when a thread calls it. Raises BotFailed if it raises
        anything or takes too long, Unserved if no thread took it up. If this is cancelled, a
        call that has not begun never begins."""
        if self._lost >= _MAX_LOST:
            raise BotFailed("too many bots hang")
        if self._alive < self._size:
            self._start_thread()
        if not self._alive:
            raise Unserved("no thread can be started")
        call = _Call(function, self._loop.create_future())
        call.timer = self._loop.call_later(self._seconds, self._check_time, call)
        self._calls.put(call)
        try:
            return await call.outcome
        finally:
            call.function = _nothing

    def _start_thread(self) -> None:
        """Start a thread, if the system has one."""
        try:
            threading.Thread(target=self._work, name="bot", daemon=True).start()
        except RuntimeError:
            return
        self._alive += 1

    def _check_time(self, call: _Call) -> None:
        """Abandon the thread of a call whose time is over."""
        if call.done:
            return
        now = monotonic()
        if call.started is None:
            # it waits for a thread: its own time has not begun
            left = call.queued + max(self._seconds, _WAIT_SECONDS) - now
            if left > 0 and self._lost < _MAX_LOST and self._alive:
                left = min(left, self._seconds)
                call.timer = self._loop.call_later(left, self._check_time, call)
            else:
                self._settle(call, None, Unserved("no thread took it up"))
            return
        left = call.started + self._seconds - now
        if left > 0:
            call.timer = self._loop.call_later(left, self._check_time, call)
            return
        call.lost = True
        self._lost += 1
        self._alive -= 1
        if self._lost < _MAX_LOST:
            self._start_thread()
        self._settle(call, None, BotFailed("took too long"))

    def _returned(self, call: _Call, result: Any, error: BotFailed | None) -> None:
        """A thread has finished a call."""
        if not call.done:
            self._settle(call, result, error)
        if not call.lost:
            return
        # its thread was abandoned and came back after all
        self._lost -= 1
        self._alive += 1
        if self._alive > self._size:
            self._calls.put(None)
            self._alive -= 1

    def _settle(self, call: _Call, result: Any, error: BotFailed | Unserved | None) -> None:
        call.done = True
        if call.timer is not None:
            call.timer.cancel()
        if call.outcome.done():
            return  # cancelled
        if error is None:
            call.outcome.set_result(result)
        else:
            call.outcome.set_exception(error)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            if call.done:
                continue
            call.started = monotonic()
            result, error = None, None
            try:
                result = call.function()
            except BaseException as raised:  # a game's code may even raise SystemExit
                error = BotFailed(f"raised {type(raised).__name__}")
            try:
                self._loop.call_soon_threadsafe(self._returned, call, result, error)
            except RuntimeError:
                return  # the loop is closed

    def close(self) -> None:
        """Let the threads end; the results of calls under way are dropped."""
        for _ in range(self._alive):
            self._calls.put(None)

"""The threads in which quick bots choose: never on the event loop, and within a
millisecond, for which a process of its own would be a detour.

A bot that does not choose in time is given up: its thread is left to itself (nothing
can stop it) and replaced, a bounded number of times. Knows no table and no game.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any

from server.bots.queue import Unserved

Choose = Callable[[], Any]
Chosen = Callable[[Any, str | Unserved | None], None]
"""Called on the loop: what was chosen and None, or None and what went wrong."""

_MOST_LOST = 32
_WAIT_SECONDS = 30.0
"""Time that a choice waits for a thread at most, unless its own time is longer."""


class Job:
    """One choice that is under way."""

    __slots__ = ("asked", "choose", "chosen", "done", "lost", "started", "timer")

    def __init__(self, choose: Choose, chosen: Chosen) -> None:
        self.choose = choose
        self.chosen = chosen
        self.asked = monotonic()
        self.started: float | None = None
        """When a thread took it up, by the monotonic clock."""
        self.done = False
        """Whether it was told what came of it."""
        self.lost = False
        """Whether its thread was given up."""
        self.timer: asyncio.TimerHandle | None = None

    def withdraw(self) -> None:
        """Nobody wants the choice any more: nobody is told of it, and it is not begun."""
        self.choose = self.chosen = _nothing


def _nothing(*_: Any) -> None: ...


class Threads:
    """Threads that choose for bots, each choice within a time."""

    def __init__(self, threads: int, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._threads = threads
        self._alive = 0
        self._lost = 0

    def think(self, choose: Choose, chosen: Chosen) -> Job:
        """Call `choose` in a thread, then `chosen` on the loop: exactly once, unless it is
        withdrawn. With Unserved if no thread took it up, else with what the bot did wrong."""
        job = Job(choose, chosen)
        if self._lost >= _MOST_LOST:
            self._loop.call_soon(self._tell, job, None, "too many bots hang")
            return job
        if self._alive < self._threads:
            self._hire()
        if not self._alive:
            self._loop.call_soon(self._tell, job, None, Unserved("no thread can be started"))
            return job
        job.timer = self._loop.call_later(self._seconds, self._late, job)
        self._jobs.put(job)
        return job

    def _hire(self) -> None:
        """Start a thread, if the system has one."""
        try:
            threading.Thread(target=self._work, name="bot", daemon=True).start()
        except RuntimeError:
            return
        self._alive += 1

    def _late(self, job: Job) -> None:
        if job.done:
            return
        now = monotonic()
        if job.started is None:
            # it waits for a thread: its own time has not begun
            self._wait_on(job, job.asked + max(self._seconds, _WAIT_SECONDS) - now)
            return
        left = job.started + self._seconds - now
        if left > 0:
            job.timer = self._loop.call_later(left, self._late, job)
            return
        job.lost = True
        self._lost += 1
        self._alive -= 1
        if self._lost < _MOST_LOST:
            self._hire()
        self._tell(job, None, "took too long")

    def _wait_on(self, job: Job, left: float) -> None:
        if left > 0 and self._lost < _MOST_LOST and self._alive:
            job.timer = self._loop.call_later(min(left, self._seconds), self._late, job)
        else:
            self._tell(job, None, Unserved("no thread took it up"))

    def _finish(self, job: Job, choice: Any, trouble: str | None) -> None:
        """A thread has done with a job."""
        if not job.done:
            self._tell(job, choice, trouble)
        if not job.lost:
            return
        # it came back after all: one thread more
        self._lost -= 1
        self._alive += 1
        if self._alive > self._threads:
            self._jobs.put(None)
            self._alive -= 1

    def _tell(self, job: Job, choice: Any, trouble: str | Unserved | None) -> None:
        job.done = True
        if job.timer is not None:
            job.timer.cancel()
        job.chosen(choice, trouble)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.done:
                continue
            job.started = monotonic()
            choice, trouble = None, None
            try:
                choice = job.choose()
            except BaseException as error:  # code of others may even raise SystemExit
                trouble = f"raised {type(error).__name__}"
            try:
                self._loop.call_soon_threadsafe(self._finish, job, choice, trouble)
            except RuntimeError:
                return  # the loop is closed

    def close(self) -> None:
        """Let the threads go; what they still choose is not heard any more."""
        for _ in range(self._alive):
            self._jobs.put(None)

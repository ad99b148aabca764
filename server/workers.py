"""The processes in which bots think: started when the first is needed, kept, replaced.

A process that dies or does not answer in its time is killed and another one takes its
place; each question is answered exactly once, if need be with what went wrong. Knows
no table and no game, and lives on the event loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from protocol.codec import ProtocolError
from server.thinker import LENGTH
from server.thought import ANSWER, QUESTION, Answer, Question

Answered = Callable[[Answer], None]
"""Called on the loop, once."""

_START_SECONDS = 30.0
"""Time for a process to be ready."""
_MOST_FAILURES = 3
"""Processes in a row that do not get ready, before none is tried for a while."""
_PAUSE_SECONDS = 30.0
_END_SECONDS = 1.0
"""Time for killed processes to be gone."""


class _Job:
    __slots__ = ("answered", "body", "seconds")

    def __init__(self, question: Question, answered: Answered) -> None:
        self.body = QUESTION.encode(question)
        self.seconds = question.milliseconds / 1000
        self.answered = answered


class Workers:
    """Some processes that think."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[_Job] = deque()
        self._workers: set[_Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._failures = 0
        self._paused_until = 0.0
        self.stopped = False
        """Whether nothing is answered any more."""

    def ask(self, question: Question, answered: Answered) -> None:
        """Have a question answered, sooner or later; its time begins when a process takes
        it up."""
        if self.stopped:
            return
        if self._failures >= _MOST_FAILURES and monotonic() < self._paused_until:
            loop = asyncio.get_running_loop()
            loop.call_soon(answered, Answer("no process for bots can be started"))
            return
        self._waiting.append(_Job(question, answered))
        self.serve()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes there are."""
        return tuple(worker.pid for worker in self._workers)

    def serve(self) -> None:
        """Hand out what waits, and start processes while it is more than they take."""
        if self.stopped:
            return
        for worker in self._workers:
            if self._waiting and worker.idle:
                worker.take(self._waiting.popleft())
        there = len(self._workers) + len(self._starting)
        unready = len(self._starting) + sum(not worker.ready for worker in self._workers)
        for _ in range(min(self._most - there, len(self._waiting) - unready)):
            task = asyncio.get_running_loop().create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._started)

    async def _start(self) -> None:
        loop = asyncio.get_running_loop()
        paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        try:
            # a session of its own: where the system shares out the machine among sessions,
            # what bots use is not taken from this one's share, and no key meant for us ends
            # them
            _, worker = await loop.subprocess_exec(
                lambda: _Worker(self),
                sys.executable,
                *("-P", "-m", "server.thinker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": paths},
            )
        except OSError:
            self._failed()
            return
        if self.stopped:
            worker.kill()
        elif not worker.gone.is_set():
            self._workers.add(worker)

    def _started(self, task: asyncio.Task[None]) -> None:
        self._starting.discard(task)
        self.serve()

    def is_ready(self) -> None:
        """A process is ready to think."""
        self._failures = 0
        self.serve()

    def is_gone(self, worker: _Worker) -> None:
        """A process has ended."""
        self._workers.discard(worker)
        if not worker.ready:
            self._failed()
        self.serve()

    def _failed(self) -> None:
        if self.stopped:
            return
        self._failures += 1
        if self._failures < _MOST_FAILURES:
            return
        self._paused_until = monotonic() + _PAUSE_SECONDS
        waiting, self._waiting = self._waiting, deque()
        for job in waiting:
            job.answered(Answer("no process for bots can be started"))

    async def stop(self) -> None:
        """End them all, thinking or not; nothing is answered any more."""
        self.stopped = True
        self._waiting.clear()
        if self._starting:
            await asyncio.wait(tuple(self._starting), timeout=_END_SECONDS)
        workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                for worker in workers:
                    await worker.gone.wait()


class _Worker(asyncio.SubprocessProtocol):
    """One process."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._came = bytearray()
        self._job: _Job | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.pid = 0
        self.ready = False
        """Whether it is able to think."""
        self._given_up = False
        self.gone = asyncio.Event()

    @property
    def idle(self) -> bool:
        """Whether it could take a job."""
        return self.ready and self._job is None and not self._given_up

    def take(self, job: _Job) -> None:
        """Think about `job`."""
        assert self._transport is not None
        self._job = job
        pipe = self._transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(LENGTH.pack(len(job.body)) + job.body)
        self._timer = self._loop.call_later(job.seconds, self._late)

    def _late(self) -> None:
        self.kill()
        self._finish(Answer("took too long"))

    def kill(self) -> None:
        """End it, whatever it does."""
        self._given_up = True
        if self._transport is not None and not self.gone.is_set():
            with suppress(ProcessLookupError):
                self._transport.send_signal(signal.SIGKILL)

    def _finish(self, answer: Answer) -> None:
        job, self._job = self._job, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if job is not None and not self._workers.stopped:
            job.answered(answer)

    # what the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid() or 0
        self._timer = self._loop.call_later(_START_SECONDS, self.kill)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._came += data
        while len(self._came) >= LENGTH.size:
            size = LENGTH.unpack_from(self._came)[0]
            end = LENGTH.size + size
            if len(self._came) < end:
                return
            body = bytes(self._came[LENGTH.size : end])
            del self._came[:end]
            self._hear(body)

    def _hear(self, body: bytes) -> None:
        if not self.ready:
            self.ready = True
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._workers.is_ready()
            return
        try:
            answer = ANSWER.decode(body)
        except ProtocolError:
            answer = Answer("answered nonsense")
        self._finish(answer)
        self._workers.serve()

    def process_exited(self) -> None:
        self._given_up = True
        self.gone.set()
        self._finish(Answer("its process died"))
        if self._transport is not None:
            self._transport.close()
        self._workers.is_gone(self)

"""The processes in which bots think: started when the first is needed, kept, replaced.

A process that dies or does not answer in its time is killed and another one takes its
place; each question is answered once, if need be with what went wrong, unless nobody
wants the answer any more. Knows no table and no game, and lives on the event loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from attrs import evolve

from protocol.codec import ProtocolError
from server.bots.line import Inquiry, Line, Unserved
from server.bots.thinker import LENGTH, STOP
from server.bots.thought import ANSWER, QUESTION, Answer, Question

_MOST_WAITING = 0.5
"""The part of its time that a question may wait where somebody waits for the answer."""
_LOOK_SECONDS = 1.0
"""Between two looks at a question that waits for longer than that."""
_START_SECONDS = 30.0
"""Time for a process to be ready."""
_MOST_FAILURES = 3
"""Processes in a row that do not get ready, before none is tried for a while."""
_PAUSE_SECONDS = 30.0
_NO_PROCESS = "no process for bots can be started"
_END_SECONDS = 1.0
"""Time for killed processes to be gone."""


class Workers:
    """Some processes that think."""

    def __init__(self, most: int, line: int = 1000) -> None:
        """`most` processes; `line` questions may wait."""
        self._most = most
        self._line = Line(line)
        self._workers: set[_Worker] = set()
        self._starting: set[asyncio.Task[bool]] = set()
        self._failures = 0
        self._pause: asyncio.TimerHandle | None = None
        """While none is started."""
        self.stopped = False
        """Whether nothing is answered any more."""

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return len(self._line)

    async def ask(
        self, question: Question, table: str = "", attended: Callable[[], bool] = lambda: True
    ) -> Answer:
        """Have a question answered. Whoever cancels this withdraws it.

        Questions that are `attended`, whose answers somebody waits for, come first, and
        where there are two processes one is kept for them; tables come by turns. Their
        time counts while they wait, too; raises Unserved if half of it passes before a
        process takes them up, if too many questions wait, or if there is no process. The
        time of the others begins when a process takes them up.
        """
        if self.stopped:
            raise Unserved("nothing is thought any more")
        if self._hopeless:
            raise Unserved(_NO_PROCESS)
        inquiry = Inquiry(question, table, attended)
        self._line.put(inquiry)
        try:
            self.serve()
            return await self._answered(inquiry)
        finally:
            self._line.drop(inquiry)
            inquiry.answer.cancel()
            for worker in self._workers:
                worker.forget(inquiry)

    async def _answered(self, inquiry: Inquiry) -> Answer:
        most = inquiry.question.milliseconds / 1000 * _MOST_WAITING
        while not inquiry.answer.done():
            await asyncio.wait([inquiry.answer], timeout=min(most, _LOOK_SECONDS))
            if not inquiry.attended():
                inquiry.since = monotonic()
            # that processes are being made ready is nobody's doing
            late = monotonic() - inquiry.since >= most and not self._preparing
            if late and inquiry in self._line:
                raise Unserved("waited too long")
        return inquiry.answer.result()

    @property
    def _preparing(self) -> bool:
        return bool(self._starting) or any(not worker.ready for worker in self._workers)

    @property
    def _hopeless(self) -> bool:
        """Whether there is no process, and will be none for a while."""
        there = bool(self._starting) or any(worker.alive for worker in self._workers)
        return self._pause is not None and not there

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes there are."""
        return tuple(worker.pid for worker in self._workers)

    def serve(self) -> None:
        """Hand out what waits, and start processes while it is more than they take."""
        if self.stopped:
            return
        for worker in self._workers:
            if not worker.idle:
                continue
            # one is kept free for those whom somebody waits for, where there are two
            behind = sum(other.unattended for other in self._workers)
            inquiry = self._line.take(unattended=behind < max(self._most - 1, 1))
            if inquiry is not None:
                worker.take(inquiry)
        if self._pause is not None:
            return
        there = len(self._workers) + len(self._starting)
        unready = len(self._starting) + sum(not worker.ready for worker in self._workers)
        for _ in range(min(self._most - there, len(self._line) - unready)):
            task = asyncio.get_running_loop().create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._started)

    async def _start(self) -> bool:
        """Whether the system starts one."""
        loop = asyncio.get_running_loop()
        paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        try:
            # a session of its own: where the system shares out the machine among sessions,
            # what bots use is not taken from this one's share, and no key meant for us ends
            # them
            _, worker = await loop.subprocess_exec(
                lambda: _Worker(self),
                sys.executable,
                *("-P", "-m", "server.bots.thinker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**_environment(), "PYTHONPATH": paths},
            )
        except (OSError, RuntimeError):  # the latter if no thread can be started
            return False
        if self.stopped:
            worker.kill()
        elif not worker.gone.is_set():
            self._workers.add(worker)
        return True

    def _started(self, task: asyncio.Task[bool]) -> None:
        self._starting.discard(task)
        if not task.cancelled() and not task.result():
            self._failed()
        self._give_up()
        self.serve()

    def is_ready(self) -> None:
        """A process is ready to think."""
        self._failures = 0
        self._go_on()

    def is_gone(self, worker: _Worker) -> None:
        """A process has ended."""
        self._workers.discard(worker)
        if not worker.ready:
            self._failed()
        self._give_up()
        self.serve()

    def _failed(self) -> None:
        if self.stopped:
            return
        self._failures += 1
        if self._failures >= _MOST_FAILURES and self._pause is None:
            loop = asyncio.get_running_loop()
            self._pause = loop.call_later(_PAUSE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        """Processes are started again."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self.serve()

    def _give_up(self) -> None:
        """Nothing waits where there is no process; while there is one, it takes all."""
        if self._hopeless:
            for inquiry in self._line.clear():
                inquiry.failed(Unserved(_NO_PROCESS))

    async def stop(self) -> None:
        """End them all, thinking or not; nothing is answered any more."""
        self.stopped = True
        if self._pause is not None:
            self._pause.cancel()
        for inquiry in self._line.clear():
            inquiry.failed(Unserved("nothing is thought any more"))
        if self._starting:
            await asyncio.wait(tuple(self._starting), timeout=_END_SECONDS)
        workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                for worker in workers:
                    await worker.gone.wait()


def _environment() -> dict[str, str]:
    """Ours without the settings, one of which may be a key: they are no business of bots."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RA_")}


class _Worker(asyncio.SubprocessProtocol):
    """One process."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._came = bytearray()
        self._inquiry: Inquiry | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.unattended = False
        """Whether it thinks about what nobody waited for when it took it up."""
        self.pid = 0
        self.ready = False
        """Whether it is able to think."""
        self._given_up = False
        self.gone = asyncio.Event()

    @property
    def alive(self) -> bool:
        """Whether it takes questions, now or later."""
        return not self._given_up

    @property
    def idle(self) -> bool:
        """Whether it could take a question."""
        return self.ready and self._inquiry is None and not self._given_up

    def take(self, inquiry: Inquiry) -> None:
        """Think about `inquiry`."""
        question = inquiry.question
        seconds = question.milliseconds / 1000
        attended = inquiry.attended()
        if attended:
            waited = monotonic() - inquiry.since
            seconds = max(seconds - waited, seconds * (1 - _MOST_WAITING))
            question = evolve(question, milliseconds=max(int(seconds * 1000), 1))
        try:
            body = QUESTION.encode(question)
        except ProtocolError:
            inquiry.told(Answer("cannot be asked"))
            return
        self._inquiry = inquiry
        self.unattended = not attended
        self._write(body)
        self._timer = self._loop.call_later(seconds, self._late)

    def forget(self, inquiry: Inquiry) -> None:
        """If it thinks about that, it may come to an end: nobody wants the answer."""
        if self._inquiry is inquiry and not self._given_up:
            self._write(STOP)

    def _write(self, body: bytes) -> None:
        assert self._transport is not None
        pipe = self._transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(LENGTH.pack(len(body)) + body)

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
        inquiry, self._inquiry = self._inquiry, None
        self.unattended = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if inquiry is None:
            return
        if self._workers.stopped:
            inquiry.failed(Unserved("nothing is thought any more"))
        else:
            inquiry.told(answer)

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

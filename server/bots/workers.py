"""The processes in which bots think: started when the first is needed, kept, replaced.

One that is gone (`server.bots.worker`) is replaced; each question is answered once, if need
be with what went wrong, unless nobody wants the answer any more. Knows no table and no
game, and lives on the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from server.bots.line import MOST_WAITING, Inquiry, Line, Unserved
from server.bots.thought import Answer, Question
from server.bots.worker import Worker, start_worker

_LOOK_SECONDS = 1.0
"""Between two looks at a question that waits for longer than that."""
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
        self._workers: set[Worker] = set()
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
        most = inquiry.question.milliseconds / 1000 * MOST_WAITING
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
        try:
            worker = await start_worker(self)
        except (OSError, RuntimeError):
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

    def is_gone(self, worker: Worker) -> None:
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

"""The processes in which bots think: started when the first is needed, kept, replaced.

One that is gone (`server.bots.process`) is replaced; each question is answered once, if need
be with what went wrong, unless nobody wants the answer any more. Knows no table and no
game, and lives on the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from time import monotonic

from server.bots.process import START_SECONDS, BotProcess, start_worker
from server.bots.questions import Answer, CannotTravel, Question, pack_question
from server.bots.queue import (
    MOST_WAITING,
    SOMEBODY,
    PendingQuestion,
    QuestionQueue,
    Unserved,
    Waiter,
)

_LOOK_SECONDS = 1.0
"""Between two looks at a question that waits for longer than that."""
_MOST_ALONE_SECONDS = 600.0
"""Time that a question waits at most where nobody waits for its answer."""
_MOST_FAILURES = 3
"""Processes in a row that do not get ready, before none is tried for a while."""
_PAUSE_SECONDS = 30.0
_NO_PROCESS = "no process for bots can be started"
_END_SECONDS = 1.0
"""Time for killed processes to be gone."""


class ProcessPool:
    """Some processes that think."""

    def __init__(self, most: int, line: int = 1000) -> None:
        """`most` processes; `line` questions may wait."""
        self._most = most
        self._line = QuestionQueue(line)
        self._workers: set[BotProcess] = set()
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
        self,
        question: Question,
        table: str = "",
        waiters: Callable[[], Collection[Waiter]] = lambda: (SOMEBODY,),
        opener: Hashable = None,
    ) -> Answer:
        """Have a question answered; an answer with trouble, and at once, if it cannot even be
        packed. Cancelling this withdraws the question.

        Questions that somebody waits for (`waiters`) come first, and where there are two
        processes one is kept for them; people come by turns (`QuestionQueue`). Their time counts
        while they wait, too; raises Unserved if half of it passes before a process takes
        them up, if too many questions wait, or if there is no process. The time of the
        others begins when a process takes them up, within ten minutes.
        """
        if self.stopped:
            raise Unserved("nothing is thought any more")
        if self._hopeless:
            raise Unserved(_NO_PROCESS)
        try:
            body = pack_question(question)
        except CannotTravel as why:
            return Answer(f"cannot be asked: {why}")
        seconds = question.milliseconds / 1000
        pending = PendingQuestion(body, seconds, table, waiters, opener)
        self._line.put(pending)
        try:
            self.serve()
            return await self._answered(pending)
        finally:
            self._line.drop(pending)
            pending.answer.cancel()
            for worker in self._workers:
                worker.forget(pending)

    async def _answered(self, pending: PendingQuestion) -> Answer:
        look = min(pending.seconds * MOST_WAITING, _LOOK_SECONDS)
        while not pending.answer.done():
            await asyncio.wait([pending.answer], timeout=look)
            if not pending.answer.done() and self._is_late(pending):
                raise Unserved("waited too long")
        return pending.answer.result()

    def _is_late(self, pending: PendingQuestion) -> bool:
        """Whether a question has waited for as long as it may."""
        now = monotonic()
        if pending.until is not None:  # a process has it, and is killed at that time
            return now > pending.until + _LOOK_SECONDS
        if not pending.attended:
            pending.since = now
            return now - pending.asked > _MOST_ALONE_SECONDS
        most = pending.seconds * MOST_WAITING
        if self._preparing:  # which is nobody's doing
            most += START_SECONDS
        return now - pending.since >= most

    def moved(self, table: str) -> None:
        """Somebody came to `table` or left it."""
        self._line.moved(table)
        self.serve()

    @property
    def _preparing(self) -> bool:
        alive = [worker for worker in self._workers if worker.alive]
        return bool(self._starting) or any(not worker.ready for worker in alive)

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
            pending = self._line.take(unattended=behind < max(self._most - 1, 1))
            if pending is not None:
                worker.take(pending)
        self._start_some()
        self._stand_back()

    def _start_some(self) -> None:
        if self._pause is not None:
            return
        there = len(self._starting) + sum(worker.counts for worker in self._workers)
        there = max(there, len(self._workers) - self._most)  # those that cannot be ended
        unready = len(self._starting) + sum(not worker.ready for worker in self._workers)
        for _ in range(min(self._most - there, len(self._line) - unready)):
            task = asyncio.get_running_loop().create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._started)

    def _stand_back(self) -> None:
        """Put questions that are thought about back into the line, if nobody waits for them or
        their address has far more than others: nobody who waits for an answer waits for them."""
        coming = sum(worker.ending for worker in self._workers) + len(self._starting)
        coming += sum(worker.alive and not worker.ready for worker in self._workers)
        for worker in sorted(self._workers, key=lambda worker: not worker.unattended):
            pending = worker.pending
            if coming >= self._line.urgent or pending is None:
                continue
            if worker.unattended or self._line.gives_way(pending.address):
                worker.let_go()
                self._line.put_back(pending)
                coming += 1

    async def _start(self) -> bool:
        """Whether the system starts one."""
        try:
            worker = await start_worker(self)
        except Exception:  # whatever it lacks: files, memory, threads
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

    def is_gone(self, worker: BotProcess) -> None:
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
            for pending in self._line.clear():
                pending.failed(Unserved(_NO_PROCESS))

    async def stop(self) -> None:
        """End them all, thinking or not; nothing is answered any more."""
        self.stopped = True
        if self._pause is not None:
            self._pause.cancel()
        for pending in self._line.clear():
            pending.failed(Unserved("nothing is thought any more"))
        if self._starting:
            await asyncio.wait(tuple(self._starting), timeout=_END_SECONDS)
        workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                for worker in workers:
                    await worker.gone.wait()

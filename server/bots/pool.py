"""The processes in which bots think: each is started when it is needed, kept, and replaced when
it is gone (`server.bots.process`).

Every question is answered once, with what went wrong if need be, unless the answer is not wanted
any more. Runs on the event loop. Does not know tables or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from time import monotonic

from server.bots.process import START_SECONDS, BotProcess, start_process
from server.bots.questions import QUESTION, STOPPED, Answer, CannotPack, Question, Unserved, pack
from server.bots.queue import MOST_WAITING, SOMEBODY, PendingQuestion, QuestionQueue, Waiter

_CHECK_SECONDS = 1.0
"""Between two checks whether a question has waited too long."""
_MAX_UNATTENDED_SECONDS = 600.0
"""How long a question may wait if nobody waits for its answer."""
_MAX_FAILURES = 3
"""After so many processes in a row that did not get ready, none is started for a while."""
_PAUSE_SECONDS = 30.0
_NO_PROCESS = "no process for bots can be started"
_END_SECONDS = 1.0
"""Time for killed processes to be gone."""


class ProcessPool:
    """Processes that think."""

    def __init__(self, size: int, max_questions: int = 1000) -> None:
        """At most `size` processes run, and at most `max_questions` questions wait."""
        self._size = size
        self._queue = QuestionQueue(max_questions)
        self._processes: set[BotProcess] = set()
        self._starting: set[asyncio.Task[bool]] = set()
        self._failures = 0
        self._pause: asyncio.TimerHandle | None = None
        """Set while no process is started."""
        self.stopped = False
        """Whether no question is answered any more."""

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return len(self._queue)

    async def ask(
        self,
        question: Question,
        table: str = "",
        waiters: Callable[[], Collection[Waiter]] = lambda: (SOMEBODY,),
        opener: Hashable = None,
    ) -> Answer:
        """The answer to a question; a failure, at once, if the question cannot even be
        packed. Cancel this to withdraw the question.

        Questions that somebody waits for (`waiters`) come first, and one of two or more
        processes is kept for them; people take turns (`QuestionQueue`). Their time runs while
        they wait, too; raises Unserved if half of it passes before a process takes them up, if
        too many questions wait, or if there is no process. The time of all other questions
        begins when a process takes them up, within ten minutes.
        """
        if self.stopped:
            raise Unserved(STOPPED)
        if self._hopeless:
            raise Unserved(_NO_PROCESS)
        try:
            body = pack(QUESTION, question)
        except CannotPack as why:
            return Answer(f"cannot be asked: {why}")
        seconds = question.milliseconds / 1000
        pending = PendingQuestion(body, seconds, table, waiters, opener)
        self._queue.put(pending)
        try:
            self.serve()
            interval = min(seconds * MOST_WAITING, _CHECK_SECONDS)
            while not pending.answer.done():
                await asyncio.wait([pending.answer], timeout=interval)
                if not pending.answer.done() and self._is_late(pending):
                    raise Unserved("waited too long")
            return pending.answer.result()
        finally:
            self._queue.drop(pending)
            pending.answer.cancel()
            for process in self._processes:
                process.forget(pending)

    def _is_late(self, pending: PendingQuestion) -> bool:
        """Whether a question has waited as long as it may."""
        now = monotonic()
        if pending.until is not None:  # a process has it, and is killed at that time
            return now > pending.until + _CHECK_SECONDS
        if not pending.attended:
            pending.since = now
            return now - pending.asked > _MAX_UNATTENDED_SECONDS
        most = pending.seconds * MOST_WAITING
        if self._preparing:  # no other question is the reason why this one waits
            most += START_SECONDS
        return now - pending.since >= most

    def waiters_changed(self, table: str) -> None:
        """Somebody came to `table` or left it."""
        self._queue.waiters_changed(table)
        self.serve()

    @property
    def _preparing(self) -> bool:
        """Whether a process is on its way."""
        alive = [process for process in self._processes if process.alive]
        return bool(self._starting) or any(not process.ready for process in alive)

    @property
    def _hopeless(self) -> bool:
        """Whether there is no process, and will be none for a while."""
        there = bool(self._starting) or any(process.alive for process in self._processes)
        return self._pause is not None and not there

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes there are."""
        return tuple(process.pid for process in self._processes)

    def serve(self) -> None:
        """Hand out the questions that wait, and start processes while there are too few."""
        if self.stopped:
            return
        for process in self._processes:
            if not process.idle:
                continue
            # one of two or more is kept free for questions that somebody waits for
            unattended = sum(other.unattended for other in self._processes)
            pending = self._queue.take(unattended=unattended < max(self._size - 1, 1))
            if pending is not None:
                process.take(pending)
        self._start_some()
        self._make_way()

    def _start_some(self) -> None:
        if self._pause is not None:
            return
        there = len(self._starting) + sum(process.counts for process in self._processes)
        there = max(there, len(self._processes) - self._size)  # those that cannot be ended
        unready = len(self._starting) + sum(not process.ready for process in self._processes)
        for _ in range(min(self._size - there, len(self._queue) - unready)):
            task = asyncio.get_running_loop().create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._started)

    def _make_way(self) -> None:
        """Put questions that bots think about back into the queue, if nobody waits for them or
        their address has far more than others, while somebody waits for another one."""
        coming = sum(process.ending for process in self._processes) + len(self._starting)
        coming += sum(process.alive and not process.ready for process in self._processes)
        for process in sorted(self._processes, key=lambda process: not process.unattended):
            pending = process.pending
            if coming >= self._queue.urgent or pending is None:
                continue
            if process.unattended or self._queue.gives_way(pending.address):
                process.withdraw()
                self._queue.put_back(pending)
                coming += 1

    async def _start(self) -> bool:
        """Start a process; whether the system could do it."""
        try:
            process = await start_process(self)
        except Exception:  # whatever the system lacks: files, memory, threads
            return False
        if self.stopped:
            process.kill()
        elif not process.gone.is_set():
            self._processes.add(process)
        return True

    def _started(self, task: asyncio.Task[bool]) -> None:
        self._starting.discard(task)
        if not task.cancelled() and not task.result():
            self._failed()
        self._give_up()
        self.serve()

    def process_ready(self) -> None:
        """A process is ready to think."""
        self._failures = 0
        self._resume()

    def process_gone(self, process: BotProcess) -> None:
        """A process has ended."""
        self._processes.discard(process)
        if not process.ready:
            self._failed()
        self._give_up()
        self.serve()

    def _failed(self) -> None:
        if self.stopped:
            return
        self._failures += 1
        if self._failures >= _MAX_FAILURES and self._pause is None:
            loop = asyncio.get_running_loop()
            self._pause = loop.call_later(_PAUSE_SECONDS, self._resume)

    def _resume(self) -> None:
        """Start processes again, after a pause if there was one."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self.serve()

    def _give_up(self) -> None:
        """Fail all questions that wait if there is no process; as long as there is one, it
        takes them all."""
        if self._hopeless:
            for pending in self._queue.clear():
                pending.fail(Unserved(_NO_PROCESS))

    async def stop(self) -> None:
        """Kill all processes, thinking or not; no question is answered any more."""
        self.stopped = True
        if self._pause is not None:
            self._pause.cancel()
        for pending in self._queue.clear():
            pending.fail(Unserved(STOPPED))
        if self._starting:
            await asyncio.wait(tuple(self._starting), timeout=_END_SECONDS)
        processes = tuple(self._processes)
        for process in processes:
            process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                for process in processes:
                    await process.gone.wait()

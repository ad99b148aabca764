"""One process in which bots think: it is started, asked one question after another, and killed.

It is killed if it does not get ready, does not answer in time, or sends something that is not an
answer. Whatever becomes of it, the question that it has is answered. Does not know about other
processes or questions that wait, tables or games.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Protocol

from server.bots.questions import MOST_BYTES, STOPPED, Answer, Unserved, unpack_answer
from server.bots.queue import MOST_WAITING, PendingQuestion
from server.bots.worker_main import LENGTH, MILLISECONDS, STOP

START_SECONDS = 30.0
"""Time for a process to be ready."""
_STOP_SECONDS = 1.0
"""Time for a process to finish with a question that was withdrawn."""
_GONE_SECONDS = 5.0
"""Time for a killed process to be gone."""


class ProcessOwner(Protocol):
    """What a process reports to. None of its methods waits."""

    stopped: bool
    """Whether no question is answered any more."""

    def process_ready(self) -> None:
        """A process is ready to think."""

    def process_gone(self, process: BotProcess) -> None:
        """A process has ended."""

    def serve(self) -> None:
        """A process has answered: hand out the questions that wait."""


class BotProcess(asyncio.SubprocessProtocol):
    """One process."""

    def __init__(self, owner: ProcessOwner) -> None:
        self._owner = owner
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._received = bytearray()
        self.pending: PendingQuestion | None = None
        """The question that it has, unless that was withdrawn."""
        self._thinking = False
        """Whether it owes an answer, wanted or not."""
        self._timer: asyncio.TimerHandle | None = None
        self.unattended = False
        """Whether nobody waited for the answer when it took its question up."""
        self.pid = 0
        self.ready = False
        """Whether it has started and can think."""
        self._given_up = False
        self._killed: float | None = None
        """When it was killed, by the monotonic clock."""
        self.gone = asyncio.Event()

    @property
    def alive(self) -> bool:
        """Whether it takes questions, now or later."""
        return not self._given_up

    @property
    def counts(self) -> bool:
        """Whether it counts as one of the processes that may run: one that was killed does
        until it is gone, unless the system cannot end it."""
        return self._killed is None or monotonic() - self._killed < _GONE_SECONDS

    @property
    def idle(self) -> bool:
        """Whether it could take a question."""
        return self.ready and not self._thinking and not self._given_up

    @property
    def ending(self) -> bool:
        """Whether it will soon take another question: the one that it has was withdrawn."""
        return self._thinking and self.pending is None and not self._given_up

    def take(self, pending: PendingQuestion) -> None:
        """Send it a question."""
        seconds = pending.seconds
        attended = pending.attended
        if attended:
            waited = monotonic() - pending.since
            seconds = max(seconds - waited, seconds * (1 - MOST_WAITING))
        pending.until = monotonic() + seconds
        self.pending = pending
        self._thinking = True
        self.unattended = not attended
        self._set_timer(seconds)
        self._write(MILLISECONDS.pack(max(int(seconds * 1000), 1)) + pending.body)

    def withdraw(self) -> None:
        """Withdraw the question that it has: its answer will be dropped. A process that does
        not finish soon is killed."""
        pending, self.pending = self.pending, None
        self.unattended = False
        if pending is None or pending.until is None or self._given_up:
            return
        self._set_timer(min(_STOP_SECONDS, pending.until - monotonic()))
        pending.until = None
        self._write(STOP)

    def forget(self, pending: PendingQuestion) -> None:
        """Withdraw that question, if it has it."""
        if self.pending is pending:
            self.withdraw()

    def _set_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(seconds, 0.0), self._took_too_long)

    def _write(self, body: bytes) -> None:
        pipe = None if self._transport is None else self._transport.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(LENGTH.pack(len(body)) + body)
        else:
            self._loop.call_soon(self._give_up, "its process died")

    def _took_too_long(self) -> None:
        self._give_up("took too long")

    def _give_up(self, failure: str) -> None:
        """Kill it, and answer the question that it has with `failure`."""
        self.kill()
        self._finish(Answer(failure))

    def kill(self) -> None:
        """Kill it, whatever it does."""
        self._given_up = True
        self._killed = self._killed or monotonic()
        if self._transport is None or self.gone.is_set():
            return
        with suppress(ProcessLookupError):
            self._transport.send_signal(signal.SIGKILL)
        pipe = self._transport.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.abort()  # nobody reads what is still to be written

    def _finish(self, answer: Answer) -> None:
        pending, self.pending = self.pending, None
        self._thinking = self.unattended = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if pending is None:
            return
        if self._owner.stopped:
            pending.fail(Unserved(STOPPED))
        else:
            pending.resolve(answer)

    # called by the loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid() or 0
        self._timer = self._loop.call_later(START_SECONDS, self.kill)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._received += data
        while len(self._received) >= LENGTH.size and not self._given_up:
            size = LENGTH.unpack_from(self._received)[0]
            if size > MOST_BYTES or (self.ready and not self._thinking):
                self._give_up("answered nonsense")
                return
            end = LENGTH.size + size
            if len(self._received) < end:
                return
            body = bytes(self._received[LENGTH.size : end])
            del self._received[:end]
            self._frame_received(body)

    def _frame_received(self, body: bytes) -> None:
        if self.ready:
            self._finish(unpack_answer(body))
            self._owner.serve()
            return
        self.ready = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._owner.process_ready()

    def pipe_connection_lost(self, fd: int, error: Exception | None) -> None:
        if not self._given_up:
            self._given_up = True
            self._finish(Answer("its process died"))
            self._loop.call_later(_STOP_SECONDS, self.kill)  # unless it has ended by then

    def process_exited(self) -> None:
        self._given_up = True
        self.gone.set()
        self._finish(Answer("its process died"))
        if self._transport is not None:
            self._transport.close()
        self._owner.process_gone(self)


async def start_process(owner: ProcessOwner) -> BotProcess:
    """Start a process; raises OSError, or RuntimeError if no thread can be started."""
    loop = asyncio.get_running_loop()
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    # a session of its own: where the system divides the machine among sessions, bots do not use
    # up our share, and a key meant for us does not end them
    _, process = await loop.subprocess_exec(
        lambda: BotProcess(owner),
        sys.executable,
        *("-P", "-m", "server.bots.worker_main"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**_environment(), "PYTHONPATH": paths},
    )
    return process


def _environment() -> dict[str, str]:
    """Our environment without the settings: bots have no need of them, and one may be a key."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RA_")}

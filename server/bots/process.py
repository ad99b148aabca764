"""One process in which bots think: started, asked one question after another, killed.

It is killed if it does not get ready, does not answer in its time, or says what no answer is.
Whatever becomes of it, the question that it has is answered. Knows nothing of the other
processes nor of what waits for one, no table and no game.
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

from server.bots.questions import MOST_BYTES, Answer, unpack_answer
from server.bots.queue import MOST_WAITING, PendingQuestion, Unserved
from server.bots.worker_main import LENGTH, MILLISECONDS, STOP

START_SECONDS = 30.0
"""Time for a process to be ready."""
_STOP_SECONDS = 1.0
"""Time to come to an end with a question whose answer nobody wants any more."""

_GONE_SECONDS = 5.0
"""Time for a killed process to be gone."""


class Owner(Protocol):
    """Whose a process is. None of its methods waits."""

    stopped: bool
    """Whether nothing is answered any more."""

    def is_ready(self) -> None:
        """A process is ready to think."""

    def is_gone(self, worker: BotProcess) -> None:
        """A process has ended."""

    def serve(self) -> None:
        """Hand out what waits: a process has answered."""


class BotProcess(asyncio.SubprocessProtocol):
    """One process."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._came = bytearray()
        self.pending: PendingQuestion | None = None
        """What it thinks about for somebody."""
        self._thinking = False
        """Whether an answer is to come, wanted or not."""
        self._timer: asyncio.TimerHandle | None = None
        self.unattended = False
        """Whether it thinks about what nobody waited for when it took it up."""
        self.pid = 0
        self.ready = False
        """Whether it is able to think."""
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
        """Whether it takes the place of a process: one that was killed does until it is gone,
        unless the system cannot end it."""
        return self._killed is None or monotonic() - self._killed < _GONE_SECONDS

    @property
    def idle(self) -> bool:
        """Whether it could take a question."""
        return self.ready and not self._thinking and not self._given_up

    @property
    def ending(self) -> bool:
        """Whether it is about to take another question: what it thinks about, nobody wants."""
        return self._thinking and self.pending is None and not self._given_up

    def take(self, pending: PendingQuestion) -> None:
        """Think about `inquiry`."""
        seconds = pending.seconds
        attended = pending.attended
        if attended:
            waited = monotonic() - pending.since
            seconds = max(seconds - waited, seconds * (1 - MOST_WAITING))
        pending.until = monotonic() + seconds
        self.pending = pending
        self._thinking = True
        self.unattended = not attended
        self._due(seconds)
        self._write(MILLISECONDS.pack(max(int(seconds * 1000), 1)) + pending.body)

    def let_go(self) -> None:
        """Come to an end with the question that it has, whose answer nobody will hear from
        here. A process that does not is killed."""
        pending, self.pending = self.pending, None
        self.unattended = False
        if pending is None or pending.until is None or self._given_up:
            return
        self._due(min(_STOP_SECONDS, pending.until - monotonic()))
        pending.until = None
        self._write(STOP)

    def forget(self, pending: PendingQuestion) -> None:
        """Nobody wants the answer to that: if it thinks about it, it is to come to an end."""
        if self.pending is pending:
            self.let_go()

    def _due(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(seconds, 0.0), self._late)

    def _write(self, body: bytes) -> None:
        pipe = None if self._transport is None else self._transport.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(LENGTH.pack(len(body)) + body)
        else:
            self._loop.call_soon(self._useless, "its process died")

    def _late(self) -> None:
        self._useless("took too long")

    def _useless(self, trouble: str) -> None:
        """It is not asked any more, and what it was asked is answered."""
        self.kill()
        self._finish(Answer(trouble))

    def kill(self) -> None:
        """End it, whatever it does."""
        self._given_up = True
        self._killed = self._killed or monotonic()
        if self._transport is None or self.gone.is_set():
            return
        with suppress(ProcessLookupError):
            self._transport.send_signal(signal.SIGKILL)
        pipe = self._transport.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.abort()  # nobody reads what it was still to be told

    def _finish(self, answer: Answer) -> None:
        pending, self.pending = self.pending, None
        self._thinking = self.unattended = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if pending is None:
            return
        if self._owner.stopped:
            pending.failed(Unserved("nothing is thought any more"))
        else:
            pending.told(answer)

    # what the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid() or 0
        self._timer = self._loop.call_later(START_SECONDS, self.kill)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._came += data
        while len(self._came) >= LENGTH.size and not self._given_up:
            size = LENGTH.unpack_from(self._came)[0]
            if size > MOST_BYTES or (self.ready and not self._thinking):
                self._useless("answered nonsense")
                return
            end = LENGTH.size + size
            if len(self._came) < end:
                return
            body = bytes(self._came[LENGTH.size : end])
            del self._came[:end]
            self._hear(body)

    def _hear(self, body: bytes) -> None:
        if self.ready:
            self._finish(unpack_answer(body))
            self._owner.serve()
            return
        self.ready = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._owner.is_ready()

    def pipe_connection_lost(self, fd: int, error: Exception | None) -> None:
        if not self._given_up:
            self._given_up = True
            self._finish(Answer("its process died"))
            self._loop.call_later(_STOP_SECONDS, self.kill)  # which has ended by then, or not

    def process_exited(self) -> None:
        self._given_up = True
        self.gone.set()
        self._finish(Answer("its process died"))
        if self._transport is not None:
            self._transport.close()
        self._owner.is_gone(self)


async def start_worker(owner: Owner) -> BotProcess:
    """Start a process; raises OSError, or RuntimeError if no thread can be started."""
    loop = asyncio.get_running_loop()
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    # a session of its own: where the system shares out the machine among sessions, what
    # bots use is not taken from this one's share, and no key meant for us ends them
    _, worker = await loop.subprocess_exec(
        lambda: BotProcess(owner),
        sys.executable,
        *("-P", "-m", "server.bots.worker_main"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**_environment(), "PYTHONPATH": paths},
    )
    return worker


def _environment() -> dict[str, str]:
    """Ours without the settings, one of which may be a key: they are no business of bots."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RA_")}

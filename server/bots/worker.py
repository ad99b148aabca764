"""One process in which bots think: started, asked one question after another, killed.

It is killed if it does not get ready, or does not answer in its time. Knows nothing of the
other processes nor of what waits for one, no table and no game.
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

from attrs import evolve

from protocol.codec import ProtocolError
from server.bots.line import MOST_WAITING, Inquiry, Unserved
from server.bots.thinker import LENGTH, STOP
from server.bots.thought import ANSWER, QUESTION, Answer

_START_SECONDS = 30.0
"""Time for a process to be ready."""


class Owner(Protocol):
    """Whose a process is. None of its methods waits."""

    stopped: bool
    """Whether nothing is answered any more."""

    def is_ready(self) -> None:
        """A process is ready to think."""

    def is_gone(self, worker: Worker) -> None:
        """A process has ended."""

    def serve(self) -> None:
        """Hand out what waits: a process has answered."""


class Worker(asyncio.SubprocessProtocol):
    """One process."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
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
            seconds = max(seconds - waited, seconds * (1 - MOST_WAITING))
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
        if self._owner.stopped:
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
            self._owner.is_ready()
            return
        try:
            answer = ANSWER.decode(body)
        except ProtocolError:
            answer = Answer("answered nonsense")
        self._finish(answer)
        self._owner.serve()

    def process_exited(self) -> None:
        self._given_up = True
        self.gone.set()
        self._finish(Answer("its process died"))
        if self._transport is not None:
            self._transport.close()
        self._owner.is_gone(self)


async def start_worker(owner: Owner) -> Worker:
    """Start a process; raises OSError, or RuntimeError if no thread can be started."""
    loop = asyncio.get_running_loop()
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    # a session of its own: where the system shares out the machine among sessions, what
    # bots use is not taken from this one's share, and no key meant for us ends them
    _, worker = await loop.subprocess_exec(
        lambda: Worker(owner),
        sys.executable,
        *("-P", "-m", "server.bots.thinker"),
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

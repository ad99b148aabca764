"""A process in which bots think: `python -m server.bots.worker_main`, started by
`server.bots.process`.

It reads questions from its standard input and writes answers to its standard output, one after
another, each preceded by its length. It gives way to everything else on the machine, and ends as
soon as the server at the other end is gone, whatever it thinks about.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

NICENESS = 10
LENGTH = struct.Struct(">I")
MILLISECONDS = struct.Struct(">I")
"""Precedes each question: the time that is left for it."""
_TRIES = 20
_PR_SET_PDEATHSIG = 1
_INTERRUPT = signal.SIGUSR1
"""The signal that the process sends itself when its question was withdrawn."""
STOP = b"\x00"
"""Sent in place of a question: the one that the process has was withdrawn."""
READY = b""
"""The first thing written: the process is ready to think."""


class Withdrawn(BaseException):
    """The question was withdrawn: raised in the bot, whatever it is doing."""


class Thinking:
    """The one question that a bot thinks about, and how that is interrupted."""

    def __init__(self, answer: Callable[[bytes, int, Callable[[], bool]], bytes]) -> None:
        """`answer` takes a packed question, its milliseconds, and whether it was withdrawn."""
        self._answer = answer
        self.stopped = threading.Event()
        """Whether the question was withdrawn."""
        self._busy = False

    def think(self, asked: bytes) -> bytes:
        """The packed answer to what was read from the channel."""
        (milliseconds,) = MILLISECONDS.unpack_from(asked)
        try:
            self._busy = True
            try:
                if self.stopped.is_set():
                    raise Withdrawn  # before the bot began
                return self._answer(asked[MILLISECONDS.size :], milliseconds, self.stopped.is_set)
            finally:
                self._busy = False
        except Withdrawn:
            return self._answer(b"", 0, self.stopped.is_set)  # the server drops it

    def interrupt(self, *_: object) -> None:
        """Called in the main thread: raise Withdrawn there, if a bot is thinking."""
        if self._busy and self.stopped.is_set():
            self._busy = False
            raise Withdrawn


def main() -> None:
    """Answer questions until the server is gone."""
    _end_with_parent()
    questions, answers = _channel()
    from server.bots.answering import answer_packed
    from server.games import game_services, installed

    for game in installed():
        try:
            game_services(game)
        except Exception:
            continue  # the answer to the first question about it says so
    _lower_priority()  # after the imports, which would take very long on a busy machine
    waiting: SimpleQueue[bytes] = SimpleQueue()
    thinking = Thinking(answer_packed)
    signal.signal(_INTERRUPT, thinking.interrupt)
    shared = (questions, waiting, thinking.stopped)
    threading.Thread(target=_listen, args=shared, daemon=True).start()
    _write(answers, READY)
    while True:
        _write(answers, thinking.think(waiting.get()))


def _lower_priority() -> None:
    """Give way to all other processes, and with the session (`server.bots.process` starts one)
    to all other sessions, where the system divides the machine among sessions (Linux)."""
    os.nice(NICENESS)
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(NICENESS))
        except BlockingIOError:
            time.sleep(0.1)  # the system allows ten changes a second
        except OSError:
            return
        else:
            return


def _end_with_parent() -> None:
    """Have the system end this process with its parent, where it can: a bot that never
    releases the interpreter keeps `_listen` from noticing."""
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _channel() -> tuple[BinaryIO, BinaryIO]:
    """Where questions are read and answers written; what a bot prints goes nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return questions, answers


def _listen(questions: BinaryIO, waiting: SimpleQueue[bytes], stopped: threading.Event) -> None:
    while True:
        head = questions.read(LENGTH.size)
        size = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
        body = questions.read(size)
        if not size or len(body) < size:
            os._exit(0)
        if body == STOP:
            stopped.set()
            os.kill(os.getpid(), _INTERRUPT)
            continue
        stopped.clear()  # it was for the previous question
        waiting.put(body)


def _write(answers: BinaryIO, body: bytes) -> None:
    try:
        answers.write(LENGTH.pack(len(body)) + body)
        answers.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()

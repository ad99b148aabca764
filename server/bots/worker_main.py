"""A process in which bots think: `python -m server.bots.worker_main`, started by
`server.bots.process`.

Reads questions from its standard input and writes answers to its standard output, one
after another, each with its length before it. It stands back behind everything else on
the machine, and ends as soon as nobody is at the other end, whatever it thinks about.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

NICENESS = 10
LENGTH = struct.Struct(">I")
MILLISECONDS = struct.Struct(">I")
"""Before each question: the time that is left for it."""
_TRIES = 20
_PR_SET_PDEATHSIG = 1
_BREAK_OFF = signal.SIGUSR1
"""What the process tells itself when nobody wants the answer any more."""
STOP = b"\x00"
"""In place of a question: come to an end with the one that is being thought about."""
READY = b""
"""The first thing said: the process is ready to think."""


class Withdrawn(BaseException):
    """Nobody wants the answer any more: whatever a bot is doing, it ends."""


class Thinking:
    """The one question that is being thought about, and how it is broken off."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        """Whether nobody wants the answer."""
        self._busy = False

    def think(self, asked: bytes) -> bytes:
        """The packed answer to what came over the channel."""
        from server.bots.questions import answered

        (milliseconds,) = MILLISECONDS.unpack_from(asked)
        try:
            self._busy = True
            try:
                if self.stopped.is_set():
                    raise Withdrawn  # it was withdrawn before it was begun
                return answered(asked[MILLISECONDS.size :], milliseconds, self.stopped.is_set)
            finally:
                self._busy = False
        except Withdrawn:
            return answered(b"", 0, self.stopped.is_set)  # which nobody reads

    def break_off(self, *_: object) -> None:
        """Called in the main thread: raise Withdrawn where it is, if that is in a bot."""
        if self._busy and self.stopped.is_set():
            self._busy = False
            raise Withdrawn


def main() -> None:
    """Think until the other end is gone."""
    _end_with_parent()
    questions, answers = _channel()
    from server.games import game_services, installed

    for game in installed():
        try:
            game_services(game)
        except Exception:
            continue  # told when it is asked for
    _stand_back()  # after the imports: on a busy machine they would take very long then
    waiting: SimpleQueue[bytes] = SimpleQueue()
    thinking = Thinking()
    signal.signal(_BREAK_OFF, thinking.break_off)
    told = (questions, waiting, thinking.stopped)
    threading.Thread(target=_listen, args=told, daemon=True).start()
    _write(answers, READY)
    while True:
        _write(answers, thinking.think(waiting.get()))


def _stand_back() -> None:
    """Behind all other processes, and with the session (`server.bots.process` starts one) behind
    all others, where the system shares out the machine among sessions (Linux)."""
    os.nice(NICENESS)
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(NICENESS))
        except BlockingIOError:
            time.sleep(0.1)  # it takes no more than ten a second
        except OSError:
            return
        else:
            return


def _end_with_parent() -> None:
    """Have the system end this process with its parent, where it can: a bot that never
    lets go of the interpreter keeps `_listen` from noticing."""
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _channel() -> tuple[BinaryIO, BinaryIO]:
    """Where questions come from and answers go; what a bot prints goes nowhere."""
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
            os.kill(os.getpid(), _BREAK_OFF)
            continue
        stopped.clear()  # it was for the one before
        waiting.put(body)


def _write(answers: BinaryIO, body: bytes) -> None:
    try:
        answers.write(LENGTH.pack(len(body)) + body)
        answers.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()

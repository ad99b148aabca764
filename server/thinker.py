"""A process in which bots think: `python -m server.thinker`, started by `server.workers`.

Reads questions from its standard input and writes answers to its standard output, one
after another, each with its length before it. It stands back behind everything else on
the machine, and ends as soon as nobody is at the other end, whatever it thinks about.
"""

from __future__ import annotations

import os
import signal
import struct
import threading
from queue import SimpleQueue
from typing import BinaryIO

NICENESS = 10
LENGTH = struct.Struct(">I")
READY = b""
"""The first thing said: the process is ready to think."""


def main() -> None:
    """Think until the other end is gone."""
    # the other end decides when to stop, not a key that both are told of
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    questions, answers = _channel()
    from server.play import find_play, installed
    from server.thought import ANSWER, QUESTION, answer

    for game in installed():
        try:
            find_play(game)
        except Exception:
            continue  # told when it is asked for
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions, waiting), daemon=True).start()
    _write(answers, READY)
    while True:
        _write(answers, ANSWER.encode(answer(QUESTION.decode(waiting.get()))))


def _channel() -> tuple[BinaryIO, BinaryIO]:
    """Where questions come from and answers go; what a bot prints goes nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return questions, answers


def _listen(questions: BinaryIO, waiting: SimpleQueue[bytes]) -> None:
    while True:
        head = questions.read(LENGTH.size)
        size = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
        body = questions.read(size)
        if not size or len(body) < size:
            os._exit(0)
        waiting.put(body)


def _write(answers: BinaryIO, body: bytes) -> None:
    try:
        answers.write(LENGTH.pack(len(body)) + body)
        answers.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()

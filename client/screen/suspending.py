"""Giving the terminal to the shell for a while and taking it back: Ctrl-Z, SIGTSTP, SIGCONT.

Whatever stopped the program (even SIGSTOP, which cannot be caught), the terminal is raw and
drawn when the program goes on. Knows the toolkit's application, but not what it shows.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.input.vt100 import raw_mode


class Suspension:
    """Suspends one application; works while `listening`."""

    def __init__(self, app: Application[Any]) -> None:
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: list[Any] | None = None
        """The terminal's settings before the screen; None: they cannot be read."""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle the signals that stop and continue. A SIGTSTP that was ignored when we were
        started stays ignored."""
        self._loop = asyncio.get_running_loop()
        with suppress(termios.error, OSError, ValueError):
            self._before = termios.tcgetattr(sys.stdin.fileno())
        heard = [signal.SIGCONT]
        if signal.getsignal(signal.SIGTSTP) != signal.SIG_IGN:
            heard.append(signal.SIGTSTP)
        former = {number: signal.getsignal(number) for number in heard}
        for number in heard:
            signal.signal(number, self._hear)
        try:
            yield
        finally:
            self._loop = None
            for number, handler in former.items():
                signal.signal(number, handler)

    def suspend(self, *, group: bool = True) -> None:
        """Give the terminal back and stop, the whole job (`group`) or this process alone;
        returns when it goes on. Does nothing if no shell could continue us."""
        if self._loop is None or signal.getsignal(signal.SIGTSTP) == signal.SIG_IGN:
            return
        self._app.renderer.reset()
        if self._before is not None:
            with suppress(termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)
        heard = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        # The system does not stop a process that no shell could continue: this then returns at
        # once.
        os.kill(0 if group else os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, heard)
        self.resume()

    def resume(self) -> None:
        """Take the terminal again: raw, on the alternate screen, and redrawn."""
        if self._loop is None or not self._app.is_running:
            return
        with suppress(termios.error):
            raw_mode(sys.stdin.fileno()).__enter__()
        self._app.renderer.reset()
        self._app.invalidate()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        """Pass a signal on to the loop, because it may come in the middle of drawing."""
        if self._loop is None:
            return
        stops = number == signal.SIGTSTP
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop_alone if stops else self.resume)

    def _stop_alone(self) -> None:
        self.suspend(group=False)

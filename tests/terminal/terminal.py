"""A real pseudo-terminal with a program in it, and the screen that a person would see."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyte

from tests.patience import PATIENCE

KEYS: Mapping[str, str] = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "backspace": "\x7f",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
}

_CHANGED = threading.Condition()
"""One for all terminals, so that a test can wait for several at a time."""

Condition = Callable[["Terminal"], Any] | re.Pattern[str] | str


class Terminal:
    """One program on one terminal. `close` it."""

    def __init__(
        self,
        command: Sequence[str],
        columns: int = 80,
        rows: int = 24,
        *,
        environment: Mapping[str, str] | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        self.columns, self.rows = columns, rows
        self._master, self._slave = pty.openpty()
        self._set_size(columns, rows)
        self.before = termios.tcgetattr(self._slave)
        """The terminal's settings before the program."""
        self.output = bytearray()
        """All that the program wrote to the terminal."""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        base = {key: os.environ[key] for key in ("PATH", "HOME", "PYTHONPATH") if key in os.environ}
        self.process = subprocess.Popen(
            command,
            stdin=self._slave,
            stdout=self._slave,
            stderr=subprocess.PIPE,
            env={**base, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})},
            cwd=folder,
            start_new_session=True,
            # The child does one system call before it becomes the program.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        self._errors = ""
        self._after: Any = None
        self._hung_up = False
        self._reader_stop = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        while not self._reader_stop.is_set():
            try:
                ready, _, _ = select.select([self._master], [], [], 0.2)
                if not ready:
                    continue
                data = os.read(self._master, 1 << 16)
            except (OSError, ValueError):
                return
            if not data:
                return
            with _CHANGED:
                self.output += data
                self._stream.feed(data)
                _CHANGED.notify_all()

    # what is seen

    def lines(self) -> list[str]:
        """The screen, line by line."""
        with _CHANGED:
            return list(self._screen.display)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines())

    def snapshot(self) -> pyte.Screen:
        """The screen with its colours; stays as it is while nothing is written."""
        return self._screen

    def until(self, *conditions: Condition, patience: float = PATIENCE) -> str:
        """Wait until the screen holds texts and patterns, and fulfils conditions, all at one
        look; the screen then. A screen can come in pieces: what else it shows at that moment
        may be half drawn."""
        end = time.monotonic() + patience
        while True:
            text = self.text
            missing = [one for one in conditions if not self._fulfils(one, text)]
            if not missing:
                return text
            with _CHANGED:
                left = end - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"not seen: {missing}\n{text}")
                if self.process.poll() is not None and left > 6:
                    end = time.monotonic() + 5
                _CHANGED.wait(min(left, 0.25))

    def _fulfils(self, condition: Condition, text: str) -> Any:
        if isinstance(condition, str):
            return condition in text
        if isinstance(condition, re.Pattern):
            return condition.search(text)
        return condition(self)

    # what is done

    def press(self, *keys: str) -> None:
        """Keys by name, letters as themselves."""
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode())

    def write(self, data: bytes) -> None:
        """Bytes as they are, whatever they mean."""
        os.write(self._master, data)

    def paste(self, text: str) -> None:
        """A paste, as terminals mark it."""
        os.write(self._master, b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def resize(self, columns: int, rows: int) -> None:
        """Another size, as when a window is dragged."""
        with _CHANGED:
            self.columns, self.rows = columns, rows
            if columns and rows:
                self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.kill(self.process.pid, signal.SIGWINCH)

    def kill(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def hang_up(self) -> None:
        """Close the window: nothing is left on the other side of the terminal."""
        # The order in which a terminal emulator would: its own side goes first.
        if self._after is None:
            os.close(self._slave)
        self._hung_up = True
        self._reader_stop.set()
        self._reader.join(1)
        os.close(self._master)

    # how it ends

    def ended(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the program, and of what it wrote; its exit code."""
        code = self.process.wait(patience)
        if self._after is None:
            # With the last descriptor on it the terminal says when all is read.
            self._after = termios.tcgetattr(self._slave)
            os.close(self._slave)
            self._reader.join(patience)
            assert not self._reader.is_alive(), "somebody else has the terminal open"
        return code

    @property
    def errors(self) -> str:
        """What the ended program wrote to stderr."""
        assert self.process.stderr is not None
        self._errors += self.process.stderr.read().decode()
        return self._errors

    def settings(self) -> Any:
        """The terminal's settings now, as `stty -a` would say them; once the program has
        ended, as it left them."""
        return termios.tcgetattr(self._slave) if self._after is None else self._after

    def modes(self) -> dict[str, bool]:
        """The private modes that were set at the end of the output."""
        modes: dict[str, bool] = {}
        for number, switch in re.findall(rb"\x1b\[\?([\d;]+)([hl])", bytes(self.output)):
            for mode in number.split(b";"):
                modes[mode.decode()] = switch == b"h"
        return modes

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stderr is not None and not self.process.stderr.closed:
            self.process.stderr.close()
        if not self._hung_up:
            self.hang_up()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

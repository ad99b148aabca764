"""Those who offend, all at once, as a process of its own: a spectator that never reads, a
seat that floods, 500 silent sockets and a slow handshake.

`python -m tests.bench.offending PORT CODE SECONDS` prints how each of them ended: by kind,
how often with which close code (0: cut off without one).
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections import Counter
from contextlib import suppress
from time import monotonic, sleep

import msgpack

from protocol.fields import SUBPROTOCOL, VERSION

SILENT = 500
BATCH, PAUSE = 50, 0.01
"""The flood: so many messages, then so many seconds."""
HANDSHAKE = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
).encode()


def connect(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=5)
    made.setblocking(False)
    return made


def frame(*message: object) -> bytes:
    """A message in a frame, masked with zeros."""
    data: bytes = msgpack.packb(message)
    assert len(data) < 126
    return bytes((0x82, 0x80 | len(data))) + b"\0\0\0\0" + data


def hello(name: str) -> bytes:
    return frame(1, VERSION, "offending/1", (), "en", name, None)


class Ear:
    """Hears the close frame in what a server sends, and nothing else."""

    def __init__(self) -> None:
        self._data = b""
        self._shaken = False
        self.code = 0
        """Of the close frame; 0: none has come."""

    def hear(self, data: bytes) -> None:
        self._data += data
        if not self._shaken:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            self._shaken = bool(end)
            self._data = rest if end else head
        while self._shaken and (found := self._frame()) is not None:
            opcode, content = found
            if opcode == 8 and len(content) >= 2:
                self.code = int.from_bytes(content[:2], "big")

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        size, at = data[1], 2
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(data[2:at], "big")
        if len(data) < at + size:
            return None
        self._data = data[at + size :]
        return data[0] & 15, data[at : at + size]


def close_code(data: bytes) -> int:
    """The code of the close frame among all that a server sent; 0 if there is none."""
    ear = Ear()
    ear.hear(data)
    return ear.code


def rest(one: socket.socket, seconds: float) -> bytes:
    """All that comes until the end of a socket."""
    data = b""
    one.settimeout(seconds)
    with suppress(OSError):
        while more := one.recv(1 << 16):
            data += more
    one.close()
    return data


class Flood:
    """A seat that says the same thing all the time, and comes back when it is dropped."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.codes: Counter[int] = Counter()
        self.said = 0
        self._begin()

    def _begin(self) -> None:
        self._socket = connect(self._port)
        self._ear = Ear()
        self._socket.sendall(HANDSHAKE)
        create = ("ra", "standard", (), 3, ("random", "random"), False, True, os.urandom(16))
        no_clock = ((0, 0, 0), 1)
        self._rest = hello("Flood") + frame(2, os.urandom(8), *create, *no_clock)

    def go_on(self) -> None:
        self._rest = self._rest or frame(11) * BATCH
        try:
            sent = self._socket.send(self._rest)
            self._rest = self._rest[sent:]
            self.said += sent // 8
        except BlockingIOError:
            pass
        except OSError:
            pass  # what was said last is still to be heard
        try:
            more = self._socket.recv(1 << 16)
            self._ear.hear(more)
            if not more or self._ear.code:
                self._again()
        except BlockingIOError:
            pass
        except OSError:
            self._again()

    def _again(self) -> None:
        self.codes[self._ear.code] += 1
        self._socket.close()
        self._begin()


def offend(port: int, code: str, seconds: float) -> dict[str, object]:
    """Do it all for `seconds`."""
    end = monotonic() + seconds
    deaf = connect(port)
    deaf.sendall(HANDSHAKE + hello("Deaf") + frame(5, code, 0))
    slow, slow_at = connect(port), 0
    flood = Flood(port)
    silent: list[socket.socket] = []
    while monotonic() < end:
        if len(silent) < SILENT:
            silent += [connect(port) for _ in range(10)]
            for one in silent[-10::2]:
                one.sendall(HANDSHAKE)
        flood.go_on()
        with suppress(OSError):
            slow_at += slow.send(HANDSHAKE[slow_at // 20 : slow_at // 20 + 1])
        sleep(PAUSE)
    codes = [close_code(rest(one, 5.0)) for one in silent]
    return {
        "silent": Counter(codes[1::2]),
        "no_hello": Counter(codes[::2]),
        "slow": Counter([close_code(rest(slow, 5.0))]),
        "deaf": Counter([close_code(rest(deaf, 5.0))]),
        "flood": flood.codes,
        "flood_said": flood.said,
    }


if __name__ == "__main__":
    os.nice(10)
    found = offend(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
    sys.stdout.write(json.dumps(found) + "\n")

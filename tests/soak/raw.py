"""A raw WebSocket client that says anything at all, and reads what comes of it."""

from __future__ import annotations

import socket
import struct

HANDSHAKE = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ra.v1\r\n\r\n"
)
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


class RawClient:
    """One connection. Blocking."""

    def __init__(self, port: int, seconds: float = 20.0) -> None:
        """`seconds` until an answer is said not to come (TimeoutError)."""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(HANDSHAKE.format(port=port).encode())
        self._rest = b""
        while b"\r\n\r\n" not in self._rest:
            self._more()
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, *payloads: bytes, opcode: int = BINARY) -> None:
        """Send messages in one go (masked with zeros, which masks nothing)."""
        self._socket.sendall(b"".join(frame_of(payload, opcode) for payload in payloads))

    def receive(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        head = self._take(2)
        size = head[1] & 127
        if size == 126:
            (size,) = struct.unpack(">H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._take(8))
        return head[0] & 15, self._take(size)

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            self._more()
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def _more(self) -> None:
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError("closed without a word")
        self._rest += data


def frame_of(payload: bytes, opcode: int = BINARY) -> bytes:
    """A message as a client sends it (masked with zeros, which masks nothing)."""
    return _header(opcode, len(payload)) + payload


def _header(opcode: int, size: int) -> bytes:
    head = bytes((0x80 | opcode,))
    if size < 126:
        return head + bytes((0x80 | size,)) + bytes(4)
    if size < 1 << 16:
        return head + b"\xfe" + struct.pack(">H", size) + bytes(4)
    return head + b"\xff" + struct.pack(">Q", size) + bytes(4)

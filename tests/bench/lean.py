"""A lean load generator: raw WebSocket clients on one `epoll`, tables in a closed loop.

It costs a fraction of what any server does for the same move, so that it is never the
bottleneck: of the frames that come in only each table's first client reads the content;
of the others' the number. Knows messages as trees, no rule: what it does is picked from
the open prompt.
"""

from __future__ import annotations

import base64
import os
import random
import select
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter
from typing import Any

import msgpack

from protocol.delta import apply

HELLO, CREATE, JOIN, ACT = 1, 2, 3 + 1, 9
WELCOME, SNAPSHOT, UPDATE, ACCEPTED, REFUSED = 1, 4, 5, 6, 9
CLOSING = 14

SEATS = 3


class Peer:
    """One raw client: a socket that speaks WebSocket in binary messages."""

    __slots__ = ("_rest", "on_message", "socket")

    def __init__(self, port: int, subprotocol: str | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.on_message: Callable[[bytes], None] = lambda _: None
        self._rest = self._handshake(port, subprotocol)

    def _handshake(self, port: int, subprotocol: str | None) -> bytes:
        key = base64.b64encode(os.urandom(16)).decode()
        chosen = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self.socket.sendall(
            (
                f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                f"Sec-WebSocket-Version: 13\r\n{chosen}\r\n"
            ).encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            data = self.socket.recv(4096)
            if not data:
                raise ConnectionError(f"no handshake: {answer[:200]!r}")
            answer += data
        head, _, rest = answer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode("latin-1").splitlines()[0])
        return rest

    def send(self, payload: bytes) -> None:
        """Send one binary message (masked with zeros, which masks nothing)."""
        size = len(payload)
        if size < 126:
            head = bytes((0x82, 0x80 | size)) + b"\0\0\0\0"
        else:
            head = b"\x82\xfe" + struct.pack(">H", size) + b"\0\0\0\0"
        self.socket.sendall(head + payload)

    def receive(self) -> None:
        """Read what has come, and hand on each complete message."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the server closed the connection")
        if self._rest:
            data = self._rest + data
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                if end - at < 4:
                    break
                size, start = (data[at + 2] << 8) | data[at + 3], at + 4
            elif size == 127:
                if end - at < 10:
                    break
                (size,) = struct.unpack_from(">Q", data, at + 2)
                start = at + 10
            if end - start < size:
                break
            self._frame(data[at] & 15, data[start : start + size])
            at = start + size
        self._rest = data[at:]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == 2:
            self.on_message(payload)
        elif opcode == 9:
            self.socket.sendall(bytes((0x8A, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        elif opcode == 8:
            raise ConnectionError(f"closed by the server: {payload!r}")

    def call(self, payload: bytes) -> Any:
        """Send, and wait for one message (before a loop runs)."""
        found: list[bytes] = []
        self.on_message = found.append
        self.send(payload)
        while not found:
            self.receive()
        return unpack(found[0])


def unpack(data: bytes) -> Any:
    return msgpack.unpackb(data, use_list=False)


def number_of(data: bytes) -> int:
    """The number of an update or snapshot."""
    first = data[2]
    if first < 0x80:
        return first
    return int.from_bytes(data[3 : 3 + (1 << (first - 0xCC))], "big")


class Loop:
    """All peers of a run, and what was measured."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._peers: dict[int, Peer] = {}
        self.moves = 0
        self.games = 0
        self.latencies: list[float] = []
        self.bytes = 0

    def add(self, peer: Peer) -> None:
        self._peers[peer.socket.fileno()] = peer
        self._epoll.register(peer.socket.fileno(), select.EPOLLIN)

    def run(self, seconds: float) -> float:
        """Run for about `seconds`; how long it was."""
        begin = perf_counter()
        while (now := perf_counter()) - begin < seconds:
            for number, _ in self._epoll.poll(seconds - (now - begin)):
                self._peers[number].receive()
        return perf_counter() - begin

    def close(self) -> None:
        for peer in self._peers.values():
            peer.socket.close()
        self._epoll.close()


class Table(ABC):
    """Three clients at a table: a move is sent when all have received the last one."""

    def __init__(self, loop: Loop, peers: list[Peer]) -> None:
        self._loop = loop
        self.peers = peers
        self.numbers = [0] * len(peers)
        """The number each client has."""
        self._acted = -1
        self._sent: float | None = None
        self._serial = 0
        self.hold = False
        """Whether no further move is sent."""
        for at, peer in enumerate(peers):
            peer.on_message = self.listener(at)
            loop.add(peer)

    def listener(self, at: int) -> Callable[[bytes], None]:
        def listen(data: bytes) -> None:
            self._loop.bytes += len(data)
            tag = data[1]
            if tag in (UPDATE, SNAPSHOT):
                number = self.numbers[at] = number_of(data)
                if at == 0:
                    self.read(unpack(data))
                elif tag == SNAPSHOT:
                    self.joined(at)
                if number == self.numbers[0] == self.numbers[1] == self.numbers[2]:
                    self._together(number)
            elif tag in (REFUSED, CLOSING):
                raise RuntimeError(f"seat {at}: {unpack(data)}")

        return listen

    def _together(self, number: int) -> None:
        if number == self._acted:
            return
        if self._sent is not None:
            self._loop.latencies.append(perf_counter() - self._sent)
            self._loop.moves += 1
            self._sent = None
        if not self.hold:
            self._acted = number
            self.act()

    @abstractmethod
    def read(self, message: Any) -> None:
        """Take in what the table's first client was told."""

    @abstractmethod
    def joined(self, at: int) -> None:
        """Client `at`, not the first, has its snapshot."""

    @abstractmethod
    def act(self) -> None:
        """Send the next move."""

    def fresh_id(self) -> bytes:
        self._serial += 1
        return self._serial.to_bytes(16, "big")

    def send_act(self, seat: int, token: int, command: Any) -> None:
        message = msgpack.packb((ACT, self.fresh_id(), token, command))
        self._sent = perf_counter()
        self.peers[seat].send(message)


class FloorTable(Table):
    """A table of the floor server: seats in turn, one and the same command."""

    def open(self, name: int) -> None:
        for seat, peer in enumerate(self.peers):
            peer.send(msgpack.packb((name, seat)))

    def read(self, message: Any) -> None:
        pass  # every move is the same

    def joined(self, at: int) -> None:
        pass  # all are there from the beginning

    def act(self) -> None:
        self.send_act(self._serial % SEATS, self._serial, (32,))


class RaTable(Table):
    """A table of the real server: games of Ra, one after another, by random moves."""

    def __init__(self, loop: Loop, peers: list[Peer], seed: int) -> None:
        super().__init__(loop, peers)
        self._rng = random.Random(seed)
        self._public: Any = None

    def open(self) -> None:
        """Open a table; the others join one by one, and the match starts by itself."""
        self.numbers = [0] * SEATS
        self._acted = -1
        how = ("ra", "standard", (), SEATS, (), False, True)
        create = (CREATE, self.fresh_id(), *how, os.urandom(16), (0, 0, 0), 1)
        self.peers[0].send(msgpack.packb(create))

    def joined(self, at: int) -> None:
        if at + 1 < SEATS:
            self._join(at + 1)

    def _join(self, at: int) -> None:
        code = self._public[0][0]
        join = (JOIN, self.fresh_id(), code, os.urandom(16))
        self.peers[at].send(msgpack.packb(join))

    def read(self, message: Any) -> None:
        if message[0] == SNAPSHOT:
            self._public = message[3]
            self._join(1)
        else:
            self._public = apply(self._public, message[2][1])

    def act(self) -> None:
        prompts = self._public[2]
        if prompts:
            seat, token, prompt = prompts[0]
            self.send_act(seat, token, pick(prompt, self._rng))
        else:
            self._loop.games += 1
            self.open()


def pick(prompt: Any, rng: random.Random) -> Any:
    """A legal answer to an open prompt of Ra, as trees."""
    kind = prompt[0]
    if kind == 32:
        _, draw, gods, takeable = prompt
        if gods and rng.random() < 0.3:
            return (34, (takeable[0],))
        return (32,) if draw and rng.random() < 0.8 else (33,)
    if kind == 33:
        _, suns, may_pass = prompt
        if may_pass and (not suns or rng.random() < 0.5):
            return (36,)
        return (35, rng.choice(suns))
    _, _, count, held = prompt
    return (37, tuple([kind for kind, many in held for _ in range(many)][:count]))

"""Hostile frames by the million: against the session alone, and against a real server.

`python -m tests.soak.hostile [--frames N] [--served N] [--seed S]`. The frames are grown
from real ones. Every frame is first read by a session of ours, in each state: it is
understood, refused, or ends the connection, in bounded time. Then a real server gets the
same frames over sockets, and must do with each what the session did, with a documented
code; other clients are served all the while, and its memory stays where it was.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections import Counter, deque
from contextlib import suppress
from time import monotonic, thread_time
from typing import TypeVar

import psutil
from attrs import define, field

from protocol.codec import ProtocolError
from protocol.messages import (
    CLIENT_CODEC,
    MAX_FROM_CLIENT,
    SERVER_CODEC,
    VERSION,
    Act,
    Beat,
    Closing,
    Create,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Snapshot,
    Tables,
    Watch,
    Welcome,
)
from protocol.session import CloseCode, OutOfPlace, ServerSession, State
from protocol.wire import Wire
from tests.bench.load import product_server
from tests.protocol import examples
from tests.protocol.grown import Grower
from tests.protocol.page import WORDS
from tests.soak.raw import BINARY, CLOSE, RawClient

M = TypeVar("M")
WIRE = Wire(WORDS)
STATES = (State.HELLO, State.LOBBY, State.TABLE)
SLOWEST = 0.25
"""The most CPU seconds for one frame; a faulty codec would take minutes."""
TOGETHER = 20
"""Frames that end nothing, sent to the server before one that does."""
FLAGS = (
    *("--message-rate", "100000000", "--message-burst", "100000000", "--address-rate", "100000000"),
    *("--connects-per-address", "100000000", "--flood-messages", "100000000"),
    *("--file-rate", "1e6", "--file-burst", "1000000", "--tables-per-session", "20"),
)
"""Without the limits of rate, which would keep the frames from being looked at."""


@define
class Sorted:
    """Frames by what a session made of them."""

    harmless: deque[bytes] = field(factory=deque)
    """Understood or refused after hello: the connection goes on."""
    fatal: deque[bytes] = field(factory=deque)
    """The end of a connection after hello."""
    before: deque[bytes] = field(factory=deque)
    """The end of one before it."""


class Sessions:
    """The session part: frames to server sessions in each state."""

    def __init__(self, seed: int) -> None:
        seeds = [CLIENT_CODEC.pack(message) for message in examples.CLIENT]
        commands = ((6, 1), (34, (1, 2)), (35, 9), (37, (6, 7)))
        seeds += [(9, b"i", 5, command) for command in commands]
        self._grower = Grower(seeds, seed)
        self._sessions = {state: _session(state) for state in STATES}
        self.kinds: Counter[str] = Counter()
        self.slowest = 0.0
        self.spent = 0.0
        self.frames = 0

    def one(self, kept: Sorted | None) -> None:
        """Grow a frame, have it read, and keep it for the server if that wants more."""
        state = STATES[self.frames % 3]
        self.frames += 1
        data = self._grower.frame() if self.frames % 2 else self._grower.gentle()
        session = self._sessions[state]
        start = thread_time()
        kind = self._read(session, data)
        spent = thread_time() - start
        self.spent += spent
        self.slowest = max(self.slowest, spent)
        assert spent < SLOWEST, data[:200].hex()
        self.kinds[kind] += 1
        if kind == "understood":
            self._grower.keep(data)
        if session.state is not state or kind == "malformed":
            self._sessions[state] = _session(state)
        if kept is not None and len(data) <= MAX_FROM_CLIENT:
            if state is State.HELLO:
                # another hello than ours would be welcome: a case of its own
                kept.before.append(data) if kind == "malformed" else None
            elif kind == "malformed":
                kept.fatal.append(data)
            else:
                kept.harmless.append(data)

    def _read(self, session: ServerSession, data: bytes) -> str:
        try:
            message = session.receive(data)
            if type(message) is Act:
                WIRE.command.unpack(message.command)
        except OutOfPlace as why:
            _short(why)
            if why.fatal:
                return "malformed"
            session.send(why.refusal())
            return "refused"
        except ProtocolError as why:
            _short(why)
            # a command that is none is refused, and only that
            return "refused" if session.state is State.TABLE and _is_act(data) else "malformed"
        for frame in session.outgoing():
            SERVER_CODEC.decode(frame)
            return "too old"
        return "understood"


def _short(why: ProtocolError) -> None:
    assert len(str(why)) < 200, "errors are short"


def _is_act(data: bytes) -> bool:
    try:
        return type(CLIENT_CODEC.decode(data)) is Act
    except ProtocolError:
        return False


def _session(state: State) -> ServerSession:
    session = ServerSession()
    session.state = state
    return session


class Served:
    """The server part: what the session has sorted, said to a real server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.frames = 0
        self.connections = 0
        """Two for each lot of frames: of two lots one is said at a table."""
        self.codes: Counter[str] = Counter()
        self.table = ""
        with RawClient(port) as host:
            self.token = self._greet(host, None)
            create = Create(b"t", "ra", "standard", (), 3, (), True, True, bytes(16))
            host.send(CLIENT_CODEC.encode(create))
            self.table = _until(host, Snapshot).public[0][0]

    def work(self, kept: Sorted) -> None:
        """Say what there is, as long as a whole connection's worth is there."""
        while len(kept.harmless) >= TOGETHER and kept.fatal and kept.before:
            harmless = [kept.harmless.popleft() for _ in range(TOGETHER)]
            self._after_hello(harmless, kept.fatal.popleft())
            self._before_hello(kept.before.popleft())
        kept.fatal.clear()  # each of them has met the session
        kept.before.clear()

    def _before_hello(self, data: bytes) -> None:
        with RawClient(self.port) as client:
            client.send(data)
            self._note_end(client, (CloseCode.MALFORMED,), data)
        self.frames += 1

    def _after_hello(self, harmless: list[bytes], fatal: bytes) -> None:
        with RawClient(self.port) as client:
            self._greet(client, self.token)
            if self.connections % 4:
                client.send(CLIENT_CODEC.encode(Watch(self.table, 0)))
            client.send(*harmless, fatal)
            self._note_end(client, (CloseCode.MALFORMED,), fatal)
        self.frames += TOGETHER + 1

    def _greet(self, client: RawClient, token: bytes | None) -> bytes:
        name = "" if token else "Mallory"
        client.send(CLIENT_CODEC.encode(Hello(VERSION, "hostile/1", (), "en", name, token)))
        found = _until(client, Welcome).token or token
        assert found is not None
        return found

    def _note_end(self, client: RawClient, codes: tuple[CloseCode, ...], data: bytes) -> None:
        """Read to the end: only well-formed messages, no fault, a documented code."""
        self.connections += 1
        while True:
            opcode, payload = client.receive()
            if opcode == CLOSE:
                code = int.from_bytes(payload[:2], "big")
                assert len(payload) <= 125 and code in codes, (payload, data[:200].hex())
                self.codes[f"{code} {payload[2:].decode()}"] += 1
                return
            if opcode != BINARY:
                continue
            message = SERVER_CODEC.decode(payload)
            if isinstance(message, Refused | Closing):
                assert message.code != "fault", data[:200].hex()
                self.codes[message.code] += 1

    def others_are_served(self) -> None:
        """A client of good will is answered now."""
        with RawClient(self.port) as client:
            self._greet(client, self.token)
            client.send(CLIENT_CODEC.encode(Beat()))
            assert _until(client, Heartbeat).number == 0
            client.send(CLIENT_CODEC.encode(ListTables()))
            _until(client, Tables)


def _until(client: RawClient, kind: type[M]) -> M:
    while True:
        opcode, payload = client.receive()
        if opcode == BINARY:
            message = SERVER_CODEC.decode(payload)
            if isinstance(message, kind):
                return message
            assert not isinstance(message, Refused | Closing), message


def run(frames: int, served: int, seed: int) -> str:
    """Both parts; what there was, in two lines."""
    with product_server(*FLAGS) as (port, process):
        sessions, server = Sessions(seed), Served(port)
        own, begin = psutil.Process(), monotonic()
        gc.collect()
        early: tuple[int, int] | None = None
        kept = Sorted()
        before = sum(process.cpu_times()[:2])
        with suppress(KeyboardInterrupt):  # then what there was so far is told
            while sessions.frames < frames or server.frames < served:
                wanted = kept if server.frames < served else None
                for _ in range(3000):
                    sessions.one(wanted)
                server.work(kept)
                server.others_are_served()
                if (
                    early is None
                    and sessions.frames >= frames / 10
                    and server.frames >= served / 10
                ):
                    early = own.memory_info().rss, process.memory_info().rss
        used = sum(process.cpu_times()[:2]) - before
        late = own.memory_info().rss, process.memory_info().rss
        early = early or late
        return "\n".join(
            (
                f"session: {sessions.frames} frames ({dict(sessions.kinds)}),"
                f" {sessions.spent / sessions.frames * 1e6:.1f} us of CPU each, slowest"
                f" {sessions.slowest * 1000:.1f} ms, RSS {early[0] >> 20} -> {late[0] >> 20} MiB",
                f"server: {server.frames} frames on {server.connections} connections,"
                f" {used / server.frames * 1e6:.0f} us of the server's CPU each (handshakes"
                f" included), RSS {early[1] >> 20} -> {late[1] >> 20} MiB, codes"
                f" {dict(server.codes.most_common())}",
                f"{monotonic() - begin:.0f} s; seed {seed}",
            )
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--served", type=int, default=100_000, help="of them to a real server")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    given = parser.parse_args()
    sys.stdout.write(f"hostile: seed {given.seed}\n")
    sys.stdout.flush()
    sys.stdout.write(f"{run(given.frames, given.served, given.seed)}\n")


if __name__ == "__main__":
    main()

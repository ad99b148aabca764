"""Hostile frames grown from real ones: each is understood or refused as documented, in
bounded time, and harms nothing but itself.

A short run; `RA_FUZZ=200000` makes it longer, `RA_FUZZ_SEED=n` another one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from protocol.codec import Codec, ProtocolError
from protocol.delta import apply
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    VERSION,
    Act,
    Beat,
    Closing,
    Heartbeat,
    Hello,
    Snapshot,
    TooOld,
    Update,
)
from protocol.project import PRIVATE, PUBLIC
from protocol.session import OutOfPlace, State
from protocol.wire import Wire
from tests.protocol import examples
from tests.protocol.grown import Grower
from tests.protocol.hostile import outcome
from tests.protocol.joined import Joined
from tests.protocol.page import WORDS

FRAMES = int(os.environ.get("RA_FUZZ", "3000"))
SEED = int(os.environ.get("RA_FUZZ_SEED", "1"))
WIRE = Wire(WORDS)


def attempt(read: Callable[[bytes], Any], data: bytes) -> Any:
    """What `read` makes of a frame; the error if it is a documented one."""
    answer, spent = outcome(lambda: read(data))
    assert spent < 0.05, data[:200].hex()
    if isinstance(answer, BaseException):
        assert isinstance(answer, ProtocolError), data[:200].hex()
        assert len(str(answer)) < 200, "errors are short"
    return answer


@pytest.mark.parametrize("state", [State.HELLO, State.LOBBY, State.TABLE])
def test_a_server_session_understands_or_refuses_every_frame(state: State) -> None:
    seeds = [CLIENT_CODEC.pack(message) for message in examples.CLIENT]
    seeds += [(9, b"i", 5, command) for command in ((6, 1), (34, (1, 2)), (35, 9), (37, (6, 7)))]
    grower = Grower(seeds, SEED)
    counted = {"taken": 0, "refused": 0, "malformed": 0}
    for _ in range(FRAMES // 3):
        joined = in_state(state)
        data = grower.frame()
        answer = attempt(joined.server.receive, data)
        if type(answer) is OutOfPlace:
            kind = "malformed" if answer.fatal else "refused"
            if not answer.fatal:
                joined.down(answer.refusal())
        elif isinstance(answer, ProtocolError):
            kind = "malformed"
        else:
            kind = "taken"
            grower.keep(data)
            if type(answer) is Act:
                look_into(WIRE.command, answer.command, data)
        counted[kind] += 1
        if kind != "taken" and state is not State.HELLO:
            assert joined.up(Beat()) == Beat(), "the session stands where it stood"
        for frame in joined.server.outgoing():
            assert type(SERVER_CODEC.decode(frame)) is TooOld
    assert all(counted[kind] for kind in ("taken", "malformed")), counted


def in_state(state: State) -> Joined:
    joined = Joined()
    if state is State.LOBBY:
        joined.greet()
    elif state is State.TABLE:
        joined.attend()
    return joined


def test_a_client_session_understands_or_refuses_every_frame() -> None:
    seeds = [SERVER_CODEC.pack(message) for message in examples.SERVER]
    grower = Grower(seeds, SEED)
    counted = {"taken": 0, "refused": 0}
    for _ in range(FRAMES // 2):
        joined = Joined()
        joined.attend(1)
        data = grower.frame()
        answer = attempt(joined.client.receive, data)
        if isinstance(answer, ProtocolError):
            counted["refused"] += 1
            assert joined.down(Heartbeat(1)) == Heartbeat(1), "the session stands where it stood"
            continue
        counted["taken"] += 1
        grower.keep(data)
        if joined.client.state is State.TABLE:
            look(answer, data)
        elif type(answer) is not Closing:
            assert joined.client.number == 0
    assert all(counted.values()), counted


def look_into(codec: Codec[Any], tree: Any, data: bytes) -> Any:
    """What a codec makes of a tree that came in `data`."""
    return attempt(lambda _: codec.unpack(tree), data)


def look(answer: Any, data: bytes) -> None:
    """What a client does with views and deltas, which may be hostile too."""
    if type(answer) is Snapshot:
        view = look_into(PUBLIC, answer.public, data)
        if not isinstance(view, ProtocolError):
            look_into(WIRE.public, view.match, data)
        look_into(PRIVATE, answer.private, data)
        for happened in answer.since:
            for happening in (*happened.public, *happened.private):
                look_into(WIRE.happening, happening, data)
    elif type(answer) is Update:
        new = attempt(lambda _: apply(examples.PUBLIC, answer.public[1]), data)
        if not isinstance(new, ProtocolError):
            look_into(PUBLIC, new, data)


def test_a_hello_of_any_later_version_is_understood() -> None:
    grower = Grower([()], SEED)
    for extra in range(200):
        joined = Joined()
        tree = (
            1,
            VERSION + extra,
            "new",
            (),
            "en",
            "Ada",
            None,
            *grower.random.choices((None, 1, "a", (1, (2,))), k=extra % 5),
        )
        hello = joined.server.receive(msgpack.packb(tree))
        assert type(hello) is Hello
        assert joined.server.version == VERSION

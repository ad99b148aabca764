"""What is said is carried out in the order in which it was said, however it is cut into
frames and packets: actions are taken at once, everything else waits its turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
from attrs import evolve

from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    VERSION,
    Act,
    Beat,
    FromServer,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Said,
    Say,
    Snapshot,
    Tables,
    Watch,
    Welcome,
)
from server.net import connection
from tests.patience import PATIENCE
from tests.server.peer import QUIET, farewell, peer, server
from tests.server.raw import Raw, raw

BINARY, CONTINUED, PING = 2, 0, 9
FAST = evolve(QUIET, message_rate=1e6, address_rate=1e6, control_rate=1e6, chat_rate=1e6)
KINDS = ("act", "act", "act", "cut act", "beat", "list", "say", "ping")


def say(one: Raw, kinds: list[str], rng: random.Random) -> list[str]:
    """Say one thing of each kind; what the answers to them are, in their order."""
    answers: list[str] = []
    for number, kind in enumerate(kinds):
        act = CLIENT_CODEC.encode(Act(b"%d" % number, 1, (32,)))
        match kind:
            case "act":
                one.frame(BINARY, act)
                answers.append(f"act {number}")
            case "cut act":
                at = rng.randrange(1, len(act))
                one.frame(BINARY, act[:at], fin=False)
                one.frame(PING, b"between")
                one.frame(CONTINUED, act[at:])
                answers.append(f"act {number}")
            case "beat":
                one.frame(BINARY, CLIENT_CODEC.encode(Beat()))
                answers.append("beat")
            case "list":
                one.frame(BINARY, CLIENT_CODEC.encode(ListTables()))
                answers.append("list")
            case "say":
                one.frame(BINARY, CLIENT_CODEC.encode(Say(f"{number}")))
                answers.append(f"said {number}")
            case _:
                one.frame(PING, b"now and then")
    return answers


def heard(messages: list[FromServer]) -> Iterator[str]:
    """The answers among what came."""
    for message in messages:
        match message:
            case Refused(id=bytes() as id, code="not_running"):
                yield f"act {int(id)}"
            case Heartbeat():
                yield "beat"
            case Tables():
                yield "list"
            case Said(text=text):
                yield f"said {text}"


async def receive(one: Raw) -> FromServer:
    """The next message; answers to pings are none."""
    async with asyncio.timeout(PATIENCE):
        while True:
            opcode, data = await one.next_frame()
            if opcode == BINARY:
                return SERVER_CODEC.decode(data)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_is_said_at_once_is_answered_in_its_order(seed: int) -> None:
    rng = random.Random(seed)
    async with server(FAST) as app, peer(app, "Host") as host, raw(app) as one:
        code = await host.create()
        await one.handshake()
        one.frame(BINARY, CLIENT_CODEC.encode(Hello(VERSION, "x", (), "en", "Ann", None)))
        assert isinstance(await receive(one), Welcome)
        one.frame(BINARY, CLIENT_CODEC.encode(Watch(code, 0)))
        while not isinstance(await receive(one), Snapshot):
            pass
        for _ in range(5):
            wanted = say(one, rng.choices(KINDS, k=rng.randrange(1, 40)), rng)
            came: list[FromServer] = []
            while len(list(heard(came))) < len(wanted):
                came.append(await receive(one))
            assert list(heard(came)) == wanted
        assert app.counters.faults == 0


async def test_a_fault_in_an_action_ends_its_own_connection_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    async with server(FAST) as app, peer(app, "Calm") as calm, peer(app, "Ann") as ann:
        await ann.create()
        monkeypatch.setattr(connection, "act", faulty)
        await ann.send(Act(b"id", 1, (32,)))
        said, code = await farewell(ann)
        assert (said.code, code) == ("fault", 1011)
        assert app.counters.faults == 1
        await calm.ask(Beat(), Heartbeat)

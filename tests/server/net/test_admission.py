"""Where connections come from: web pages, addresses, and how much may come from one."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from attrs import evolve
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.messages import SUBPROTOCOL, Refused, Said, Say
from server.net.admission import Admission, network
from tests.server.addresses import THERE, crowd, needs_two_addresses
from tests.server.peer import QUIET, peer, server


async def test_a_web_page_of_others_does_not_get_in_and_a_program_does() -> None:
    async with server() as app:
        uri = f"ws://127.0.0.1:{app.port}"
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{app.port}", "file://"):
            with pytest.raises(InvalidStatus) as refused:
                await connect(uri, subprotocols=[Subprotocol(SUBPROTOCOL)], origin=Origin(origin))
            assert refused.value.response.status_code == 403
        async with connect(uri, subprotocols=[Subprotocol(SUBPROTOCOL)], origin=None):
            pass


def test_addresses_are_counted_by_network() -> None:
    assert network("10.1.2.3") == "10.1.2.3"
    assert network("::ffff:10.1.2.3") == "10.1.2.3"
    assert network("2001:db8::1") == network("2001:db8::ffff:1") == "2001:db8::/64"
    assert network("2001:db8:0:1::1") != network("2001:db8::1")
    assert network("fe80::1%eth0") == "fe80::/64"
    assert network("") == ""


def test_admission_remembers_a_bounded_number_of_addresses() -> None:
    admission = Admission(QUIET)
    for number in range(12_000):
        host = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        admission.arrive(host)
        admission.leave(host)
    assert admission.sockets == 0 and not admission._addresses and len(admission._idle) == 10_000


@needs_two_addresses
async def test_one_address_does_not_fill_the_chat() -> None:
    settings = evolve(QUIET, chat_rate=0.01, chat_burst=2, people_per_address=3)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        code = await ann.create()
        lines = []
        for eve in await crowd(app, stack, 5):
            await eve.watch(code)
            for _ in range(2):
                answer = await eve.ask(Say("mine is longer"), (Said, Refused))
                lines.append(answer.code if isinstance(answer, Refused) else "")
        assert lines == [""] * 6 + ["too_fast"] * 4
        (bob,) = await crowd(app, stack, 1, THERE)
        await bob.watch(code)
        assert isinstance(await bob.ask(Say("hello"), (Said, Refused)), Said)
        assert isinstance(await ann.ask(Say("hello"), (Said, Refused)), Said)


@needs_two_addresses
async def test_the_last_connections_are_kept_for_addresses_that_have_few() -> None:
    settings = evolve(QUIET, connections=20, connections_per_address=30)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(settings))
        await crowd(app, stack, 18)
        with pytest.raises(InvalidStatus) as refused:
            await crowd(app, stack, 1)
        assert refused.value.response.status_code == 503
        await crowd(app, stack, 2, THERE)
        with pytest.raises(InvalidStatus) as refused:
            await crowd(app, stack, 1, THERE)
        assert refused.value.response.status_code == 503, "that is all there are"

"""Where connections come from: web pages, addresses, and how much may come from one."""

from __future__ import annotations

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.messages import SUBPROTOCOL
from server.net.admission import Admission, network
from tests.server.peer import QUIET, server


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

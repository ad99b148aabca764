"""Wrong codes of one address cost it its budget and the server next to nothing."""

from __future__ import annotations

import json

from tests.bench.guessing import measure


async def test_wrong_codes_cost_their_address_and_not_the_server() -> None:
    found = await measure(codes=100_000, seconds=30.0)
    assert json.loads(json.dumps(found)) == found
    assert found["granted"] == 30, "the budget"
    refused, share = found["refused"], found["cpu_share"]
    assert isinstance(refused, int) and 100 < refused < 1000
    # half of it is the handshakes of 190 connections, which a longer run has once as well
    assert isinstance(share, float) and share < 0.03

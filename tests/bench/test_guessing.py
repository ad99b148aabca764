"""Wrong codes of one address cost it its budget and the server next to nothing."""

from __future__ import annotations

import json

from tests.bench.guessing import measure


async def test_wrong_codes_cost_their_address_and_not_the_server() -> None:
    found = await measure(codes=100_000, seconds=30.0)
    assert json.loads(json.dumps(found)) == found
    assert found["granted"] in (30, 31), "the budget"
    refused, share = found["refused"], found["cpu_share"]
    assert isinstance(refused, int) and 500 < refused < 5000
    assert isinstance(share, float) and share < 0.03

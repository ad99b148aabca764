"""The load benchmark runs, and the server is not far from where docs/performance.md says.

A ratio of two servers on the same machine at the same time, so that a slow or busy one
does not matter; the bound is wider than the promise because the runs are short.
"""

from __future__ import annotations

import json

from tests.bench.load import compare


def test_the_servers_cpu_per_move_is_a_small_multiple_of_a_bare_servers() -> None:
    found = compare(rounds=1, seconds=1.5, idle_tables=10)
    assert json.loads(json.dumps(found)) == found
    floor, product = found["floor"], found["product"]
    assert isinstance(floor, dict) and isinstance(product, dict)
    assert product["moves_per_s"] > 100
    assert 0 < floor["p50_ms"] <= floor["p99_ms"]
    assert isinstance(found["cpu_ratio"], float) and found["cpu_ratio"] < 4
    assert isinstance(found["idle_table_bytes"], float) and found["idle_table_bytes"] < 300_000

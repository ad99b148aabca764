"""The capacity benchmark runs, and the server is where docs/performance.md says.

Fewer tables than there; ratios of two things on the same machine, so that a slow or busy one
does not matter much.
"""

from __future__ import annotations

import json

from tests.bench.capacity import measure


def test_what_is_kept_costs_a_start_little_and_memory_nothing() -> None:
    found = measure(tables=20_000, unfinished=2_000, rounds=2)
    assert json.loads(json.dumps(found)) == found
    assert isinstance(found["start_ratio"], float) and 0 < found["start_ratio"] <= 3
    assert found["bytes_per_finished_table"] == 0
    assert isinstance(found["wake_ratio"], float) and 0 < found["wake_ratio"] <= 3

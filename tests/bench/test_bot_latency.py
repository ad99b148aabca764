"""The benchmark of what people notice of thinking bots runs, and they notice little.

The bound is far wider than what docs/performance.md promises: the turns are short, and
the machine may be busy with other things.
"""

from __future__ import annotations

import json

from tests.bench.bot_latency import compare


def test_people_hardly_notice_bots_that_think() -> None:
    found = compare(turns=4, seconds=0.4, tables=3)
    assert json.loads(json.dumps(found)) == found
    quiet, busy = found["quiet"], found["busy"]
    assert isinstance(quiet, dict) and isinstance(busy, dict)
    assert quiet["bots_busy"] < 0.01 < busy["bots_busy"]
    assert 0 < quiet["p50_ms"] <= quiet["p99_ms"]
    assert isinstance(found["p50_ratio"], float) and found["p50_ratio"] < 5

"""The benchmark of how long a person waits for a bot runs, and a stranger's tables make it
little longer. The bound is far wider than what docs/performance.md promises."""

from __future__ import annotations

import json

from tests.bench.bot_turns import compare


async def test_a_strangers_tables_keep_nobody_waiting() -> None:
    found = await compare(answers=20, tables=40, attended=20)
    assert json.loads(json.dumps(found)) == found
    beside = found["beside"]
    assert isinstance(beside, dict)
    assert beside["p90_ms"] < 3000, "half of the time of a bot is 5 s"

"""All that was put in one turn of the loop is flushed at its end, whatever one of them raises."""

from __future__ import annotations

from server.log import NullLog
from server.metrics import Counters
from server.net.flush_scheduler import FlushScheduler
from tests.patience import until


async def test_each_is_flushed_once_after_the_turn_and_a_fault_stops_no_other() -> None:
    flushed: list[str] = []
    counters = Counters()
    scheduler = FlushScheduler(NullLog(), counters)

    def broken() -> None:
        raise ValueError

    scheduler.put(lambda: flushed.append("first"))
    scheduler.put(broken)
    scheduler.put(lambda: flushed.append("second"))
    assert not flushed
    await until(lambda: bool(flushed))
    assert flushed == ["first", "second"]
    assert counters.faults == 1

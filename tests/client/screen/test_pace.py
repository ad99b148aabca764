"""What others did is shown one thing after another, and any key shows the present."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.screen.pace import LONGEST, Pace


def test_the_first_thing_is_shown_at_once_and_the_next_when_its_time_comes() -> None:
    pace: Pace[str] = Pace()
    pace.push("draw", 0.5)
    pace.push("bid", 1.0)
    assert pace.take(10.0) == "draw"
    assert pace.take(10.1) is None
    due = pace.due(10.1)
    assert due is not None and abs(due - 0.4) < 1e-6
    assert pace.take(10.6) == "bid"
    assert pace.due(10.6) is None and pace.behind == 0


def test_after_a_quiet_time_nothing_waits() -> None:
    pace: Pace[str] = Pace()
    pace.push("draw", 0.5)
    assert pace.take(1.0) == "draw"
    pace.push("pass", 0.5)
    assert pace.take(9.0) == "pass"


def test_all_that_waits_can_be_had_at_once() -> None:
    pace: Pace[int] = Pace()
    for number in range(4):
        pace.push(number, 1.0)
    assert pace.take(0.0) == 0
    assert pace.take_all() == [1, 2, 3]
    assert pace.behind == 0 and pace.due(0.0) is None


def test_nothing_new_is_shown_while_somebody_reads() -> None:
    pace: Pace[str] = Pace()
    pace.push("sheet", 0.0)
    pace.held = True
    assert pace.due(0.0) is None and pace.take(5.0) is None
    pace.held = False
    assert pace.take(5.0) == "sheet"


@given(st.lists(st.floats(0, 10), min_size=1, max_size=200))
def test_the_screen_is_never_further_behind_than_the_longest(seconds: list[float]) -> None:
    pace: Pace[int] = Pace()
    for number, each in enumerate(seconds):
        pace.push(number, each)
    now, shown = 0.0, 0
    while pace.behind:
        due = pace.due(now)
        assert due is not None
        now += due
        assert pace.take(now + 1e-9) is not None
        shown += 1
    assert shown == len(seconds)
    assert now <= LONGEST * (1 + len(seconds)) ** 0.5 + 1e-6

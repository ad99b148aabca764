"""Clocks are written, read and counted down; nothing jumps."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from client.screen.lines import text_of, width
from client.screen.pages import clock_line
from client.state.clocks import BadClock, Countdown, low, read_clock, show_clock, show_left
from client.state.events import Attended, Departed, Stepped
from client.state.scene import Scene
from engine.clock import Clock, ClockKind
from engine.deal import Chance
from engine.game import Setup
from tests.client.joined import Joined
from tests.games import open_table, seed

DAY = 86_400_000
BANK = Clock(ClockKind.BANK, 300_000, 10_000)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("none", Clock()),
        ("5m+10s", BANK),
        ("90s+0s", Clock(ClockKind.BANK, 90_000, 0)),
        ("3d", Clock(ClockKind.PER_MOVE, 3 * DAY)),
        ("12h", Clock(ClockKind.PER_MOVE, DAY // 2)),
        ("5m", Clock(ClockKind.PER_MOVE, 300_000)),
        ("90s", Clock(ClockKind.PER_MOVE, 90_000)),
        ("10s", Clock(ClockKind.PER_MOVE, 10_000)),
    ],
)
def test_a_clock_in_words(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock
    assert read_clock(show_clock(clock)) == clock


@pytest.mark.parametrize(
    "text", ["", "5", "9s", "m", "5m+", "+5s", "5m+10", "-5m+1s", "31d", "5m+2d", "5m+10s+1s", "٣d"]
)
def test_what_can_be_no_clock_is_one_line(text: str) -> None:
    with pytest.raises(BadClock) as refused:
        read_clock(text)
    assert str(refused.value).isprintable()


def test_a_time_for_each_move_that_is_too_short_says_how_long_it_must_be() -> None:
    with pytest.raises(BadClock, match="at least 10s"):
        read_clock("5s")
    assert read_clock("5s+0s").kind is ClockKind.BANK


@given(st.integers(10, 3600))
def test_of_a_short_time_for_a_move_not_all_is_little(seconds: int) -> None:
    clock = read_clock(f"{seconds}s")
    assert not low(clock.span // 2, clock) and low(clock.span // 10 - 1, clock)


@given(st.integers(0, 40 * DAY))
def test_what_is_shown_is_never_less_than_there_is(ms: int) -> None:
    shown = show_left(ms)
    assert (shown == "0:00") == (ms == 0)
    assert len(shown) <= 8
    if ms < DAY:
        parts = [int(part) for part in shown.split(":")]
        seconds = sum(part * 60**place for place, part in enumerate(reversed(parts)))
        assert 0 <= seconds * 1000 - ms < 1000


def at(clocks: tuple[int, ...], clock: Clock = BANK) -> Scene:
    """A table with a clock, as the viewer of seat 0 sees it."""
    joined = Joined(open_table("ra", Setup("standard", len(clocks)), clock=clock))
    joined.attend()
    scene = joined.conversation.model.scene
    assert scene is not None and scene.clocks is not None
    return evolve(scene, clocks=clocks)


class Hand:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_only_the_time_of_those_that_are_asked_runs() -> None:
    hand, scene = Hand(), at((60_000, 60_000, 60_000))
    countdown = Countdown(hand)
    countdown(Attended(scene, (), 4_000))
    asked = scene.asked[0]
    hand.time += 1.5
    assert countdown.left(asked) == 54_500
    assert [countdown.left(seat) for seat in range(3) if seat != asked] == [60_000] * 2
    assert countdown.due() == pytest.approx(0.5)
    hand.time += 100
    assert countdown.left(asked) == 0
    assert countdown.due() is None
    countdown(Departed("TEST-1"))
    assert not countdown.shown and countdown.left(0) is None


@given(st.lists(st.floats(0.001, 3), min_size=1, max_size=30))
def test_a_figure_only_ever_falls_by_a_second_when_looked_at_in_time(naps: list[float]) -> None:
    hand, scene = Hand(), SCENE
    countdown = Countdown(hand)
    countdown(Stepped(5, (), scene))
    (asked,) = scene.asked
    before = countdown.left(asked)
    assert before is not None
    for nap in naps:
        due = countdown.due()
        assert due is not None
        hand.time += min(nap, due)
        left = countdown.left(asked)
        assert left is not None
        shown, was = -(-left // 1000), -(-before // 1000)
        assert was - 1 <= shown <= was
        before = left


SCENE = at((300_000, 300_000))


def test_little_time_is_seen_and_every_line_fits() -> None:
    assert low(29_999, BANK) and not low(30_000, BANK)
    assert low(DAY // 10 - 1, read_clock("1d")) and not low(DAY // 10, read_clock("1d"))
    scene = at((9_000, 3_599_000, 86_000_000, 2 * DAY, 61_000))
    countdown = Countdown(Hand())
    countdown(Attended(scene, (), 0))
    for columns in range(1, 130):
        line = clock_line(countdown, scene, columns)
        assert width(line) == columns
    assert "0:09" in text_of([clock_line(countdown, scene, 60)])
    styles = {style for style, text in clock_line(countdown, scene, 80) if "0:09" in text}
    assert styles <= {"class:alarm", "class:bad"}


def test_clocks_of_a_whole_game_are_followed() -> None:
    played = open_table("ra", Setup("standard", 2), clock=BANK)
    joined = Joined(played)
    hand = Hand()
    countdown = Countdown(hand)
    joined.conversation.listeners.append(countdown)
    joined.attend()
    for _ in joined.play_on(played.moves(Chance(seed(1)))):
        scene = joined.conversation.model.scene
        assert scene is not None
        assert scene.clocks is not None
        assert countdown.shown == scene.running
        assert [countdown.left(seat) for seat in range(2)] == list(scene.clocks)


def test_a_clock_without_time_is_none() -> None:
    for text in ("0m+0s", "0d", "0s+0s"):
        with pytest.raises(BadClock):
            read_clock(text)

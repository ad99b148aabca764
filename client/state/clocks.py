"""The clocks of a table: read, shown, and counted down.

Each entry brings the time that every seat had left; the client counts down from there by itself,
so that the server need not send anything for a figure to move. Does not know about games or
layout.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from client.state.events import (
    Attended,
    Change,
    ConnectionChanged,
    ConnectionStatus,
    Departed,
    Stepped,
)
from client.state.scene import Scene
from protocol.table import Absence, Clock, ClockKind

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
_SPAN = re.compile(r"([0-9]{1,15})([smhd])")
LONGEST = 30 * DAY
"""The longest bank, and the longest time for a move; an increment is at most a day."""
LEAST_MOVE = 10 * SECOND
"""The shortest time for a move: the player has to read what happened."""
LOW = 30 * SECOND
"""Below this a clock with a bank is low; see `low`."""

ABSENCES: Mapping[str, Absence] = {
    "default": Absence.DEFAULT,
    "bot": Absence.BOT,
    "substitute": Absence.SUBSTITUTE,
}
ABSENCE_HINTS: Mapping[Absence, str] = {
    Absence.DEFAULT: "the default action, each time",
    Absence.BOT: "a bot sits in until they return",
    Absence.SUBSTITUTE: "somebody else may take the seat",
}
"""What happens to the seat of an absent player."""


class BadClock(ValueError):
    """No such clock is possible; the text says why, in one line."""


def read_clock(text: str) -> Clock:
    """Read `none`, `5m+10s` (a bank, and what each action adds), `3d` or `1m` (for each
    answer). Raises BadClock."""
    if text == "none":
        return Clock()
    span, plus, increment = text.partition("+")
    ms = _span(span)
    if ms == 0:
        raise BadClock("a clock has at least a second")
    if not plus:
        if ms < LEAST_MOVE:
            least = _show_span(LEAST_MOVE)
            raise BadClock(f"{span} for each move is too short: it has at least {least}")
        return Clock(ClockKind.PER_MOVE, ms)
    more = _span(increment)
    if more > DAY:
        raise BadClock("an action adds at most a day")
    return Clock(ClockKind.BANK, ms, more)


def _span(text: str) -> int:
    """Milliseconds of `10m`."""
    found = _SPAN.fullmatch(text)
    if found is None:
        raise BadClock(f"{text[:20]!r} is no time: none, 5m+10s (a bank), or 3d for each move")
    ms = int(found[1]) * _UNITS[found[2]]
    if ms > LONGEST:
        raise BadClock("a clock has at most 30 days")
    return ms


def show_clock(clock: Clock) -> str:
    """The clock in the form that `read_clock` reads."""
    match clock.kind:
        case ClockKind.NONE:
            return "none"
        case ClockKind.BANK:
            return f"{_show_span(clock.span)}+{_show_span(clock.increment)}"
        case ClockKind.PER_MOVE:
            return _show_span(clock.span)


def _show_span(ms: int) -> str:
    for unit in "dhm":
        if ms and ms % _UNITS[unit] == 0:
            return f"{ms // _UNITS[unit]}{unit}"
    return f"{ms // SECOND}s"


def rules_in_words(clock: Clock, absence: Absence) -> str:
    """For example `5m+10s on the clock; absent: a bot sits in until they return`. The first part
    is left out without a clock; all of it if the rule for absent players is the default too."""
    told = []
    match clock.kind:
        case ClockKind.BANK:
            told.append(f"{show_clock(clock)} on the clock")
        case ClockKind.PER_MOVE:
            told.append(f"{show_clock(clock)} for each move")
    if told or absence is not Absence.DEFAULT:
        told.append(f"absent: {ABSENCE_HINTS[absence]}")
    return "; ".join(told)


def show_left(ms: int) -> str:
    """`4:32`, `1:05:09`, `2d 14h`: rounded up to the second, so that 0:00 means none."""
    if ms >= DAY:
        return f"{ms // DAY}d {ms % DAY // HOUR:02}h"
    seconds = -(-max(0, ms) // SECOND)
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"


def low(ms: int, clock: Clock) -> bool:
    """Whether so little time is left that it should stand out: half a minute, or a tenth of the
    time for a move if that is longer, but never more than a third of it."""
    if clock.kind is ClockKind.PER_MOVE:
        return ms < min(max(LOW, clock.span // 10), clock.span // 3)
    return ms < LOW


class Countdown:
    """A listener that knows at any moment how much time each match seat has left."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._scene: Scene | None = None
        self._since = 0.0
        self._stopped: float | None = None
        """When the connection was lost, until the table is back. What runs in between is not
        known: if the server is stopped, nothing does."""

    def __call__(self, change: Change) -> None:
        match change:
            case Attended(scene, _, elapsed):
                self._scene, self._since = scene, self._now() - elapsed / 1000
                self._stopped = None
            case Stepped(_, _, scene):
                self._scene, self._since = scene, self._now()
            case ConnectionChanged(status) if (
                status is not ConnectionStatus.ONLINE and self._stopped is None
            ):
                self._stopped = self._now()
            case Departed():
                self._scene = None

    @property
    def shown(self) -> bool:
        """Whether there is a clock to show."""
        scene = self._scene
        return scene is not None and scene.clocks is not None and scene.running

    def runs(self, seat: int) -> bool:
        """Whether the time of a match seat runs, as far as we know."""
        return self._stopped is None and self._ran(seat)

    def _ran(self, seat: int) -> bool:
        """Whether it runs, or ran when the connection was lost."""
        scene = self._scene
        return scene is not None and self.shown and scene.runs(seat)

    def _passed(self) -> float:
        """Seconds since the last entry, counted up to a loss of the connection."""
        now = self._now() if self._stopped is None else self._stopped
        return now - self._since

    def left(self, seat: int) -> int | None:
        """Milliseconds that a match seat has left now; None without a clock."""
        scene = self._scene
        if scene is None or scene.clocks is None or not 0 <= seat < len(scene.clocks):
            return None
        ms = scene.clocks[seat]
        if self._ran(seat):
            ms -= int(self._passed() * 1000)
        return max(0, ms)

    def due(self) -> float | None:
        """Seconds until a figure shown changes by itself; None if none will."""
        scene = self._scene
        if scene is None or scene.clocks is None:
            return None
        running = [self.left(seat) or 0 for seat in range(len(scene.clocks)) if self.runs(seat)]
        counting = [ms for ms in running if ms > 0]
        if not counting:
            return None
        return max(0.02, min((ms % SECOND or SECOND) / 1000 for ms in counting))

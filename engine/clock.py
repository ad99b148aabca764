"""The clocks of a table: how much time its seats have, and what becomes of it.

Pure arithmetic in whole milliseconds: the caller measures time. Does not know games or people.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum

from attrs import frozen

LEAST_SPAN = 1000
MOST_SPAN = 30 * 86_400_000
"""Thirty days."""
MOST_INCREMENT = 86_400_000
"""A day."""
_BACK = 10
"""A player who comes back has at least one part in so many of the bank."""


class ClockKind(IntEnum):
    """How the time of a seat is counted."""

    NONE = 0
    BANK = 1
    """A bank for the whole match, and an increment for each action of one's own."""
    PER_MOVE = 2
    """A span for each answer."""


@frozen
class Clock:
    """The clock of a table; times in milliseconds."""

    kind: ClockKind = ClockKind.NONE
    span: int = 0
    """The bank, or the time for each answer: 1000 to 2592000000 (thirty days); 0 without a
    clock."""
    increment: int = 0
    """What each own action adds to the bank, at most 86400000 (a day); 0 unless there is a
    bank."""


class Absence(IntEnum):
    """What becomes of a seat whose time has run out, or that the others vote absent."""

    DEFAULT = 1
    """The game's default action is played each time."""
    BOT = 2
    """A bot sits in until the owner returns."""
    SUBSTITUTE = 3
    """Somebody else takes the seat by invitation; until then as DEFAULT."""


def fits(clock: Clock) -> bool:
    """Whether these settings make sense: BANK takes a span and an increment, PER_MOVE a span, NONE
    neither."""
    if clock.kind is ClockKind.NONE:
        return clock.span == clock.increment == 0
    most = MOST_INCREMENT if clock.kind is ClockKind.BANK else 0
    return LEAST_SPAN <= clock.span <= MOST_SPAN and 0 <= clock.increment <= most


def begin(clock: Clock, seats: int) -> tuple[int, ...] | None:
    """The time of each of `seats` at the start; None without a clock."""
    return None if clock.kind is ClockKind.NONE else (clock.span,) * seats


def run(left: tuple[int, ...], running: Collection[int], elapsed: int) -> tuple[int, ...]:
    """The time left after the clocks of the `running` seats have run for `elapsed`."""
    return tuple([max(0, ms - elapsed) if seat in running else ms for seat, ms in enumerate(left)])


def give(left: tuple[int, ...], seat: int, ms: int) -> tuple[int, ...]:
    """The time left after `seat` got `ms`, or lost as much; never below zero."""
    return _put(left, seat, max(0, left[seat] + ms)) if ms else left


def ask(clock: Clock, left: tuple[int, ...], seats: Collection[int]) -> tuple[int, ...]:
    """The time left after `seats` were asked something new: with a clock per move, a whole span for
    each answer."""
    if clock.kind is not ClockKind.PER_MOVE:
        return left
    return tuple([clock.span if seat in seats else ms for seat, ms in enumerate(left)])


def come_back(clock: Clock, left: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The time left after the owner of `seat` came back: enough to go on with."""
    if clock.kind is ClockKind.PER_MOVE:
        return _put(left, seat, clock.span)
    return _put(left, seat, max(left[seat], clock.span // _BACK, clock.increment))


def replace(clock: Clock, left: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The time left after somebody else took `seat`: the whole span."""
    return _put(left, seat, clock.span)


def _put(left: tuple[int, ...], seat: int, ms: int) -> tuple[int, ...]:
    return (*left[:seat], ms, *left[seat + 1 :])

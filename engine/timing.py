"""Whose time runs at a table, what an entry leaves each seat, and when something falls due.

Joins the arithmetic of `engine.clock` with seats and prompts. Pure: the caller measures time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from attrs import frozen

from engine import clock
from engine.clock import ClockKind
from engine.entry import Command, Event
from engine.match import After, Match
from engine.table.state import Seating
from engine.table.words import MatchStarted, Phase, Returned, Substituted, TakeBack


@frozen
class Due:
    """What falls due unless somebody acts first."""

    seat: int
    """The match seat that somebody has to play for then."""
    after: int
    """Milliseconds after the last entry."""


def running(seating: Seating, asked: Collection[int]) -> tuple[int, ...]:
    """The match seats whose time runs: people who are asked something."""
    return tuple([seat for seat in asked if seating.stand_in(seat) is None])


def due(seating: Seating, asked: Collection[int], clocks: tuple[int, ...] | None) -> Due | None:
    """Whose answer falls due first, and when. Bots never fall due here.

    A seat that the default action is played for falls due at once; any other when the first of the
    running clocks has run out (the lowest seat, if several do).
    """
    if seating.phase is not Phase.PLAYING:
        return None
    found: Due | None = None
    for seat in sorted(asked):
        stand_in = seating.stand_in(seat)
        if stand_in == "":
            return Due(seat, 0)
        if stand_in is None and clocks is not None:
            mine = Due(seat, clocks[seat])
            found = mine if found is None or mine.after < found.after else found
    return found


def wake_after(
    seating: Seating, asked: Collection[int], clocks: tuple[int, ...] | None
) -> int | None:
    """Milliseconds after the last entry until the table needs its server: at once where a bot
    is asked or an absent seat is played for, with a clock or without; None: it waits for
    people alone, for as long as they like."""
    if seating.phase is not Phase.PLAYING:
        return None
    for seat in asked:
        if seating.stand_in(seat) is not None:
            return 0
    return None if clocks is None else min([clocks[seat] for seat in asked], default=None)


def possible(seating: Seating, match: Match[Any] | None, clocks: tuple[int, ...] | None) -> bool:
    """Whether an entry may have these clocks: one for each seat, of a match with a clock."""
    if match is None or seating.clock.kind is ClockKind.NONE:
        return clocks is None
    return clocks is not None and len(clocks) == len(seating.places) and min(clocks) >= 0


def after_table(
    seating: Seating,
    match: Match[Any] | None,
    left: tuple[int, ...] | None,
    ran: Collection[int],
    elapsed: int,
    events: Collection[Event],
) -> tuple[int, ...] | None:
    """The clocks after an entry of the table; `seating` is as it is after the entry."""
    rule = seating.clock
    if match is None or rule.kind is ClockKind.NONE:
        return None
    if left is None or any(type(event) is MatchStarted for event in events):
        return clock.begin(rule, match.setup.seats)
    left = clock.run(left, ran, elapsed)
    for event in events:
        match event:
            case Returned(seat):
                left = clock.come_back(rule, left, seat)
            case Substituted(seat):
                left = clock.replace(rule, left, seat)
    return left


def after_action(
    seating: Seating,
    match: Match[Any],
    left: tuple[int, ...],
    elapsed: int,
    seat: int,
    command: Command,
    after: After,
    number: int,
) -> tuple[int, ...]:
    """The clocks after entry `number`, an action of `seat`; `match` is as before it, `after` is
    what follows from it.

    A seat that takes back goes on with the time that it has left: nobody gains any by acting and
    taking back over and over.
    """
    ran = running(seating, match.asked)
    left = clock.give(clock.run(left, ran, elapsed), seat, after.gift)
    again = seat if isinstance(command, TakeBack) else None
    fresh = [one for one, open in after.asked.items() if open.token == number and one != again]
    return clock.ask(seating.clock, left, fresh)


def gift(seating: Seating, match: Match[Any], seat: int, command: Command | None) -> int:
    """What an action of `seat` adds to its clock: an increment if the seat acted in its own time.
    Taking back returns the increments of everything that is taken back."""
    if isinstance(command, TakeBack):
        return -match.gifts_since(command.to)
    asked = seat in match.asked
    return seating.clock.increment if asked and seating.stand_in(seat) is None else 0


def is_due(
    seating: Seating, match: Match[Any], clocks: tuple[int, ...] | None, seat: int, elapsed: int
) -> bool:
    """Whether somebody has to play for `seat`, `elapsed` milliseconds after the last entry: the
    default action is played for it, or its time is up."""
    if seat not in match.asked:
        return False
    stand_in = seating.stand_in(seat)
    if stand_in is not None:
        return stand_in == ""
    return clocks is not None and elapsed >= clocks[seat]


def elapsed_between(
    before: tuple[int, ...] | None,
    after: tuple[int, ...] | None,
    ran: Collection[int],
    seat: int | None,
    gift: int,
    up: int | None = None,
) -> int:
    """The time between two entries, as far as their clocks show it: each seat that `ran` has so
    much less (`seat` apart from its `gift`), and the time of `up` was up. Time that the clocks do
    not show made no difference."""
    if before is None or after is None:
        return 0
    gone = [before[one] - after[one] + (gift if one == seat else 0) for one in ran]
    return max([0, *gone, *([] if up is None else before[up : up + 1])])

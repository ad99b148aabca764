"""Who may act for a seat: its occupant, unless somebody sits in; the bot that plays it; the clock,
once the time is up.

A request waits in a queue before it is decided. These questions are therefore asked when it is
decided, whatever was true when it was sent. Does not know games by name.
"""

from __future__ import annotations

from typing import Any

from engine import timing
from engine.draft import Request
from engine.entry import Cause
from engine.errors import Code, IllegalAction
from engine.match import Match
from engine.table.state import Seating


def may_act(
    seating: Seating,
    match: Match[Any],
    clocks: tuple[int, ...] | None,
    request: Request,
    seat: int,
    elapsed: int,
) -> None:
    """Raise IllegalAction unless the sender of `request` may act for match seat `seat`, `elapsed`
    milliseconds after the last entry."""
    if request.person is not None:
        occupant = seating.occupant(seat)
        if occupant is None or occupant.person != request.person:
            raise IllegalAction(Code.NOT_SEATED)
        if seating.sitting_in[seat] is not None:
            raise IllegalAction(Code.SAT_OUT, seat=seat)
    elif request.cause is Cause.BOT:
        if seating.stand_in(seat) is None:
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
    elif request.cause is Cause.TIMEOUT:
        if not timing.is_due(seating, match, clocks, seat, elapsed):
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
        if request.command != match.game.default(match.state, seat):
            raise IllegalAction(Code.WRONG_COMMAND)
    else:
        raise IllegalAction(Code.NOT_SEATED)


def may_sit_out(
    seating: Seating,
    match: Match[Any],
    clocks: tuple[int, ...] | None,
    request: Request,
    seat: int,
    elapsed: int,
) -> None:
    """Raise IllegalAction if `request`, which lets somebody play for match seat `seat`, came too
    late: the seat has time left, or is no longer asked what it was voted absent for."""
    if request.cause is Cause.TIMEOUT:
        absent = timing.is_due(seating, match, clocks, seat, elapsed)
    elif request.cause is Cause.HOUSE:
        asked = match.asked.get(seat)
        absent = asked is not None and asked.token == request.token
    else:
        return
    if not absent:
        raise IllegalAction(Code.NOT_ABSENT, seat=seat)

"""Decides the commands of a table on a `Seating`: who may sit, leave, start, close, vote, come
back, take over. The commands are in `engine.table.words`.

The server measures time and presence, and says when somebody is absent. Does not know games.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engine.clock import Absence, fits
from engine.deal import commit
from engine.entry import Command, Event
from engine.errors import Code, IllegalAction
from engine.game import Game, Setup
from engine.table.state import Seating
from engine.table.words import (
    Close,
    HostPassed,
    Join,
    Leave,
    Open,
    PassHost,
    Phase,
    Return,
    Returned,
    SatIn,
    SeatFreed,
    SeatTaken,
    SitOut,
    Start,
    Substitute,
    Substituted,
    TableClosed,
    TableOpened,
    Vote,
    Voted,
)


def decide(
    seating: Seating,
    person: bytes | None,
    command: Command,
    game: Game[Any],
    asked: Collection[int] = (),
) -> list[Event]:
    """Check a command of the table and carry it out on this copy.

    `person` is None for the server itself; `asked` are the match seats with an open prompt. Returns
    no events if what is asked for is so already (or if it is a `Start` that may be done). The
    caller (`engine.stream`) adds what needs the secret: the start of the match after a `Start` or a
    full table, and the reveal after a `Close`.
    """
    events = _decide_by(seating, person, command, game, asked)
    for event in events:
        seating.evolve(event)
    return events


def _decide_by(
    seating: Seating,
    person: bytes | None,
    command: Command,
    game: Game[Any],
    asked: Collection[int],
) -> list[Event]:
    match command:
        case Start():
            _may_start(seating, person, game)
            return []
        case Close():
            return _close(seating, person, command)
    if person is None:
        match command:
            case SitOut():
                return _sit_out(seating, command, game, asked)
            case PassHost():
                return _pass_host(seating, command)
    else:
        match command:
            case Join():
                return _join(seating, person, command)
            case Leave():
                return _leave(seating, person)
            case Vote():
                return _vote(seating, person, command, asked)
            case Return():
                return _return(seating, person)
            case Substitute():
                return _substitute(seating, person, command)
    raise IllegalAction(Code.WRONG_COMMAND)


# before the match


def _join(seating: Seating, person: bytes, command: Join) -> list[Event]:
    _still_waiting(seating)
    if seating.seat_of(person) is not None:
        return []
    for seat, occupant in enumerate(seating.seats):
        if occupant is None:
            return [SeatTaken(seat, command.name, person, None, command.nonce)]
    raise IllegalAction(Code.TABLE_FULL, seats=len(seating.seats))


def _leave(seating: Seating, person: bytes) -> list[Event]:
    _still_waiting(seating)
    seat = seating.seat_of(person)
    if seat is None:
        raise IllegalAction(Code.NOT_SEATED)
    host = seating.host
    if host == person:
        others = (o.person for o in seating.seats if o is not None and o.person != person)
        host = next((other for other in others if other is not None), None)
    return [SeatFreed(seat, host)]


def _may_start(seating: Seating, person: bytes | None, game: Game[Any]) -> None:
    _still_waiting(seating)
    if person is None or person != seating.host:
        raise IllegalAction(Code.NOT_HOST)
    setup = seating.setup()
    least = game.rulesets[seating.ruleset][0]
    if setup.seats < least:
        raise IllegalAction(Code.TOO_FEW_PLAYERS, seats=setup.seats, least=least)
    game.check(setup)


def _close(seating: Seating, person: bytes | None, command: Close) -> list[Event]:
    if seating.ended:
        raise IllegalAction(Code.TABLE_CLOSED)
    if person is not None:
        if person != seating.host:
            raise IllegalAction(Code.NOT_HOST)
        if seating.phase is not Phase.WAITING:
            raise IllegalAction(Code.ALREADY_STARTED)
    return [TableClosed(command.reason)]


def _still_waiting(seating: Seating) -> None:
    if seating.phase is Phase.PLAYING:
        raise IllegalAction(Code.ALREADY_STARTED)
    if seating.phase is not Phase.WAITING:
        raise IllegalAction(Code.TABLE_CLOSED)


def _pass_host(seating: Seating, command: PassHost) -> list[Event]:
    _still_waiting(seating)
    if seating.seat_of(command.person) is None:
        raise IllegalAction(Code.NOT_SEATED)
    return [] if seating.host == command.person else [HostPassed(command.person)]


# during the match


def _vote(seating: Seating, person: bytes, command: Vote, asked: Collection[int]) -> list[Event]:
    by = _own_seat(seating, person)
    if seating.sitting_in[by] is not None:
        raise IllegalAction(Code.SAT_OUT, seat=by)
    seat = command.seat
    if seat == by:
        raise IllegalAction(Code.NOT_ABSENT, seat=seat)
    _may_be_absent(seating, seat, asked)
    return [] if by in seating.voters(seat) else [Voted(seat, by)]


def _sit_out(
    seating: Seating, command: SitOut, game: Game[Any], asked: Collection[int]
) -> list[Event]:
    _is_playing(seating)
    _may_be_absent(seating, command.seat, asked)
    if command.bot and (command.bot not in game.bots or seating.absence is not Absence.BOT):
        raise IllegalAction(Code.BAD_OPTIONS, bot=command.bot)
    return [SatIn(command.seat, command.bot)]


def _may_be_absent(seating: Seating, seat: int, asked: Collection[int]) -> None:
    """Raise unless a person plays `seat` and is asked something."""
    if seat not in asked or seating.stand_in(seat) is not None:
        raise IllegalAction(Code.NOT_ABSENT, seat=seat)


def _return(seating: Seating, person: bytes) -> list[Event]:
    seat = _own_seat(seating, person)
    return [] if seating.sitting_in[seat] is None else [Returned(seat)]


def _substitute(seating: Seating, person: bytes, command: Substitute) -> list[Event]:
    _is_playing(seating)
    seat = command.seat
    if seating.match_seat_of(person) is not None:
        if seating.match_seat_of(person) == seat and seating.sitting_in[seat] is None:
            return []
        raise IllegalAction(Code.ALREADY_SEATED)
    _may_be_taken(seating, seat)
    return [Substituted(seat, command.name, person)]


def may_invite(seating: Seating, person: bytes, seat: int) -> None:
    """Raise IllegalAction unless `person`, who plays there, may invite somebody else to
    take match seat `seat`."""
    own = _own_seat(seating, person)
    if seating.sitting_in[own] is not None:
        raise IllegalAction(Code.SAT_OUT, seat=own)
    _may_be_taken(seating, seat)


def _may_be_taken(seating: Seating, seat: int) -> None:
    if seating.absence is not Absence.SUBSTITUTE:
        raise IllegalAction(Code.NO_SUBSTITUTES)
    if not 0 <= seat < len(seating.places) or seating.sitting_in[seat] is None:
        raise IllegalAction(Code.NOT_ABSENT, seat=seat)


def _own_seat(seating: Seating, person: bytes) -> int:
    _is_playing(seating)
    seat = seating.match_seat_of(person)
    if seat is None:
        raise IllegalAction(Code.NOT_SEATED)
    return seat


def _is_playing(seating: Seating) -> None:
    if seating.phase is not Phase.PLAYING:
        raise IllegalAction(Code.NOT_RUNNING)


# opening


def open_table(
    command: Open,
    person: bytes,
    game: Game[Any],
    *,
    code: str,
    secret: bytes,
    nonces: tuple[bytes, ...],
) -> list[Event]:
    """The first events of a table: opened, the host seated, bots seated.

    `nonces` holds one nonce for each bot; an empty `secret` means a supplied deal.
    """
    game.check(Setup(command.ruleset, command.seats, command.options))
    if not fits(command.clock):
        raise IllegalAction(Code.BAD_OPTIONS, clock=command.clock.kind.name.lower())
    taken = len(command.bots) + command.sit
    if taken > command.seats:
        raise IllegalAction(Code.BAD_OPTIONS, seats=command.seats, taken=taken)
    for level in command.bots:
        if level not in game.bots:
            raise IllegalAction(Code.BAD_OPTIONS, bot=level)
    events: list[Event] = [
        TableOpened(
            code=code,
            game=game.name,
            rules=game.rules,
            ruleset=command.ruleset,
            options=command.options,
            seats=command.seats,
            listed=command.listed,
            host=person,
            commitment=commit(secret) if secret else b"",
            clock=command.clock,
            absence=command.absence,
        )
    ]
    if command.sit:
        events.append(SeatTaken(0, command.name, person, None, command.nonce))
    first_bot = command.seats - len(command.bots)
    for seat, (level, nonce) in enumerate(zip(command.bots, nonces, strict=True), first_bot):
        events.append(SeatTaken(seat, f"{level} bot {seat + 1}", None, level, nonce))
    return events

"""Who sits where at a table, before a match and during it, as a pure fold.

The same shape as a game: commands are decided, events evolve the state. Its words are
those of `engine.table` and may be had from here as well. Knows no game; of people it
knows a public id and a name, never a token.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from attrs import frozen

from engine.clock import Absence, Clock, ClockKind
from engine.deal import commit
from engine.entry import Command, Event
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Game, Setup
from engine.table import (
    COMMANDS,
    EVENTS,
    Close,
    Closing,
    HostPassed,
    Join,
    Leave,
    MatchStarted,
    Open,
    PassHost,
    Phase,
    Return,
    Returned,
    Revealed,
    SatIn,
    SeatFreed,
    SeatTaken,
    SitOut,
    Start,
    Substitute,
    Substituted,
    TableClosed,
    TableOpened,
    TakeBack,
    TakenBack,
    Vote,
    Voted,
)

MOST_SEATS = 255
"""More than any game has; a seed names the number of its nonces in one byte."""


@frozen
class Occupant:
    """Who sits on a seat."""

    name: str
    person: bytes | None
    bot: str | None
    nonce: bytes


class Seating:
    """A table's facts beside the game. One owner; `copy` before deciding."""

    __slots__ = (
        "absence",
        "clock",
        "code",
        "commitment",
        "game",
        "host",
        "listed",
        "options",
        "phase",
        "places",
        "revealed",
        "rules",
        "ruleset",
        "seats",
        "sitting_in",
        "supplied",
    )

    def __init__(self, opened: TableOpened) -> None:
        if not 1 <= opened.seats <= MOST_SEATS:
            raise BrokenLog(f"a table of {opened.seats} seats")
        self.code = opened.code
        self.game = opened.game
        self.rules = opened.rules
        self.ruleset = opened.ruleset
        self.options = opened.options
        self.listed = opened.listed
        self.host: bytes | None = opened.host
        self.commitment = opened.commitment
        self.clock = opened.clock
        self.absence = opened.absence
        self.phase = Phase.WAITING
        self.seats: tuple[Occupant | None, ...] = (None,) * opened.seats
        self.places: tuple[int, ...] = ()
        self.sitting_in: tuple[str | None, ...] = ()
        """By match seat: the bot that plays for its absent owner, empty for the default
        action; None where nobody has to."""
        self.supplied = False
        self.revealed: Revealed | None = None

    def copy(self) -> Self:
        return copy(self)

    def setup(self) -> Setup:
        """The setup of a match with the seats taken now."""
        return Setup(self.ruleset, len(self.taken()), self.options)

    def taken(self) -> tuple[int, ...]:
        """The table seats that are taken, in order."""
        return tuple(seat for seat, o in enumerate(self.seats) if o is not None)

    def full(self) -> bool:
        """Whether no seat is free."""
        return None not in self.seats

    @property
    def ended(self) -> bool:
        """Whether the table is over or closed: nothing happens at it any more."""
        return self.phase in (Phase.OVER, Phase.CLOSED)

    def started(self, supplied: bool) -> MatchStarted:
        """The start of a match with the seats taken now."""
        return MatchStarted(self.ruleset, self.options, self.taken(), supplied)

    def seat_of(self, person: bytes) -> int | None:
        """The table seat of a session."""
        for seat, occupant in enumerate(self.seats):
            if occupant is not None and occupant.person == person:
                return seat
        return None

    def match_seat_of(self, person: bytes) -> int | None:
        """The match seat of a session, once a match has started."""
        seat = self.seat_of(person)
        return self.places.index(seat) if seat is not None and seat in self.places else None

    def nonces(self) -> tuple[bytes, ...]:
        """The nonces by match seat (by taken seat, while the table waits)."""
        return tuple(o.nonce for o in self.seats if o is not None)

    # decide

    def decide(self, person: bytes | None, command: Command, game: Game[Any]) -> list[Event]:
        """Check a command of the table and carry it out on this copy.

        No events: what is wished is so already (or, a `Start`, may be done). The caller
        (`engine.stream`) adds what needs the secret: the start of the match after a
        `Start` or a full table, and the reveal after a `Close`.
        """
        events: list[Event] = []
        match command:
            case Join() if person is not None:
                events = self._join(person, command)
            case Leave() if person is not None:
                events = self._leave(person)
            case Start():
                self._may_start(person, game)
            case Close():
                events = self._close(person, command)
            case _:
                raise IllegalAction(Code.WRONG_COMMAND)
        for event in events:
            self.evolve(event)
        return events

    def _join(self, person: bytes, command: Join) -> list[Event]:
        self._still_waiting()
        if self.seat_of(person) is not None:
            return []
        for seat, occupant in enumerate(self.seats):
            if occupant is None:
                return [SeatTaken(seat, command.name, person, None, command.nonce)]
        raise IllegalAction(Code.TABLE_FULL, seats=len(self.seats))

    def _leave(self, person: bytes) -> list[Event]:
        self._still_waiting()
        seat = self.seat_of(person)
        if seat is None:
            raise IllegalAction(Code.NOT_SEATED)
        host = self.host
        if host == person:
            others = (o.person for o in self.seats if o is not None and o.person != person)
            host = next((other for other in others if other is not None), None)
        return [SeatFreed(seat, host)]

    def _may_start(self, person: bytes | None, game: Game[Any]) -> None:
        self._still_waiting()
        if person != self.host:
            raise IllegalAction(Code.NOT_HOST)
        setup = self.setup()
        least = game.rulesets[self.ruleset][0]
        if setup.seats < least:
            raise IllegalAction(Code.TOO_FEW_PLAYERS, seats=setup.seats, least=least)
        game.check(setup)

    def _close(self, person: bytes | None, command: Close) -> list[Event]:
        if self.ended:
            raise IllegalAction(Code.TABLE_CLOSED)
        if person is not None:
            if person != self.host:
                raise IllegalAction(Code.NOT_HOST)
            if self.phase is not Phase.WAITING:
                raise IllegalAction(Code.ALREADY_STARTED)
        return [TableClosed(command.reason)]

    def _still_waiting(self) -> None:
        if self.phase is Phase.PLAYING:
            raise IllegalAction(Code.ALREADY_STARTED)
        if self.phase is not Phase.WAITING:
            raise IllegalAction(Code.TABLE_CLOSED)

    # evolve

    def evolve(self, event: Event) -> None:
        """Advance by one fact, in place; raises BrokenLog for one that cannot follow."""
        match event:
            case SeatTaken(seat, name, person, bot, nonce) if self._waits_with(seat, taken=False):
                self._put(seat, Occupant(name, person, bot, nonce))
            case SeatFreed(seat, host) if self._waits_with(seat, taken=True):
                self._put(seat, None)
                self.host = host
            case MatchStarted() if self.phase is Phase.WAITING and event == self.started(
                event.supplied
            ):
                self.phase = Phase.PLAYING
                self.places = event.places
                self.sitting_in = (None,) * len(event.places)
                self.supplied = event.supplied
            case TableClosed() if not self.ended:
                self.phase = Phase.CLOSED
            case Revealed() if self.revealed is None and self.phase is not Phase.WAITING:
                self.revealed = event
                if self.phase is Phase.PLAYING:
                    self.phase = Phase.OVER
            case _:
                raise BrokenLog(f"{type(event).__name__} cannot follow at this table")

    def _waits_with(self, seat: int, *, taken: bool) -> bool:
        """Whether the table waits, and `seat` is one of its seats and taken, or free."""
        waits = self.phase is Phase.WAITING and 0 <= seat < len(self.seats)
        return waits and (self.seats[seat] is not None) == taken

    def _put(self, seat: int, occupant: Occupant | None) -> None:
        self.seats = (*self.seats[:seat], occupant, *self.seats[seat + 1 :])


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


__all__ = [
    "COMMANDS",
    "EVENTS",
    "MOST_SEATS",
    "Absence",
    "Clock",
    "ClockKind",
    "Close",
    "Closing",
    "HostPassed",
    "Join",
    "Leave",
    "MatchStarted",
    "Occupant",
    "Open",
    "PassHost",
    "Phase",
    "Return",
    "Returned",
    "Revealed",
    "SatIn",
    "SeatFreed",
    "SeatTaken",
    "Seating",
    "SitOut",
    "Start",
    "Substitute",
    "Substituted",
    "TableClosed",
    "TableOpened",
    "TakeBack",
    "TakenBack",
    "Vote",
    "Voted",
    "open_table",
]

"""Who sits where at a table, before a match and during it, as a pure fold.

It has the shape of a game: `engine.table.decide` decides commands, and events evolve the state
here. Its words are in `engine.table.words`. Does not know games; knows people by a public id and a
name, never by a token.
"""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from typing import Self

from attrs import evolve, frozen

from engine.clock import fits
from engine.entry import Event
from engine.errors import BrokenLog
from engine.game import Setup
from engine.table.words import (
    HostPassed,
    MatchStarted,
    Phase,
    Returned,
    Revealed,
    SatIn,
    SeatFreed,
    SeatTaken,
    Substituted,
    TableClosed,
    TableOpened,
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
    """A table's facts besides the game. One owner; `copy` before deciding."""

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
        "votes",
    )

    def __init__(self, opened: TableOpened) -> None:
        if not 1 <= opened.seats <= MOST_SEATS:
            raise BrokenLog(f"a table of {opened.seats} seats")
        if not fits(opened.clock):
            raise BrokenLog(f"a table with {opened.clock}")
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
        """By match seat: the bot that plays for its absent owner, empty for the default action;
        None where nobody sits in."""
        self.votes: tuple[tuple[int, int], ...] = ()
        """(match seat said to be absent, match seat that says so), kept while the prompt that it
        does not answer is open."""
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
        """Whether the table is over or closed: nothing more happens at it."""
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

    def occupant(self, seat: int) -> Occupant | None:
        """Who has match seat `seat`."""
        return self.seats[self.places[seat]] if 0 <= seat < len(self.places) else None

    def stand_in(self, seat: int) -> str | None:
        """What plays match seat `seat` now: a bot's level, empty for the default action;
        None: a person."""
        occupant = self.occupant(seat)
        if occupant is not None and occupant.bot is not None:
            return occupant.bot
        return self.sitting_in[seat]

    def voters(self, seat: int) -> tuple[int, ...]:
        """The match seats that voted `seat` absent."""
        return tuple(by for voted, by in self.votes if voted == seat)

    def nonces(self) -> tuple[bytes, ...]:
        """The nonces by match seat (by taken seat, while the table waits)."""
        return tuple(o.nonce for o in self.seats if o is not None)

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
            case Voted(seat, by) if self._plays(seat) and self._plays(by):
                self.votes = (*self.votes, (seat, by))
            case SatIn(seat, bot) if self._plays(seat):
                self.votes = tuple(vote for vote in self.votes if vote[0] != seat)
                self._sit_in(seat, bot)
            case Returned(seat) if self._is_out(seat):
                self._sit_in(seat, None)
            case Substituted(seat, name, person) if (
                self._is_out(seat) and self.seat_of(person) is None
            ):
                self._sit_in(seat, None)
                place = self.places[seat]
                occupant = self.seats[place]
                assert occupant is not None
                self._put(place, evolve(occupant, name=name, person=person))
            case HostPassed(host) if self.phase is Phase.WAITING and self.seat_of(host) is not None:
                self.host = host
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

    def still_silent(self, seats: Collection[int]) -> Self:
        """This seating with the votes about `seats` alone, which leave open what they left open
        before: votes about other seats no longer count. A copy if that changes it."""
        votes = tuple(vote for vote in self.votes if vote[0] in seats)
        if votes == self.votes:
            return self
        changed = self.copy()
        changed.votes = votes
        return changed

    def _plays(self, seat: int) -> bool:
        """Whether a person plays match seat `seat` now."""
        if self.phase is not Phase.PLAYING or not 0 <= seat < len(self.places):
            return False
        return self.stand_in(seat) is None

    def _is_out(self, seat: int) -> bool:
        """Whether somebody plays for match seat `seat` in its owner's absence."""
        playing = self.phase is Phase.PLAYING and 0 <= seat < len(self.places)
        return playing and self.sitting_in[seat] is not None

    def _sit_in(self, seat: int, bot: str | None) -> None:
        self.sitting_in = (*self.sitting_in[:seat], bot, *self.sitting_in[seat + 1 :])

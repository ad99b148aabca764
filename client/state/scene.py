"""One moment of a table, typed and complete: what the screen draws and the plain client prints.

Frozen, so that a screen can keep one while the next ones arrive. Does not know any rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cached_property
from typing import Any

from attrs import define

from client.text import cut
from protocol.table import Absence, Phase
from protocol.views import TableView

NAME_CELLS = 24
"""The most cells of a name that are shown."""


def clockwise(first: int | None, seats: int) -> list[int]:
    """All of so many match seats, from `first` on (None: from seat 0)."""
    return [((first or 0) + step) % seats for step in range(seats)]


@define(frozen=True, slots=False)
class SeatPrompt:
    """What a match seat is asked, as far as the viewer may know."""

    seat: int
    token: int
    prompt: Any
    """The game's own, typed."""


@define(frozen=True, slots=False)
class Scene:
    """A table as its viewer may know it, after entry `number`."""

    number: int
    table_seat: int | None
    """The viewer's seat at the table; None for spectators."""
    table: TableView
    board: Any | None
    """The game's public view; None before a match starts."""
    own: Any | None
    """The game's private view of the viewer; None for spectators and before the match."""
    prompts: tuple[SeatPrompt, ...]
    """All open prompts that the viewer may know about, by seat."""
    undo: tuple[int, int] | None
    """(match seat that may take back, entry that it goes back to)."""
    clocks: tuple[int, ...] | None = None
    """Milliseconds left by match seat at the last entry; None without a clock."""
    host: bool = False
    """Whether the viewer is the table's host, with a seat or without."""
    waiting_for: tuple[int, ...] | None = None
    """The match seats that are asked something (`GameClient.asked`); None: those whose prompts
    can be seen."""

    @cached_property
    def seat(self) -> int | None:
        """The viewer's match seat; None before the match and for spectators."""
        places = self.table.places
        return places.index(self.table_seat) if self.table_seat in places else None

    @cached_property
    def mine(self) -> SeatPrompt | None:
        """The prompt that the viewer has to answer; None if there is none."""
        if self.seat is None or self.table.phase is not Phase.PLAYING:
            return None
        return next((asked for asked in self.prompts if asked.seat == self.seat), None)

    @property
    def asked(self) -> tuple[int, ...]:
        """The match seats that the table waits for, as far as the viewer may know."""
        if self.table.phase is not Phase.PLAYING:
            return ()
        if self.waiting_for is not None:
            return self.waiting_for
        return tuple(asked.seat for asked in self.prompts)

    @property
    def may_undo(self) -> int | None:
        """The entry the viewer may go back to; None while somebody plays for the viewer."""
        if self.undo is not None and self.undo[0] == self.seat and not self.played_for:
            return self.undo[1]
        return None

    @property
    def may_start(self) -> bool:
        """Whether the viewer is the host of a waiting table with enough players."""
        return self.may_close and sum(seat is not None for seat in self.table.seats) >= 2

    @property
    def may_close(self) -> bool:
        """Whether the viewer is the host of a waiting table."""
        return self.host and self.table.phase is Phase.WAITING

    def bot(self, seat: int) -> bool:
        """Whether a match seat belongs to a bot."""
        taken = self.table.seats[self.table.places[seat]]
        return taken is not None and taken.bot is not None

    def stand_in(self, seat: int) -> str | None:
        """The level of the bot that plays for the owner of a match seat; empty if the default
        action is played; None if the owner plays."""
        return self.table.sitting_in[seat] if 0 <= seat < len(self.table.sitting_in) else None

    @property
    def played_for(self) -> bool:
        """Whether somebody plays for the viewer, who has to return in order to act."""
        return self.running and self.seat is not None and self.stand_in(self.seat) is not None

    def runs(self, seat: int) -> bool:
        """Whether the time of a match seat runs: its own person is asked something."""
        return seat in self.asked and not self.bot(seat) and self.stand_in(seat) is None

    @property
    def may_vote(self) -> tuple[int, ...]:
        """The match seats that the viewer may call absent, sooner or later."""
        if self.seat is None or self.played_for:
            return ()
        return tuple(seat for seat in self.asked if seat != self.seat and self.runs(seat))

    @property
    def may_invite(self) -> tuple[int, ...]:
        """The match seats to which the viewer may invite somebody else."""
        substitutes = self.table.absence is Absence.SUBSTITUTE
        if not self.running or self.seat is None or not substitutes:
            return ()
        seats = range(len(self.table.places))
        return tuple(s for s in seats if s != self.seat and self.stand_in(s) is not None)

    @property
    def running(self) -> bool:
        return self.table.phase is Phase.PLAYING

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.table.phase in (Phase.OVER, Phase.CLOSED)

    @property
    def end(self) -> str:
        """Why nothing more will happen, as a sentence; only for a table that is over."""
        closed = self.table.phase is Phase.CLOSED
        return "The table is closed." if closed else "The game is over."

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        """By table seat: a name that no other seat has; None for a free seat.

        The seat's number is added to names that look alike, that mix alphabets, or that
        look as if a number had been added already."""
        seats = self.table.seats
        plain = [None if seat is None else cut(seat.name, NAME_CELLS) for seat in seats]
        looks = Counter(_look(name) for name in plain if name)
        shown: list[str | None] = []
        for number, name in enumerate(plain, 1):
            if name is None:
                shown.append(None)
            elif not name:
                shown.append(f"seat {number}")
            else:
                alone = looks[_look(name)] == 1 and not _doubtful(name)
                shown.append(name if alone else f"{name} ({number})")
        return tuple(shown)

    def name(self, seat: int) -> str:
        """The name of the player on a match seat."""
        places = self.table.places
        return self.table_name(places[seat]) if 0 <= seat < len(places) else f"seat ?{seat + 1}"

    def table_name(self, seat: int) -> str:
        """The name of the player on a table seat."""
        names = self.names
        name = names[seat] if 0 <= seat < len(names) else None
        return name if name is not None else f"seat {seat + 1}"


_NUMBERED = re.compile(r".*\(\d+\)|seat \d+", re.IGNORECASE)
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


def _doubtful(name: str) -> bool:
    """Whether a name may be meant to be mistaken for another, present or not."""
    if name.isascii():
        return _NUMBERED.fullmatch(name) is not None
    used = {unicodedata.name(char, "").partition(" ")[0] for char in name if char.isalpha()}
    plain = unicodedata.normalize("NFKC", name)
    return len(used.intersection(_ALPHABETS)) > 1 or _NUMBERED.fullmatch(plain) is not None


def _look(name: str) -> str:
    """The same for all names that a reader could mistake for one another, judging by letters."""
    return unicodedata.normalize("NFKC", name).casefold()

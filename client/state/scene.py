"""One moment of a table, typed and complete: what a screen or a line printer draws.

Frozen, so that a screen may hold on to one while the next arrive. Knows no rule.
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
"""Cells of a name that are shown at the most."""


@define(frozen=True, slots=False)
class OpenPrompt:
    """What a match seat is asked."""

    seat: int
    token: int
    prompt: Any
    """Typed; of the game."""


@define(frozen=True, slots=False)
class Scene:
    """A table as its viewer may know it, as of entry `number`."""

    number: int
    table_seat: int | None
    """The viewer's seat at the table; None: spectator."""
    table: TableView
    board: Any | None
    """The game's public view; None before a match starts."""
    own: Any | None
    """The game's private view of the viewer; None for spectators and before the match."""
    prompts: tuple[OpenPrompt, ...]
    """All open prompts that the viewer may know, by seat."""
    undo: tuple[int, int] | None
    """(match seat, entry it may go back to)."""
    clocks: tuple[int, ...] | None = None
    """Milliseconds left by match seat at the last entry; None: without a clock."""
    host: bool = False
    """Whether the viewer is the table's host, with a seat or without."""

    @cached_property
    def seat(self) -> int | None:
        """The viewer's match seat; None before the match and for spectators."""
        places = self.table.places
        return places.index(self.table_seat) if self.table_seat in places else None

    @cached_property
    def mine(self) -> OpenPrompt | None:
        """What the viewer is asked."""
        if self.seat is None or self.table.phase is not Phase.PLAYING:
            return None
        return next((asked for asked in self.prompts if asked.seat == self.seat), None)

    @property
    def asked(self) -> tuple[int, ...]:
        """The match seats the table waits for, as far as the viewer may know."""
        if self.table.phase is not Phase.PLAYING:
            return ()
        return tuple(asked.seat for asked in self.prompts)

    @property
    def may_undo(self) -> int | None:
        """The entry the viewer may go back to; none while the viewer is played for."""
        if self.undo is not None and self.undo[0] == self.seat and not self.played_for:
            return self.undo[1]
        return None

    @property
    def may_start(self) -> bool:
        """Whether the viewer is the host of a table that waits and has enough people."""
        return self.may_close and sum(seat is not None for seat in self.table.seats) >= 2

    @property
    def may_close(self) -> bool:
        """Whether the viewer is the host of a table that waits."""
        return self.host and self.table.phase is Phase.WAITING

    def bot(self, seat: int) -> bool:
        """Whether a match seat is a bot's own."""
        taken = self.table.seats[self.table.places[seat]]
        return taken is not None and taken.bot is not None

    def stand_in(self, seat: int) -> str | None:
        """The level of the bot that sits in for the owner of a match seat; empty: the
        default action is played; None: the owner plays."""
        return self.table.sitting_in[seat] if 0 <= seat < len(self.table.sitting_in) else None

    @property
    def played_for(self) -> bool:
        """Whether the viewer's seat is played for: to act, the viewer has to return."""
        return self.running and self.seat is not None and self.stand_in(self.seat) is not None

    def runs(self, seat: int) -> bool:
        """Whether the time of a match seat runs: a person's who is asked something."""
        return seat in self.asked and not self.bot(seat) and self.stand_in(seat) is None

    @property
    def may_vote(self) -> tuple[int, ...]:
        """The match seats that the viewer could call absent."""
        if self.seat is None or self.played_for:
            return ()
        return tuple(seat for seat in self.asked if seat != self.seat and self.runs(seat))

    @property
    def may_invite(self) -> tuple[int, ...]:
        """The match seats that somebody else may be invited to."""
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
        """Whether nothing will happen any more."""
        return self.table.phase in (Phase.OVER, Phase.CLOSED)

    @property
    def end(self) -> str:
        """Why nothing will happen any more, as a sentence; for one that is over."""
        closed = self.table.phase is Phase.CLOSED
        return "The table is closed." if closed else "The game is over."

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        """By table seat: a name that no other seat has; None for a free seat.

        The seat's number is added to names that look alike, that mix alphabets, or that
        look as if a number had been added."""
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
        """Who sits on a match seat."""
        places = self.table.places
        return self.table_name(places[seat]) if 0 <= seat < len(places) else f"seat ?{seat + 1}"

    def table_name(self, seat: int) -> str:
        """Who sits on a table seat."""
        names = self.names
        name = names[seat] if 0 <= seat < len(names) else None
        return name if name is not None else f"seat {seat + 1}"


_NUMBERED = re.compile(r".*\(\d+\)|seat \d+", re.IGNORECASE)
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


def _doubtful(name: str) -> bool:
    """Whether a name could be meant to be taken for another, whoever is there."""
    if name.isascii():
        return _NUMBERED.fullmatch(name) is not None
    used = {unicodedata.name(char, "").partition(" ")[0] for char in name if char.isalpha()}
    plain = unicodedata.normalize("NFKC", name)
    return len(used.intersection(_ALPHABETS)) > 1 or _NUMBERED.fullmatch(plain) is not None


def _look(name: str) -> str:
    """Names that a reader could take for one another, as far as letters tell."""
    return unicodedata.normalize("NFKC", name).casefold()

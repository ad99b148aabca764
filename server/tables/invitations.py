"""Invitations to take the seat of somebody absent: codes that are good once, for a while, and
no longer than the absence. They are kept in memory only; after a restart people ask for new
ones.

Knows tables only by their codes and seats. Does not know about games.
"""

from __future__ import annotations

import secrets

from attrs import define

from engine.table.state import Seating
from server.tables.timers import Ticker

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH, _GROUP = 12, 4
_JOINTS = str.maketrans("", "", " -._")
_MOST_TYPED = 64


@define
class Invited:
    """Where an invitation leads."""

    code: str
    """The table's code."""
    seat: int
    """The match seat."""
    until: int
    """When it expires, by `Ticker.now`."""
    owner: bytes | None
    """Public id of the absent person."""
    by: bytes | None = None
    """Public id of the person who took the seat with it; None: nobody yet."""


class Invitations:
    """The invitations of one server, at most one for each seat."""

    def __init__(self, ticker: Ticker, seconds: float) -> None:
        self._ticker = ticker
        self._ms = int(seconds * 1000)
        self._by_text: dict[str, Invited] = {}
        self._text: dict[tuple[str, int], str] = {}

    def make(self, code: str, seat: int, owner: bytes | None) -> str:
        """A code that leads to match seat `seat` of table `code`, whose owner is absent. An
        earlier one for the same seat becomes void."""
        now = self._ticker.now()
        for text, old in tuple(self._by_text.items()):
            if old.until > now:
                break  # the oldest come first
            self._drop(text)
        before = self._text.get((code, seat))
        if before is not None:
            self._drop(before)
        chance = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        groups = [chance[at : at + _GROUP] for at in range(0, _LENGTH, _GROUP)]
        said = "-".join((code, *groups))
        text = _plain(said)
        self._by_text[text] = Invited(code, seat, now + self._ms, owner)
        self._text[code, seat] = text
        return said

    def changed(self, seating: Seating) -> None:
        """The seats of a table have changed: an invitation is void once the absence is over,
        and once somebody took the seat with it, it is good only for that person."""
        for seat in range(len(seating.places)):
            text = self._text.get((seating.code, seat))
            if text is None:
                continue
            occupant, invited = seating.occupant(seat), self._by_text[text]
            if seating.ended or occupant is None:
                self._drop(text)
            elif seating.stand_in(seat) is None:
                if occupant.person == invited.owner:
                    self._drop(text)
                else:
                    invited.by = occupant.person

    def find(self, text: str, person: bytes) -> Invited | None:
        """Where a code leads `person`; None if it is no invitation, or no longer one."""
        invited = self._by_text.get(_plain(text))
        if invited is None or invited.until <= self._ticker.now():
            return None
        return invited if invited.by in (None, person) else None

    def _drop(self, text: str) -> None:
        invited = self._by_text.pop(text)
        if self._text.get((invited.code, invited.seat)) == text:
            del self._text[invited.code, invited.seat]


def _plain(text: str) -> str:
    """A code without what does not matter: case, blanks, hyphens and dots."""
    return text[:_MOST_TYPED].upper().translate(_JOINTS)

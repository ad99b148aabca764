"""Invitations to take the seat of somebody absent: codes that are good once, for a while,
and no longer than the absence. Kept in memory alone; after a restart the others ask for a
new one.

Knows tables by their codes and seats, and no game.
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
    """By `Ticker.now`."""
    owner: bytes | None
    """Public id of the absent person."""
    by: bytes | None = None
    """Public id of the one person that took the seat by it."""


class Invitations:
    """All that are good now: at most one for each seat."""

    def __init__(self, ticker: Ticker, seconds: float) -> None:
        self._ticker = ticker
        self._ms = int(seconds * 1000)
        self._by_text: dict[str, Invited] = {}
        self._text: dict[tuple[str, int], str] = {}

    def make(self, code: str, seat: int, owner: bytes | None) -> str:
        """A code that leads to match seat `seat` of table `code`, whose owner is absent;
        one that was given out for it before leads nowhere any more."""
        now = self._ticker.now()
        for text, old in tuple(self._by_text.items()):
            if old.until > now:
                break  # the oldest stand first
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
        """Seats of a table are others' now, or played by their owners again: an invitation
        is void once the absence is over, and once taken it is good for the one who took it."""
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
        """Where the code leads `person`; None if it is no invitation, or not any more."""
        invited = self._by_text.get(_plain(text))
        if invited is None or invited.until <= self._ticker.now():
            return None
        return invited if invited.by in (None, person) else None

    def _drop(self, text: str) -> None:
        invited = self._by_text.pop(text)
        if self._text.get((invited.code, invited.seat)) == text:
            del self._text[invited.code, invited.seat]


def _plain(text: str) -> str:
    """A code without what does not matter: case, blanks, hyphens, dots."""
    return text[:_MOST_TYPED].upper().translate(_JOINTS)

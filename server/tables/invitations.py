"""Invitations to take the seat of somebody absent: codes that are good once, and for a
while. Kept in memory alone; after a restart the others ask for a new one.

Knows tables by their codes, and no game.
"""

from __future__ import annotations

import secrets

from attrs import define

from server.tables.timers import Ticker

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 12


@define
class Invited:
    """Where an invitation leads."""

    code: str
    """The table's code."""
    seat: int
    """The match seat."""
    until: int
    """By `Ticker.now`."""
    by: bytes | None = None
    """Public id of the one person that took the seat by it."""


class Invitations:
    """All that are good now: at most one for each seat."""

    def __init__(self, ticker: Ticker, seconds: float) -> None:
        self._ticker = ticker
        self._ms = int(seconds * 1000)
        self._by_text: dict[str, Invited] = {}
        self._text: dict[tuple[str, int], str] = {}

    def make(self, code: str, seat: int) -> str:
        """A code that leads to match seat `seat` of table `code`; one that was given out
        for it before leads nowhere any more."""
        now = self._ticker.now()
        for text, old in tuple(self._by_text.items()):
            if old.until > now:
                break  # the oldest stand first
            self._drop(text)
        before = self._text.get((code, seat))
        if before is not None:
            self._drop(before)
        chance = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        text = f"{code}-{chance}"
        self._by_text[text] = Invited(code, seat, now + self._ms)
        self._text[code, seat] = text
        return text

    def find(self, text: str, person: bytes) -> Invited | None:
        """Where the code leads `person`; None if it is no invitation, or not any more."""
        invited = self._by_text.get(text.strip().upper()[:64])
        if invited is None or invited.until <= self._ticker.now():
            return None
        return invited if invited.by in (None, person) else None

    def _drop(self, text: str) -> None:
        invited = self._by_text.pop(text)
        if self._text.get((invited.code, invited.seat)) == text:
            del self._text[invited.code, invited.seat]

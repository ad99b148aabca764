"""One-time codes that carry a session to another device.

A code is short enough to be typed and lives for minutes: what makes it safe is that few
can be tried. It is spent once whoever came with it has said something after the
welcome, so that a welcome that was lost on its way loses nobody's seat: until then the
same code may be said again. Codes are in memory alone, as hashes. Knows no connection.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Generic, TypeVar

from attrs import define

P = TypeVar("P")

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and capitals, without those that are mistaken for others: 0 O, 1 I L, U V."""
LENGTH = 8
"""About 39 bits."""
LONGEST = 16
"""Whatever is said in place of a token and is no longer is meant as a code."""


@define(eq=False)
class _Issued(Generic[P]):
    public: bytes
    person: P
    until: float
    used: bool = False


class MoveCodes(Generic[P]):
    """The codes that are good now, each with whoever asked for it."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        """A code is good for `seconds`."""
        self._seconds = seconds
        self._clock = clock
        self._codes: dict[bytes, _Issued[P]] = {}
        """By the hash of the code, oldest first."""
        self._of: dict[bytes, bytes] = {}
        """By public id: the hash of its code."""

    def issue(self, public: bytes, person: P) -> str:
        """A new code for the session `public` of `person`; the one that it had is void."""
        self._expire()
        self._void(public)
        text = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        key = _hash(text)
        self._codes[key] = _Issued(public, person, self._clock() + self._seconds)
        self._of[public] = key
        return f"{text[:4]}-{text[4:]}"

    def use(self, said: bytes) -> P | None:
        """Whose session a code carries; None if it is none (any more)."""
        self._expire()
        issued = self._codes.get(_hash(clean_move_code(said)))
        if issued is None:
            return None
        issued.used = True
        return issued.person

    def confirm(self, public: bytes) -> None:
        """The new device of `public` has its token: a code that was used is spent."""
        key = self._of.get(public)
        if key is not None and self._codes[key].used:
            self._void(public)

    def _void(self, public: bytes) -> None:
        key = self._of.pop(public, None)
        if key is not None:
            del self._codes[key]

    def _expire(self) -> None:
        now = self._clock()
        for issued in list(self._codes.values()):
            if issued.until > now:
                break
            self._void(issued.public)


def clean_move_code(said: bytes) -> str:
    """A code as it was issued, from what a person typed: case, blanks and hyphens do not
    matter."""
    text = said[:64].decode("ascii", "replace").upper()
    return "".join(letter for letter in text if letter not in " -_.")


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()

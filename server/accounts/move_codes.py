"""One-time codes that carry a session to another device, and the tokens given for them.

A code is short enough to be typed and valid for minutes: it is safe because only a few can be
tried. A device that sends one is given a token, and takes the session over once it has sent
something more. Until then the same code may be sent again, so that a lost welcome costs nobody
a seat. A token that has not been proven lives no longer than its code. Both are kept as hashes
and in memory only. Does not know about connections.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Generic, TypeVar

from attrs import define, field

S = TypeVar("S")

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and capitals, without those that are easily mistaken: 0 O, 1 I L, U V."""
LENGTH = 8
"""About 39 bits."""
LONGEST = 16
"""In bytes: what comes in place of a token and is no longer than this is meant as a code."""
_MOST_TOKENS = 16
"""How many tokens one code can have been exchanged for; the newest stay."""


@define(eq=False)
class Issued(Generic[S]):
    """A valid code, and the tokens it was exchanged for."""

    public: bytes
    session: S
    until: float
    tokens: list[bytes] = field(factory=list, repr=False)
    """The hashes of tokens that have not been proven."""


class MoveCodes(Generic[S]):
    """The codes that are valid now, each with the session that asked for it."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        """A code is valid for `seconds`."""
        self._seconds = seconds
        self._clock = clock
        self._codes: dict[bytes, Issued[S]] = {}
        """By the hash of the code, oldest first."""
        self._of: dict[bytes, bytes] = {}
        """By public id: the hash of its code."""
        self._by_token: dict[bytes, Issued[S]] = {}
        """By the hash of a token that has not been proven."""

    def issue(self, public: bytes, session: S) -> str:
        """A new code for a session, whose public id is `public`. The code that it had becomes
        void, and so does every token that was given for that one."""
        self._expire()
        self.void(public)
        text = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        key = _hash(text)
        self._codes[key] = Issued(public, session, self._clock() + self._seconds)
        self._of[public] = key
        return f"{text[:4]}-{text[4:]}"

    def use(self, said: bytes, token: bytes) -> S | None:
        """Exchange a code for a token, given by its hash; returns the session that the code
        carries, or None if the code is not valid."""
        self._expire()
        issued = self._codes.get(_hash(clean_move_code(said)))
        if issued is None:
            return None
        if len(issued.tokens) >= _MOST_TOKENS:
            del self._by_token[issued.tokens.pop(0)]
        self._give(issued, token)
        return issued.session

    def whose(self, token: bytes) -> S | None:
        """The session that a token that has not been proven would carry; None if it is not
        valid."""
        self._expire()
        issued = self._by_token.get(token)
        return None if issued is None else issued.session

    def prove(self, token: bytes) -> Issued[S] | None:
        """The device with this token has proven that it has it: no other token of the same
        code is valid any more. None if this one is not valid."""
        self._expire()
        issued = self._by_token.get(token)
        if issued is not None:
            self._take_back(issued)
        return issued

    def unproven(self, issued: Issued[S], token: bytes) -> None:
        """What followed from the proof may not have happened: the token may be proven once
        more, for as long as its code is valid."""
        key = self._of.get(issued.public)
        if key is not None and self._codes[key] is issued:
            self._give(issued, token)

    def void(self, public: bytes) -> None:
        """Void the code of a session, and the tokens given for it."""
        key = self._of.pop(public, None)
        if key is not None:
            self._take_back(self._codes.pop(key))

    def _give(self, issued: Issued[S], token: bytes) -> None:
        issued.tokens.append(token)
        self._by_token[token] = issued

    def _take_back(self, issued: Issued[S]) -> None:
        for token in issued.tokens:
            del self._by_token[token]
        issued.tokens.clear()

    def _expire(self) -> None:
        now = self._clock()
        while self._codes:
            oldest = next(iter(self._codes.values()))
            if oldest.until > now:
                return
            self.void(oldest.public)


def clean_move_code(said: bytes) -> str:
    """A code as it was issued, from what a person typed: case, spaces and hyphens do not
    matter."""
    text = said[:64].decode("ascii", "replace").upper()
    return "".join(letter for letter in text if letter not in " -_.")


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()

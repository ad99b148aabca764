"""What may be known of the miniature now."""

from __future__ import annotations

from attrs import frozen

from engine.entry import View


@frozen
class Person:
    """One player, as everybody sees it."""

    cards: int
    """How many cards are in hand (a sealed one included)."""
    chosen: bool
    """Whether this round's choice is made."""
    hand: tuple[int, ...] | None
    """None while it is hidden."""
    points: int | None
    """None while they are hidden."""


@frozen
class Market(View):
    """The public view."""

    ruleset: str
    round: int
    """1, 2, ..."""
    rounds: int
    lot: int | None
    """The lot chosen for; None after the end."""
    people: tuple[Person, ...]
    """By seat."""
    winners: tuple[int, ...]
    """Empty until the end."""


@frozen
class Hand(View):
    """The private view."""

    cards: tuple[int, ...]
    sealed: tuple[int | None, ...]
    """This round's choice (None: held), empty before it is made."""
    points: int

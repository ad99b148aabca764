"""What one audience sees of a table: the seating, the view of the match, the open prompts.

The parts that the game defines are trees here; `protocol.wire` reads them.
"""

from __future__ import annotations

from attrs import field, frozen

from engine.clock import Absence, Clock
from engine.table.words import Phase
from protocol.codec import Tree


@frozen
class SeatView:
    """A taken seat, as everybody sees it."""

    name: str
    bot: str | None
    """A bot's level; None for a person."""


@frozen
class TableView:
    """What everybody may know of a table besides the game."""

    code: str
    """The table's code: how people find it."""
    game: str
    """Name of the game."""
    rules: int
    """The game's rules number."""
    ruleset: str
    """One of the game's rulesets."""
    options: tuple[str, ...]
    """Names of the options that are on, sorted."""
    phase: Phase
    seats: tuple[SeatView | None, ...]
    """By table seat; None is free."""
    host: int | None
    """Table seat of the host; None if the host is not seated."""
    places: tuple[int, ...]
    """Table seat of each match seat; empty before the start."""
    commitment: bytes
    """Hash of the secret, 32 bytes; empty if the deal is supplied."""
    secret: bytes | None
    """Revealed at the end; None before."""
    nonces: tuple[bytes, ...]
    """By match seat; empty before the end."""
    clock: Clock = field(default=Clock())
    absence: Absence = Absence.DEFAULT
    sitting_in: tuple[str | None, ...] = ()
    """By match seat: the level of the bot that sits in for its owner; empty text: the
    default action is played; None: nobody has to. Empty before the start."""


@frozen
class PromptView:
    """An open prompt."""

    seat: int
    """Match seat."""
    token: int
    """The token that an answer must name."""
    prompt: Tree
    """A member of the game's union of prompts."""


@frozen
class PublicView:
    """What everybody may know."""

    table: TableView
    match: Tree
    """The game's public view; None before a match starts."""
    prompts: tuple[PromptView, ...]
    """Open prompts that are public knowledge, by seat."""
    undo: tuple[int, int] | None
    """(match seat, entry it may go back to); None if nobody can take back. Never a seat that
    somebody plays for."""
    clocks: tuple[int, ...] | None = None
    """Milliseconds left by match seat as of the last entry; None without a clock, and
    before the start. The time of those that are asked something runs."""


@frozen
class PrivateView:
    """What one match seat sees beyond the public view."""

    match: Tree
    """The game's private view of the seat."""
    prompts: tuple[PromptView, ...]
    """Open prompts of the seat that are not public knowledge."""

"""What a player of Ra is asked: each prompt says everything that may be done."""

from __future__ import annotations

from attrs import frozen

from engine.entry import Prompt
from engine.ra.words.pieces import Kind


@frozen
class TurnPrompt(Prompt):
    """A turn: Ra can always be invoked; the rest is said here (A turn)."""

    draw: bool
    """Whether a tile may be drawn."""
    gods: int
    """How many gods can be spent: the smaller of gods held and takeable tiles."""
    takeable: tuple[Kind, ...]
    """Takeable tiles of the auction track, left to right; empty if `gods` is 0."""


@frozen
class BidPrompt(Prompt):
    """A bid to make (An auction)."""

    suns: tuple[int, ...]
    """Suns that may be bid, ascending."""
    may_pass: bool


@frozen
class DiscardPrompt(Prompt):
    """Tiles owed to one kind of disaster, with a choice (Disasters)."""

    disaster: Kind
    """UNREST or EARTHQUAKE."""
    count: int
    """How many tiles must go."""
    held: tuple[tuple[Kind, int], ...]
    """Kinds to choose from, in order, with how many of each are held."""


PROMPTS: dict[int, type[Prompt]] = {32: TurnPrompt, 33: BidPrompt, 34: DiscardPrompt}

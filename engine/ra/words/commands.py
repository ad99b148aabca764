"""What a player of Ra may do (rules, A turn; An auction; Disasters)."""

from __future__ import annotations

from attrs import frozen

from engine.entry import Command
from engine.ra.words.pieces import Kind


@frozen
class Draw(Command):
    """Draw one tile from the bag (A turn, 1)."""


@frozen
class InvokeRa(Command):
    """Start an auction as the Ra player (A turn, 2)."""


@frozen
class SpendGods(Command):
    """Give up as many gods as tiles are taken from the auction track (A turn, 3)."""

    take: tuple[Kind, ...]
    """Kinds taken, one for each god spent; of equal tiles the furthest left goes first."""


@frozen
class Bid(Command):
    """Bid one face-up sun (An auction)."""

    sun: int


@frozen
class Pass(Command):
    """Bid nothing (An auction)."""


@frozen
class Discard(Command):
    """Give up the tiles owed to one kind of disaster (Disasters)."""

    give: tuple[Kind, ...]


COMMANDS: dict[int, type[Command]] = {
    32: Draw,
    33: InvokeRa,
    34: SpendGods,
    35: Bid,
    36: Pass,
    37: Discard,
}

"""What may be known of a game of Ra now (rules, What a player may see)."""

from __future__ import annotations

from attrs import frozen

from engine.entry import View
from engine.ra.words.happenings import Reason, Sheet
from engine.ra.words.pieces import Kind


@frozen
class Hidden(View):
    """What a player alone sees of itself until the end: the private view.

    With open information, and after the end, it is public too.
    """

    points: int
    down: tuple[int, ...]
    """Face-down suns, ascending."""
    sheets: tuple[Sheet, ...]
    """One for each epoch scored so far."""


@frozen
class Player:
    """One player, as everybody sees it."""

    tiles: tuple[int, ...]
    """Tiles held, by `Kind` up to SPHINX: 19 counts."""
    up: tuple[int, ...]
    """Face-up suns, ascending; none: out until the epoch ends."""
    down: int
    """How many suns lie face down."""
    hidden: Hidden | None
    """None while hidden."""


@frozen
class Auction:
    """The auction under way."""

    seat: int
    """The Ra player."""
    reason: Reason
    bids: tuple[int | None, ...]
    """By seat: the sun bid, 0 for a pass, None for not asked (yet, or at all)."""


@frozen
class Board(View):
    """The public view."""

    ruleset: str
    epoch: int
    """1 to 3."""
    ra: int
    """Ra tiles on the Ra track."""
    ra_spaces: int
    """Length of the Ra track."""
    track: tuple[Kind, ...]
    """The auction track, left to right: at most 8 tiles, the newest last."""
    sun: int
    """The sun on the board."""
    bag: int
    """Tiles left in the bag."""
    turn: int | None
    """The seat whose turn it is (in an auction: the Ra player's); None after the end."""
    auction: Auction | None
    players: tuple[Player, ...]
    """By seat."""
    gone: tuple[int, ...]
    """Tiles that have left the game, by `Kind`: 23 counts."""
    winners: tuple[int, ...]
    """Winning seats; empty until the end."""

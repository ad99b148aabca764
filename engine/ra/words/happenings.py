"""What happens in a game of Ra, as players may know it.

Events without secrets are their own happenings. The few that hold a secret are in
`engine/ra/events.py` and show one of these.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from attrs import frozen

from engine.entry import Happening, PublicEvent
from engine.ra.words.pieces import Kind


class Reason(IntEnum):
    """Why an auction takes place (A turn)."""

    DRAWN = 1
    INVOKED = 2
    FORCED = 3


class EpochEnd(IntEnum):
    """Why an epoch ends (The end of an epoch)."""

    RA_TRACK = 1
    """The last space of the Ra track was filled."""
    SUNS_SPENT = 2
    """No player has a face-up sun left."""


@frozen
class Sheet:
    """One player's scoring of one epoch, line by line (Scoring, each epoch)."""

    epoch: int
    god: int
    gold: int
    pharaoh: int
    nile: int
    """Niles and floods."""
    civilization: int
    monument_types: int
    """0 before the third epoch, like the next two."""
    monument_alike: int
    suns: int
    total: int
    """The player's points after this epoch, never below 0."""

    @property
    def change(self) -> int:
        """The lines' sum: the net change before the total is floored at 0."""
        return (
            self.god
            + self.gold
            + self.pharaoh
            + self.nile
            + self.civilization
            + self.monument_types
            + self.monument_alike
            + self.suns
        )


@frozen
class EpochBegan(PublicEvent):
    epoch: int
    seat: int
    """The holder of the highest sun, who has the first turn."""


@frozen
class TileDrawn(PublicEvent):
    """A tile came out of the bag and went to its track."""

    reveals: ClassVar[bool] = True
    seat: int
    tile: Kind


@frozen
class AuctionBegan(PublicEvent):
    seat: int
    """The Ra player."""
    reason: Reason


@frozen
class SunBid(PublicEvent):
    seat: int
    sun: int


@frozen
class Passed(PublicEvent):
    seat: int


@frozen
class AuctionWon(PublicEvent):
    seat: int
    paid: int
    """The sun bid, now on the board."""
    taken: int
    """The sun taken from the board, now face down in front of the winner."""
    tiles: tuple[Kind, ...]
    """The whole auction track, left to right."""


@frozen
class AuctionLapsed(PublicEvent):
    """Nobody bid."""

    seat: int
    """The Ra player."""
    discarded: tuple[Kind, ...]
    """Tiles that left the game: the whole track (forced), or none."""


@frozen
class GodsSpent(PublicEvent):
    seat: int
    taken: tuple[Kind, ...]
    """Tiles taken from the auction track, in the order named; as many gods left."""


@frozen
class TilesLost(PublicEvent):
    """Tiles given up to one kind of disaster, by choice or because all had to go."""

    seat: int
    disaster: Kind
    tiles: tuple[Kind, ...]


@frozen
class EpochEnded(PublicEvent):
    epoch: int
    reason: EpochEnd


@frozen
class SheetShown(Happening):
    """A player's own sheet of the epoch just scored (to that player alone)."""

    seat: int
    sheet: Sheet


@frozen
class SheetsShown(Happening):
    """All sheets of the epoch just scored, by seat (open information)."""

    sheets: tuple[Sheet, ...]


@frozen
class GameEnded(PublicEvent):
    """The third epoch is scored; everything hidden is shown."""

    reveals: ClassVar[bool] = True
    points: tuple[int, ...]
    winners: tuple[int, ...]
    sheets: tuple[tuple[Sheet, ...], ...]
    """By seat, then by epoch."""


HAPPENINGS: dict[int, type[Happening]] = {
    32: EpochBegan,
    33: TileDrawn,
    34: AuctionBegan,
    35: SunBid,
    36: Passed,
    37: AuctionWon,
    38: AuctionLapsed,
    39: GodsSpent,
    40: TilesLost,
    41: EpochEnded,
    42: SheetShown,
    43: SheetsShown,
    44: GameEnded,
}

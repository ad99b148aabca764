"""Why a command of Ra is refused, besides the kernel's own reasons."""

from __future__ import annotations

from enum import StrEnum


class RaRefusal(StrEnum):
    """A code of `IllegalAction`; each says which facts come with it."""

    TRACK_FULL = "track_full"
    """No tile is drawn while the auction track is full (A turn, 1). Facts: spaces."""
    NO_TILE_NAMED = "no_tile_named"
    """Gods are spent for at least one tile (A turn, 3)."""
    TOO_FEW_GODS = "too_few_gods"
    """More tiles named than gods can be spent (A turn, 3). Facts: named, gods."""
    NOT_TAKEABLE = "not_takeable"
    """The auction track does not have that many of a kind, or it is a god, which gods do not take
    (A turn, 3). Facts: tile (number of the kind), named, takeable."""
    NOT_YOUR_SUN = "not_your_sun"
    """The sun does not lie face up in front of the bidder (An auction). Facts: sun."""
    SUN_TOO_LOW = "sun_too_low"
    """The sun is not higher than the highest bid (An auction). Facts: sun, highest."""
    MUST_BID = "must_bid"
    """A player who invoked Ra must bid if nobody else did (An auction)."""
    WRONG_COUNT = "wrong_count"
    """Not as many tiles as are owed (Disasters). Facts: given, count."""
    NOT_HELD = "not_held"
    """A kind that the disaster does not take, or more of it than is held (Disasters). Facts: tile
    (number of the kind), given, held."""
    NOT_A_TILE = "not_a_tile"
    """Something else is given where kinds of tiles must be named."""

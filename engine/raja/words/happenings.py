"""What happens in a game of Raja, as players may know it.

Events without secrets are their own happenings. The one that holds a secret is in
`engine/raja/events.py` and shows one of these.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from engine.entry import Happening, PublicEvent
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site


@frozen
class MatchBegan(PublicEvent):
    """What chance decided; it comes with the first command (Set-up, 1)."""

    track: tuple[Place, ...]
    """Coats of arms, the lowest first."""
    first: int
    """The seat that takes a character first."""


@frozen
class CharacterTaken(PublicEvent):
    seat: int
    character: Character


@frozen
class HouseFounded(PublicEvent):
    seat: int
    village: Place


@frozen
class SupplyFilled(PublicEvent):
    """Founding is over."""

    count: int
    """Houses that every player moved from the quarry to the supply."""


@frozen
class RoundBegan(PublicEvent):
    """The Maharaja moved, and the lowest coat went to the top (A round, 1)."""

    round: int
    city: Place


@frozen
class SeatChose(Happening):
    """A seat has chosen its actions; which, nobody else knows yet."""

    seat: int


@frozen
class OwnActions(Happening):
    """What the seat itself chose."""

    actions: tuple[Action, ...]
    """The two in the order of the table, then the chit's if any."""


@frozen
class TurnBegan(PublicEvent):
    """A turn began: its actions are revealed and open (A turn)."""

    reveals: ClassVar[bool] = True
    seat: int
    actions: tuple[Action, ...]
    """The two in the order of the table, then the chit's if any."""


@frozen
class TraderPaid(PublicEvent):
    """The trader gave 1 gold."""

    seat: int


@frozen
class Travelled(PublicEvent):
    seat: int
    origin: Place
    place: Place
    paid: tuple[int, ...]
    """Gold to each owner, by seat."""
    bank: bool
    """Whether the bank paid it (the monk)."""


@frozen
class GoldTaken(PublicEvent):
    """2 gold from the bank."""

    seat: int


@frozen
class HousesTaken(PublicEvent):
    """Houses went from the quarry to the supply."""

    seat: int
    count: int


@frozen
class HouseBuilt(PublicEvent):
    seat: int
    action: Action
    place: Place
    price: int


@frozen
class HouseMoved(PublicEvent):
    seat: int
    action: Action
    origin: Place
    place: Place


@frozen
class PalaceBuilt(PublicEvent):
    seat: int
    action: Action
    city: Place
    site: Site
    price: int


@frozen
class GovernorMoved(PublicEvent):
    """A coat of arms went two places down."""

    seat: int
    city: Place


@frozen
class CharacterSwapped(PublicEvent):
    seat: int
    give: Character
    take: Character
    robbed: int | None
    """The seat it was taken from; None: the display."""


@frozen
class ActionFailed(PublicEvent):
    """An action was still open at the end of the turn: every other player got 2 gold."""

    seat: int
    action: Action


@frozen
class TurnEnded(PublicEvent):
    seat: int


@frozen
class CityScored(PublicEvent):
    """The city of the Maharaja was scored (Scoring a city)."""

    city: Place
    points: tuple[int, ...]
    """By seat, like `gold`."""
    gold: tuple[int, ...]
    """What the bank paid."""


@frozen
class GameEnded(PublicEvent):
    """The last round is scored; everything hidden is shown (The end)."""

    reveals: ClassVar[bool] = True
    palaces: tuple[int, ...]
    """Palaces built, by seat."""
    gold: tuple[int, ...]
    """By seat."""
    winner: int


HAPPENINGS: dict[int, type[Happening]] = {
    32: MatchBegan,
    33: CharacterTaken,
    34: HouseFounded,
    35: SupplyFilled,
    36: RoundBegan,
    37: SeatChose,
    38: OwnActions,
    39: TurnBegan,
    40: TraderPaid,
    41: Travelled,
    42: GoldTaken,
    43: HousesTaken,
    44: HouseBuilt,
    45: HouseMoved,
    46: PalaceBuilt,
    47: GovernorMoved,
    48: CharacterSwapped,
    49: ActionFailed,
    50: TurnEnded,
    51: CityScored,
    52: GameEnded,
}

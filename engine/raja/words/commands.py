"""What a player of Raja may do (rules, Prompts and commands)."""

from __future__ import annotations

from attrs import frozen

from engine.entry import Command
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site


@frozen
class TakeCharacter(Command):
    """Take a character of the display (Set-up, 3; A turn, Swap)."""

    character: Character


@frozen
class FoundHouse(Command):
    """Put a house from the quarry into a village (Set-up, 4)."""

    village: Place


@frozen
class ChooseActions(Command):
    """Choose the actions of this round in secret (A round, 2)."""

    actions: tuple[Action, ...]
    """Two; their order means nothing."""
    chit: Action | None = None
    """A third, of whoever holds the yogi."""


@frozen
class Travel(Command):
    """Go along one road (A turn, Travel)."""

    place: Place
    """The road's other end."""


@frozen
class TakeGold(Command):
    """Take gold from the bank (A turn)."""


@frozen
class TakeHouses(Command):
    """Move houses from the quarry to the supply (A turn)."""


@frozen
class BuildHouse(Command):
    """Build a house (A turn, Build a house)."""

    action: Action
    """The open action whose part it is, or BUILDER."""
    place: Place


@frozen
class MoveHouse(Command):
    """Move an own house (A turn, Move a house)."""

    action: Action
    """The open action whose part it is, or BUILDER."""
    origin: Place
    place: Place
    """Where it goes."""


@frozen
class BuildPalace(Command):
    """Build a palace in the city where one's architect stands (A turn, Build a palace)."""

    action: Action
    site: Site


@frozen
class MoveGovernor(Command):
    """Move a coat of arms two places down (A turn, Move a coat)."""

    city: Place


@frozen
class SwapCharacter(Command):
    """Give a character and take another (A turn, Swap)."""

    give: Character
    take: Character


@frozen
class EndTurn(Command):
    """End one's turn; actions still open fail (A turn)."""


COMMANDS: dict[int, type[Command]] = {
    32: TakeCharacter,
    33: FoundHouse,
    34: ChooseActions,
    35: Travel,
    36: TakeGold,
    37: TakeHouses,
    38: BuildHouse,
    39: MoveHouse,
    40: BuildPalace,
    41: MoveGovernor,
    42: SwapCharacter,
    43: EndTurn,
}

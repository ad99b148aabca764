"""What a player of Raja is asked: each prompt says everything that may be done."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from engine.entry import Prompt
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site


@frozen
class CharacterPrompt(Prompt):
    """A character to take while setting up (Set-up, 3)."""

    take: tuple[Character, ...]
    """The display, by number."""


@frozen
class ReplacementPrompt(Prompt):
    """A character to take, asked of a player who was robbed (A turn, Swap)."""

    take: tuple[Character, ...]
    """The display, by number."""


@frozen
class FoundPrompt(Prompt):
    """A house to found (Set-up, 4)."""

    villages: tuple[Place, ...]
    """Villages with space, in order."""


@frozen
class ChoosePrompt(Prompt):
    """Actions to choose for this round: any two of the nine (A round, 2)."""

    chit: bool
    """Whether a chit may be added."""


@frozen
class Fare:
    """A road that can be taken now."""

    place: Place
    """Its other end."""
    gold: int
    """What this player pays."""


@frozen
class TurnPrompt(Prompt):
    """A turn: its end is always allowed; the rest is said here (A turn). It tells what its owner
    can pay, so it is for that owner alone.

    A house is built in any place of `space` by the actions in `house`, and in `city` alone by those
    in `city_house`. A house is moved from any place of `own` to any other of `space` by the
    actions in `move`. A palace is built on any of `sites` by those in `palace`. Any character of
    `give` is swapped for any of `take`. Where nothing can be done, the fields are empty.
    """

    public: ClassVar[bool] = False
    travel: tuple[Fare, ...]
    """Roads that can be taken and paid, in the order of their other ends."""
    gold: bool
    quarry: bool
    space: tuple[Place, ...]
    """Places for a house, in order: the villages with space, and the city of one's architect.
    Empty if no house can be built or moved."""
    city: Place | None
    """The city of one's architect; None in the camp, or if no house can be built or moved."""
    house: tuple[Action, ...]
    """In the order of `Action`, as everywhere here."""
    city_house: tuple[Action, ...]
    move: tuple[Action, ...]
    own: tuple[Place, ...]
    """Places with an own house, in order; empty if no house can be moved."""
    palace: tuple[Action, ...]
    sites: tuple[Site, ...]
    governor: tuple[Place, ...]
    """Coats that can be moved, in order."""
    give: tuple[Character, ...]
    """By number, as in `take`."""
    take: tuple[Character, ...]


PROMPTS: dict[int, type[Prompt]] = {
    32: CharacterPrompt,
    33: ReplacementPrompt,
    34: FoundPrompt,
    35: ChoosePrompt,
    36: TurnPrompt,
}

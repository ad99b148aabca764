"""What may be known of a game of Raja now (rules, What a player may see)."""

from __future__ import annotations

from enum import IntEnum

from attrs import frozen

from engine.entry import View
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Part


class RajaPhase(IntEnum):
    """What the open prompts are about."""

    CHARACTERS = 0
    FOUNDING = 1
    CHOOSING = 2
    TURN = 3
    REPLACEMENT = 4
    """A turn, interrupted: a robbed player takes a character."""
    OVER = 5


@frozen
class Hidden(View):
    """What a player alone sees of itself: the private view."""

    gold: int
    actions: tuple[Action, ...]
    """Chosen for this round: the two in the order of the table, then the chit's if any. Empty
    before they are chosen."""
    seat: int
    """Which seat that is: while all choose at once, nothing else says so."""


@frozen
class Player:
    """One player, as everybody sees it."""

    characters: tuple[Character, ...]
    """By number."""
    architect: Place
    supply: int
    quarry: int
    palaces: int
    """Palaces left to build."""
    gold: int | None
    """None while hidden."""
    chosen: bool
    """Whether the actions of this round are chosen."""
    actions: tuple[Action, ...]
    """The actions of this round once the turn has begun, as in `Hidden`; empty before."""
    acted: bool
    """Whether this round's turn is over."""


@frozen
class OpenAction:
    """An action that is not closed yet."""

    action: Action
    parts: tuple[Part, ...]
    """What is left of it."""


@frozen
class Turn:
    """The turn under way."""

    seat: int
    open: tuple[OpenAction, ...]
    """In the order in which they were revealed."""
    roads: int
    """Roads taken in this turn."""
    builder: bool
    """Whether the builder's free house is used."""
    trader: bool
    """Whether the trader's gold is paid."""


@frozen
class Palaces:
    """The palaces of one city."""

    central: int | None
    """The owner's seat."""
    outer: tuple[int, ...]
    """The owners' seats, ascending."""


@frozen
class Board(View):
    """The public view."""

    ruleset: str
    phase: RajaPhase
    round: int
    """0 before the first."""
    last_round: int
    first: int
    """The seat that takes a character first."""
    space: int
    """Houses that a village has space for."""
    maharaja: Place
    track: tuple[Place, ...]
    """Coats of arms, the lowest first."""
    display: tuple[Character, ...]
    """By number."""
    players: tuple[Player, ...]
    """By seat."""
    houses: tuple[tuple[int, ...], ...]
    """By `Place`: the owners' seats, ascending, one for each house."""
    palaces: tuple[Palaces, ...]
    """By `Place` up to UDAIPUR; the camp's are empty."""
    turn: Turn | None
    """None outside turns."""
    winners: tuple[int, ...]
    """Empty until the end."""

"""The state of a game of Ra, and the few moves of pieces that the rules are made of.

It has one owner and is advanced in place by `evolve` alone. Every field holds an int or something
immutable, so that a copy shares all it can and costs little. Does not know commands or events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TypeVar

from attrs import field, frozen

from engine.ra.rulesets import Ruleset
from engine.ra.words.happenings import Reason, Sheet
from engine.ra.words.pieces import BOARD_SUN, HELD, RA_SPACES, START_POINTS, Kind

T = TypeVar("T")

NO_TILES: tuple[int, ...] = (0,) * HELD.stop
"""Tiles of a player without any, by `Kind`."""
NONE_OWED = (0, 0, 0, 0)


class RaPhase(IntEnum):
    """What the open prompt is about."""

    TURN = 0
    AUCTION = 1
    DISASTERS = 2
    OVER = 3


@frozen
class Terms:
    """What never changes during a match."""

    ruleset: Ruleset
    seats: int
    ra_spaces: int
    """Length of the Ra track."""
    after: tuple[tuple[int, ...], ...]
    """By seat: all seats clockwise from the next one, ending with the seat itself."""
    open_information: bool
    answer_passes: bool
    """Whether the engine answers for a bidder who can only pass."""
    bag: tuple[Kind, ...] = field(repr=False)
    """The 180 tiles in the order of drawing: a secret."""

    @classmethod
    def agree(
        cls, ruleset: Ruleset, seats: int, bag: tuple[Kind, ...], options: Iterable[str]
    ) -> Terms:
        """The terms for `seats` players with the `options` (by name) that are on."""
        return cls(
            ruleset=ruleset,
            seats=seats,
            ra_spaces=RA_SPACES[seats],
            after=tuple(
                tuple((seat + step) % seats for step in range(1, seats + 1))
                for seat in range(seats)
            ),
            open_information="open-information" in options,
            answer_passes="answer-passes" in options,
            bag=bag,
        )


class RaState:
    """Everything about a match that changes."""

    __slots__ = (
        "asked",
        "bids",
        "down",
        "drawn",
        "epoch",
        "gone",
        "highest",
        "leader",
        "owed",
        "phase",
        "points",
        "ra",
        "reason",
        "sheets",
        "sun",
        "terms",
        "tiles",
        "track",
        "turn",
        "up",
        "winners",
    )

    def __init__(self, terms: Terms, sets: Iterable[Iterable[int]]) -> None:
        """The start of a match: `sets` is the set of suns of each seat."""
        seats = terms.seats
        self.terms = terms
        self.phase = RaPhase.TURN
        self.epoch = 1
        self.drawn = 0
        """How many tiles were drawn from the bag."""
        self.ra = 0
        """Ra tiles on the Ra track."""
        self.track: tuple[Kind, ...] = ()
        """The auction track, left to right."""
        self.sun = BOARD_SUN
        """The sun on the board."""
        self.up: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(suns)) for suns in sets)
        """Face-up suns by seat, ascending."""
        self.down: tuple[tuple[int, ...], ...] = ((),) * seats
        """Face-down suns by seat, ascending."""
        self.tiles: tuple[tuple[int, ...], ...] = (NO_TILES,) * seats
        """By seat: how many of each kind the player holds, by `Kind` up to SPHINX."""
        self.gone: tuple[int, ...] = (0,) * len(Kind)
        """How many of each kind have left the game."""
        self.points: tuple[int, ...] = (START_POINTS,) * seats
        self.sheets: tuple[tuple[Sheet, ...], ...] = ((),) * seats
        """By seat: the sheets of the epochs scored so far."""
        self.turn = self.holder_of_highest_sun()
        """Whose turn it is; in an auction the Ra player."""
        self.asked: int | None = self.turn
        """Whose prompt is open; None while a cascade goes on, and after the end."""
        self.reason: Reason | None = None
        """Why the auction under way takes place; None if there is none."""
        self.bids: tuple[int | None, ...] = ()
        """In an auction, by seat: the sun bid, 0 for a pass, None for not asked."""
        self.highest = 0
        """The highest bid so far; 0 for none."""
        self.leader: int | None = None
        """Who bid it."""
        self.owed: tuple[int, ...] = NONE_OWED
        """Disaster tiles to be resolved by `asked`: funerals, droughts, unrests,
        earthquakes."""
        self.winners: tuple[int, ...] = ()
        """Empty until the end."""

    def copy(self) -> RaState:
        """An independent state; written out field by field, because every action makes one."""
        new = RaState.__new__(RaState)
        new.terms = self.terms
        new.phase = self.phase
        new.epoch = self.epoch
        new.drawn = self.drawn
        new.ra = self.ra
        new.track = self.track
        new.sun = self.sun
        new.up = self.up
        new.down = self.down
        new.tiles = self.tiles
        new.gone = self.gone
        new.points = self.points
        new.sheets = self.sheets
        new.turn = self.turn
        new.asked = self.asked
        new.reason = self.reason
        new.bids = self.bids
        new.highest = self.highest
        new.leader = self.leader
        new.owed = self.owed
        new.winners = self.winners
        return new

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in RaState.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def holder_of_highest_sun(self) -> int:
        """The seat with the highest face-up sun, who starts an epoch (A turn)."""
        return max(range(self.terms.seats), key=lambda seat: max(self.up[seat], default=0))

    def next_with_sun(self, seat: int) -> int | None:
        """The next player clockwise from `seat` with a face-up sun (a player without one is out, A
        turn). That may be `seat` again; None if all are out."""
        up = self.up
        for other in self.terms.after[seat]:
            if up[other]:
                return other
        return None

    def pass_turn(self) -> None:
        """The turn goes clockwise (A turn); if all are out nobody is asked, and the
        epoch is about to end."""
        self.phase = RaPhase.TURN
        self.asked = seat = self.next_with_sun(self.turn)
        if seat is not None:
            self.turn = seat

    def ask_next_bidder(self, seat: int) -> None:
        """The next player after `seat` is asked for a bid; nobody after the Ra player,
        who is always the last (An auction)."""
        self.asked = None if seat == self.turn else self.next_with_sun(seat)

    def receive(self, seat: int, tiles: tuple[Kind, ...]) -> None:
        """Tiles of the auction track come to `seat`; disasters leave the game and are
        owed, or the turn passes if there are none (Disasters)."""
        held = list(self.tiles[seat])
        owed = None
        for tile in tiles:
            if tile < Kind.FUNERAL:
                held[tile] += 1
            else:
                owed = owed or [0, 0, 0, 0]
                owed[tile - Kind.FUNERAL] += 1
        self.tiles = replaced(self.tiles, seat, tuple(held))
        if owed is None:
            self.pass_turn()
            return
        self.leave_game([tile for tile in tiles if tile >= Kind.FUNERAL])
        self.owed = tuple(owed)
        self.phase = RaPhase.DISASTERS
        self.asked = seat

    def give_up(self, seat: int, tiles: Sequence[Kind]) -> None:
        """Tiles held by `seat` leave the game."""
        held = list(self.tiles[seat])
        for tile in tiles:
            held[tile] -= 1
        self.tiles = replaced(self.tiles, seat, tuple(held))
        self.leave_game(tiles)

    def leave_game(self, tiles: Iterable[Kind]) -> None:
        """Tiles that nobody holds any more leave the game."""
        gone = list(self.gone)
        for tile in tiles:
            gone[tile] += 1
        self.gone = tuple(gone)


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """`items` with another item at `index`."""
    return (*items[:index], item, *items[index + 1 :])

"""The state of a game of Raja, and the few moves of pieces that the rules are made of.

It has one owner and is advanced in place by `evolve` alone. Every field holds an int or something
immutable, so that a copy shares all it can and costs little. Does not know commands or events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from attrs import frozen

from engine.raja.rulesets import Ruleset
from engine.raja.words.map import CITIES, VILLAGES, Place
from engine.raja.words.pieces import FOUNDED, HOUSES, START_GOLD, Action, Character, Part
from engine.raja.words.views import RajaPhase

T = TypeVar("T")

Open = tuple[Action, tuple[Part, ...]]
"""An open action with the parts left of it."""

_CITIES = len(CITIES) + 1
"""Places before the villages: the cities and the camp."""


@frozen
class Terms:
    """What never changes during a match."""

    ruleset: Ruleset
    seats: int
    first: int
    """The seat that takes a character first."""
    space: int
    """Houses that a village has space for (The map)."""
    picks: tuple[int, ...]
    """The seats that take a character while setting up, one after the other."""
    open_information: bool

    @classmethod
    def agree(cls, ruleset: Ruleset, seats: int, first: int, options: Iterable[str]) -> Terms:
        """The terms for `seats` players with the `options` (by name) that are on."""
        order = tuple((first + step) % seats for step in range(seats))
        return cls(
            ruleset=ruleset,
            seats=seats,
            first=first,
            space=1 if seats == 2 else 2,
            picks=tuple(
                seat for time in range(ruleset.held) for seat in order[:: -1 if time % 2 else 1]
            ),
            open_information="open-information" in options,
        )


class RajaState:
    """Everything about a match that changes."""

    __slots__ = (
        "acted",
        "architects",
        "asked",
        "builder",
        "built",
        "central",
        "characters",
        "chosen",
        "display",
        "gold",
        "houses",
        "maharaja",
        "open",
        "outer",
        "phase",
        "quarry",
        "roads",
        "round",
        "space",
        "supply",
        "terms",
        "track",
        "trader",
        "turn",
        "winner",
    )

    def __init__(self, terms: Terms, track: tuple[Place, ...]) -> None:
        """The start of a match, with the coats of arms in the order of `track`."""
        seats = terms.seats
        self.terms = terms
        self.phase = RajaPhase.CHARACTERS
        self.round = 0
        self.asked: int | None = terms.first
        """Whose prompt is open; None while choosing, while a cascade goes on, and after the end."""
        self.maharaja = Place.CAMP
        self.track = track
        """Coats of arms, the lowest first."""
        self.display: tuple[Character, ...] = tuple(
            character for character in Character if character <= terms.ruleset.characters
        )
        """By number."""
        self.characters: tuple[tuple[Character, ...], ...] = ((),) * seats
        """By seat, by number."""
        self.gold: tuple[int, ...] = (START_GOLD,) * seats
        self.supply: tuple[int, ...] = (0,) * seats
        self.quarry: tuple[int, ...] = (HOUSES,) * seats
        self.architects: tuple[Place, ...] = (Place.CAMP,) * seats
        self.houses: tuple[tuple[int, ...], ...] = ((),) * len(Place)
        """By `Place`: the owners' seats, ascending, one for each house."""
        self.space: tuple[Place, ...] = VILLAGES
        """The villages with space, in order: what `houses` says, kept because every prompt of a
        turn needs it."""
        self.central: tuple[int | None, ...] = (None,) * _CITIES
        """By `Place` up to UDAIPUR: the owner of the central palace."""
        self.outer: tuple[tuple[int, ...], ...] = ((),) * _CITIES
        """By `Place` up to UDAIPUR: the owners of the outer palaces, ascending."""
        self.built: tuple[int, ...] = (0,) * seats
        """Palaces built, by seat."""
        self.chosen: tuple[tuple[Action, ...], ...] = ((),) * seats
        """By seat: the actions of this round, the two in the order of the table, then the chit's;
        empty before they are chosen. A secret until the seat's turn."""
        self.acted: tuple[bool, ...] = (False,) * seats
        """Whether this round's turn is over, by seat."""
        self.turn: int | None = None
        """Whose turn it is; None outside turns."""
        self.open: tuple[Open, ...] = ()
        """The open actions of the turn, in the order in which they were revealed."""
        self.roads = 0
        """Roads taken in the turn."""
        self.builder = False
        """Whether the builder's free house is used in the turn."""
        self.trader = False
        """Whether the trader's gold is paid in the turn."""
        self.winner: int | None = None
        """None until the end."""

    def copy(self) -> RajaState:
        """An independent state; written out field by field, because every action makes one."""
        new = RajaState.__new__(RajaState)
        new.terms = self.terms
        new.phase = self.phase
        new.round = self.round
        new.asked = self.asked
        new.maharaja = self.maharaja
        new.track = self.track
        new.display = self.display
        new.characters = self.characters
        new.gold = self.gold
        new.supply = self.supply
        new.quarry = self.quarry
        new.architects = self.architects
        new.houses = self.houses
        new.space = self.space
        new.central = self.central
        new.outer = self.outer
        new.built = self.built
        new.chosen = self.chosen
        new.acted = self.acted
        new.turn = self.turn
        new.open = self.open
        new.roads = self.roads
        new.builder = self.builder
        new.trader = self.trader
        new.winner = self.winner
        return new

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in RajaState.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def ranked(self) -> list[int]:
        """All seats, the best rank first (Components)."""
        return sorted(range(self.terms.seats), key=lambda seat: self.characters[seat][0])

    def founder(self) -> int | None:
        """The seat that founds next, in order of rank; None when founding ends (Set-up, 4)."""
        seats = self.terms.seats
        founded = HOUSES * seats - sum(self.quarry)
        return None if founded == FOUNDED * seats else self.ranked()[founded % seats]

    def picker(self) -> int | None:
        """The seat that takes a character next while setting up; None when all have (Set-up, 3)."""
        taken = sum([len(held) for held in self.characters])
        return self.terms.picks[taken] if taken < len(self.terms.picks) else None

    def close_part(self, action: Action, *parts: Part, left: Part | None = None) -> None:
        """Do any of `parts` of the first open action of that name that has one; if `left` is given,
        it takes the place of all parts left of that action. An action without parts left is
        closed."""
        open_actions = list(self.open)
        (at, part), *_ = [
            (at, part)
            for at, (name, now) in enumerate(open_actions)
            if name is action
            for part in parts
            if part in now
        ]
        rest = list(open_actions[at][1])
        rest.remove(part)
        if rest:
            open_actions[at] = (action, tuple(rest) if left is None else (left,))
        else:
            del open_actions[at]
        self.open = tuple(open_actions)

    def add_house(self, seat: int, place: Place) -> None:
        """A house of `seat` comes to `place`."""
        owners = tuple(sorted((*self.houses[place], seat)))
        self.houses = replaced(self.houses, place, owners)
        if place >= Place.V01 and len(owners) == self.terms.space:
            self.space = tuple([village for village in self.space if village is not place])

    def remove_house(self, seat: int, place: Place) -> None:
        """A house of `seat` leaves `place`."""
        owners = list(self.houses[place])
        owners.remove(seat)
        self.houses = replaced(self.houses, place, tuple(owners))
        if place >= Place.V01 and place not in self.space:
            self.space = tuple(sorted((*self.space, place)))

    def pay(self, seat: int, gold: int) -> None:
        """`seat` gets `gold`; it pays if that is negative."""
        self.gold = replaced(self.gold, seat, self.gold[seat] + gold)

    def take_character(self, seat: int, character: Character) -> None:
        """`seat` takes a character of the display."""
        self.display = without(self.display, character)
        self.hold(seat, character)

    def hold(self, seat: int, character: Character) -> None:
        """`seat` holds one character more."""
        held = tuple(sorted((*self.characters[seat], character)))
        self.characters = replaced(self.characters, seat, held)

    def lose(self, seat: int, character: Character) -> None:
        """`seat` holds `character` no more."""
        held = without(self.characters[seat], character)
        self.characters = replaced(self.characters, seat, held)


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """`items` with another item at `index`."""
    return (*items[:index], item, *items[index + 1 :])


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`items` without `item`, which is there once."""
    return tuple([other for other in items if other is not item])

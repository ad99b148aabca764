"""A position as a bot thinks of it: the board, with a guess for what is hidden, changed in place.

It carries out what the rules allow without checking it, and without events.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.raja.bots.fares import ROAD_BETWEEN, Ways, ways
from engine.raja.rulesets import RULESETS
from engine.raja.scoring import CENTRAL_POINTS, PAY
from engine.raja.words.map import Place
from engine.raja.words.pieces import (
    ARTISAN_PRICE,
    CONSOLATION,
    DOWN,
    PALACE_PRICE,
    Character,
)
from engine.raja.words.views import Board

_CITIES = int(Place.V01)


class Position:
    """What a plan needs to know. Lists by seat, or by `Place` up to UDAIPUR."""

    __slots__ = (
        "acted",
        "architects",
        "built",
        "central",
        "characters",
        "display",
        "gold",
        "houses",
        "last_round",
        "maharaja",
        "outer",
        "palaces",
        "quarry",
        "round",
        "seats",
        "space",
        "supply",
        "track",
        "villages",
    )

    def __init__(self, board: Board, gold: Sequence[int]) -> None:
        """`gold`: what each seat is thought to have."""
        ruleset = RULESETS[board.ruleset]
        players = board.players
        self.seats = len(players)
        self.palaces = ruleset.palaces
        self.last_round = ruleset.last_round
        self.round = board.round
        self.space = board.space
        self.maharaja = int(board.maharaja)
        self.track: list[int] = [int(city) for city in board.track]
        self.display: tuple[Character, ...] = board.display
        self.characters: list[tuple[Character, ...]] = [each.characters for each in players]
        self.gold: list[int] = list(gold)
        self.supply = [each.supply for each in players]
        self.quarry = [each.quarry for each in players]
        self.architects: list[int] = [int(each.architect) for each in players]
        self.built = [self.palaces - each.palaces for each in players]
        self.acted = [each.acted for each in players]
        self.houses: list[tuple[int, ...]] = list(board.houses[:_CITIES])
        self.villages = tuple(board.houses[_CITIES:])
        self.central: list[int | None] = [each.central for each in board.palaces]
        self.outer: list[tuple[int, ...]] = [each.outer for each in board.palaces]

    def copy(self) -> Position:
        """An independent position."""
        new = Position.__new__(Position)
        new.seats = self.seats
        new.palaces = self.palaces
        new.last_round = self.last_round
        new.round = self.round
        new.space = self.space
        new.maharaja = self.maharaja
        new.track = self.track[:]
        new.display = self.display
        new.characters = self.characters[:]
        new.gold = self.gold[:]
        new.supply = self.supply[:]
        new.quarry = self.quarry[:]
        new.architects = self.architects[:]
        new.built = self.built[:]
        new.acted = self.acted[:]
        new.houses = self.houses[:]
        new.villages = self.villages
        new.central = self.central[:]
        new.outer = self.outer[:]
        return new

    def ways(self, seat: int) -> Ways:
        """The ways of the architect of `seat`."""
        free = Character.MONK in self.characters[seat]
        return ways(self.villages, seat, self.architects[seat], free)

    def price(self, seat: int) -> int:
        """What a palace costs `seat`."""
        return ARTISAN_PRICE if Character.ARTISAN in self.characters[seat] else PALACE_PRICE

    def points(self, city: int) -> list[int]:
        """Each seat's points in `city`, but for architects."""
        found = [0] * self.seats
        for owner in self.houses[city]:
            found[owner] += 1
        for owner in self.outer[city]:
            found[owner] += 2 if Character.SADHU in self.characters[owner] else 1
        central = self.central[city]
        if central is not None:
            found[central] += CENTRAL_POINTS
        return found

    def go(self, seat: int, place: int) -> None:
        """Along one open road, and pay for it."""
        here = self.architects[seat]
        free = Character.MONK in self.characters[seat]
        for village in ROAD_BETWEEN[here, place]:
            owners = self.villages[village]
            if seat not in owners:
                for owner in owners:
                    self.gold[owner] += 1
                if not free:
                    self.gold[seat] -= len(owners)
        self.architects[seat] = place

    def house(self, seat: int, place: int, price: int) -> None:
        """Build a house."""
        self.supply[seat] -= 1
        self.gold[seat] -= price
        self.add_house(seat, place)

    def add_house(self, seat: int, place: int) -> None:
        """A house comes to `place`."""
        if place < _CITIES:
            self.houses[place] = (*self.houses[place], seat)
        else:
            villages, at = self.villages, place - _CITIES
            owners = tuple(sorted((*villages[at], seat)))
            self.villages = (*villages[:at], owners, *villages[at + 1 :])

    def remove_house(self, seat: int, place: int) -> None:
        """A house leaves `place`."""
        if place < _CITIES:
            self.houses[place] = _without(self.houses[place], seat)
        else:
            villages, at = self.villages, place - _CITIES
            self.villages = (*villages[:at], _without(villages[at], seat), *villages[at + 1 :])

    def palace(self, seat: int) -> bool:
        """Build a palace where the architect stands, the central one if it is free; whether it
        is the central one."""
        city = self.architects[seat]
        self.gold[seat] -= self.price(seat)
        self.built[seat] += 1
        if self.central[city] is None:
            self.central[city] = seat
            return True
        self.outer[city] = (*self.outer[city], seat)
        return False

    def governor(self, city: int) -> None:
        """Move a coat of arms."""
        at = self.track.index(city)
        self.track.insert(at - DOWN, self.track.pop(at))

    def swap(self, seat: int, give: Character, take: Character) -> int | None:
        """Swap characters; the seat that was robbed, which takes the best of the display."""
        mine = [character for character in self.characters[seat] if character is not give]
        shown = [*self.display, give]
        robbed = next((s for s, held in enumerate(self.characters) if take in held), None)
        if robbed is None:
            shown.remove(take)
        else:
            comfort = max(shown)
            shown.remove(comfort)
            rest = [character for character in self.characters[robbed] if character is not take]
            self.characters[robbed] = tuple(sorted((*rest, comfort)))
        self.characters[seat] = tuple(sorted((*mine, take)))
        self.display = tuple(sorted(shown))
        return robbed

    def fail(self, seat: int, actions: int) -> None:
        """End a turn with so many actions open."""
        for other in range(self.seats):
            if other != seat:
                self.gold[other] += CONSOLATION * actions

    def score(self) -> None:
        """Score the city of the Maharaja."""
        city = self.maharaja
        points = self.points(city)
        for seat, place in enumerate(self.architects):
            points[seat] += place == city
        order = sorted(
            range(self.seats), key=lambda seat: (-points[seat], self.characters[seat][0])
        )
        for seat, gold in zip(order, PAY[self.seats], strict=True):
            if points[seat]:
                self.gold[seat] += gold

    @property
    def ended(self) -> bool:
        """Whether the game ends with this round."""
        return self.round >= self.last_round or max(self.built) >= self.palaces

    def next_round(self) -> None:
        """The Maharaja moves on."""
        self.round += 1
        self.maharaja = self.track.pop(0)
        self.track.append(self.maharaja)
        self.acted = [False] * self.seats


def _without(owners: tuple[int, ...], seat: int) -> tuple[int, ...]:
    at = owners.index(seat)
    return owners[:at] + owners[at + 1 :]

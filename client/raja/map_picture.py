"""The map of Raja as a picture in cells: cities, villages and roads, with who is where, which roads
can be taken, and what can be pointed at.

A city shows its name with the architects there, its palaces (the owner of the central site in
brackets, then those of the outer ones), and the houses of each owner. A village shows the owner of
each house, and a ring for each space that is free. Only reads views, and does not know any rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from attrs import field, frozen

from client.raja.layout import Anchor, Spot, spots
from client.raja.sight import board_of, marks
from client.raja.style import seat as seat_style
from client.screen.canvas import Canvas
from client.screen.lines import Line, cut, width
from client.state.scene import Scene
from engine.raja.words.map import CITIES, ROADS, VILLAGES, Place
from engine.raja.words.views import Board

FREE = "o"
"""A space for a house."""
MAHARAJA = "☼"
ARCHITECTS = "@"


@frozen
class Highlights:
    """What stands out in the picture."""

    keys: Mapping[Place, str] = field(factory=dict)
    """The key that travels to a place."""
    architect: Place | None = None
    """Where the traveller stands."""
    targets: frozenset[Place] = frozenset()
    """Places that can be pointed at."""
    pointed: Place | None = None


def map_lines(scene: Scene, highlights: Highlights, columns: int, rows: int) -> list[Line]:
    """The map in exactly `rows` lines of `columns` (at least `client.raja.layout.LEAST`)."""
    picture = _Picture(scene, highlights, columns, rows)
    picture.draw_roads()
    for village in VILLAGES:
        picture.draw_village(village)
    picture.draw_camp()
    for city in CITIES:
        picture.draw_city(city)
    return picture.canvas.lines()


class _Picture:
    def __init__(self, scene: Scene, highlights: Highlights, columns: int, rows: int) -> None:
        self.canvas = Canvas(columns, rows)
        self._spots = spots(columns, rows)
        self._board: Board = board_of(scene)
        self._marks = marks(scene)
        self._highlights = highlights
        self._room = 13 if columns < 78 else 16 if columns < 100 else 20
        """Cells of a city's lines."""
        self._numbered = columns >= 78
        """Whether villages show their numbers."""

    def draw_roads(self) -> None:
        for road in ROADS:
            one, other = road.ends
            here = self._highlights.architect
            far = other if one == here else one if other == here else None
            opened = far is not None and far in self._highlights.keys
            style = "class:road.open" if opened else "class:road"
            way = [one, *road.villages, other]
            for first, second in pairwise(way):
                self.canvas.draw(self._point(first), self._point(second), style, "·")

    def draw_village(self, village: Place) -> None:
        spot = self._spots[village]
        owners = self._board.houses[village]
        line: Line = [(seat_style(owner), self._marks[owner]) for owner in owners]
        line.append(("class:village", FREE * (self._board.space - len(owners))))
        if self._numbered:
            line = [("class:road", f"{village - Place.V01 + 1}:"), *line]
        self._put(spot, spot.row, self._marked(village, line))

    def draw_camp(self) -> None:
        spot = self._spots[Place.CAMP]
        self._put(spot, spot.row, self._name(Place.CAMP, "camp"))

    def draw_city(self, city: Place) -> None:
        spot = self._spots[city]
        self._put(spot, spot.row - 1, self._name(city, city.name))
        self._put(spot, spot.row, self._palaces(city))
        self._put(spot, spot.row + 1, self._houses(city))

    def _name(self, place: Place, name: str) -> Line:
        """The name, with the key that travels there, the Maharaja and the architects."""
        before: Line = []
        key = self._highlights.keys.get(place)
        if key is not None:
            before.append(("class:mine.key", f" {key} "))
        style = "class:city"
        if self._board.maharaja is place:
            name, style = f"{MAHARAJA}{name}", "class:city.maharaja"
        here = [seat for seat, one in enumerate(self._board.players) if one.architect is place]
        after: Line = [("", ARCHITECTS)] if here else []
        after += [(seat_style(seat), self._marks[seat]) for seat in here]
        room = self._room - width(before) - width(after)
        return [*before, *self._marked(place, [(style, cut(name, room, ""))]), *after]

    def _palaces(self, city: Place) -> Line:
        palaces = self._board.palaces[city]
        if palaces.central is None and not palaces.outer:
            return []
        line: Line = [("", "[")]
        if palaces.central is None:
            line.append(("class:village", "·"))
        else:
            line.append((seat_style(palaces.central), self._marks[palaces.central]))
        line.append(("", "]"))
        return [*line, *[(seat_style(owner), self._marks[owner]) for owner in palaces.outer]]

    def _houses(self, city: Place) -> Line:
        counts = Counter(self._board.houses[city])
        return [
            (seat_style(owner), f"{self._marks[owner]}{count}")
            for owner, count in sorted(counts.items())
        ]

    def _marked(self, place: Place, line: Line) -> Line:
        """A line in the style of what is pointed at, or can be."""
        if place is self._highlights.pointed:
            return [("class:pointed", text) for _, text in line]
        if place in self._highlights.targets:
            return [(f"{style} class:target", text) for style, text in line]
        return line

    def _put(self, spot: Spot, row: int, line: Line) -> None:
        size = width(line)
        start = spot.column
        if spot.anchor is Anchor.RIGHT:
            start -= size - 1
        elif spot.anchor is Anchor.MIDDLE:
            start -= size // 2
        self.canvas.put(start, row, line)

    def _point(self, place: Place) -> tuple[int, int]:
        """Where roads meet: within a city's name."""
        spot = self._spots[place]
        inset = {Anchor.LEFT: 4, Anchor.MIDDLE: 0, Anchor.RIGHT: -4}[spot.anchor]
        return spot.column + inset, spot.row


def road_keys(places: Sequence[Place]) -> dict[Place, str]:
    """The key of the road to each place, in the prompt's order: 1, 2, ..."""
    return {place: str(number) for number, place in enumerate(places, 1)}

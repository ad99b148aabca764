"""The page of the cities: what everybody has in each, and what it would count today.

What counts how much is said by `client.raja.shares`.
"""

from __future__ import annotations

from client.raja.map_picture import MAHARAJA
from client.raja.players import order
from client.raja.shares import Share, share
from client.raja.sight import board_of, marks
from client.raja.style import seat as seat_style
from client.raja.words import place_name
from client.screen.lines import Line, fit
from client.state.scene import Scene
from engine.raja.words.map import CITIES, Place
from engine.raja.words.views import Board


def cities_page(scene: Scene, columns: int) -> list[Line]:
    """A block for each city, in the order in which the Maharaja goes to them."""
    board = board_of(scene)
    here = [board.maharaja] if board.maharaja in CITIES else []
    ahead = [city for city in board.track if city not in here]
    lines: list[Line] = [
        [("class:dim", " What everybody has in each city, and what it counts as things stand.")],
        [],
    ]
    for number, city in enumerate([*here, *ahead]):
        when = "the Maharaja is here" if city in here else f"in {number} rounds"
        if not here or number == 1:
            when = "next round" if city not in here and number <= len(here) else when
        name = f"{MAHARAJA if city in here else ' '}{place_name(city)}"
        lines.append([("class:heading", f" {name:<10}"), ("class:dim", when)])
        lines += _shares(scene, board, city)
    return [fit(line, columns) for line in lines]


def _shares(scene: Scene, board: Board, city: Place) -> list[Line]:
    seats = order(scene.seat, len(board.players))
    shares = {seat: share(board, city, seat) for seat in seats}
    ranked = sorted(seats, key=lambda seat: (-shares[seat].points, board.players[seat].characters))
    lines: list[Line] = []
    for seat in ranked:
        one = shares[seat]
        if one.points:
            lines.append(
                [
                    ("", "    "),
                    (seat_style(seat), marks(scene)[seat]),
                    ("class:points", f"{one.points:>3} "),
                    ("", f" {scene.name(seat)}: {_told(one)}"),
                ]
            )
    return lines or [[("class:dim", "      nobody")]]


def _told(one: Share) -> str:
    parts = []
    if one.central:
        parts.append("central palace")
    if one.outer:
        parts.append(f"{one.outer} outer palace{'s' if one.outer > 1 else ''}")
    if one.houses:
        parts.append(f"{one.houses} house{'s' if one.houses > 1 else ''}")
    if one.architect:
        parts.append("architect")
    return ", ".join(parts)

"""The page of the cities: what everybody has in each, and what it would count today.

What counts how much is said by `client.raja.shares`.
"""

from __future__ import annotations

from client.raja.map_picture import MAHARAJA
from client.raja.shares import cities_in_order, ranked, told
from client.raja.sight import board_of, marks
from client.raja.style import seat as seat_style
from client.raja.words import place_name
from client.screen.lines import Line, fit
from client.state.scene import Scene
from engine.raja.words.map import Place
from engine.raja.words.views import Board


def cities_page(scene: Scene, columns: int) -> list[Line]:
    """A block for each city, in the order in which the Maharaja goes to them."""
    board = board_of(scene)
    lines: list[Line] = [
        [("class:dim", " What everybody has in each city, and what it counts as things stand.")],
        [],
    ]
    rounds = 0
    for city in cities_in_order(board):
        mark, when = MAHARAJA, "the Maharaja is here"
        if city is not board.maharaja:
            rounds += 1
            mark, when = " ", "next round" if rounds == 1 else f"in {rounds} rounds"
        lines.append(
            [("class:heading", f" {mark}{place_name(city):<9}"), ("class:dim", f" {when}")]
        )
        lines += _shares(scene, board, city)
    return [fit(line, columns) for line in lines]


def _shares(scene: Scene, board: Board, city: Place) -> list[Line]:
    lines: list[Line] = [
        [
            ("", "    "),
            (seat_style(seat), marks(scene)[seat]),
            ("class:points", f"{one.points:>3} "),
            ("", f" {scene.name(seat)}: {told(one)}"),
        ]
        for seat, one in ranked(board, city)
    ]
    return lines or [[("class:dim", "      nobody")]]

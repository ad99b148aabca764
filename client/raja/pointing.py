"""Pointing at places on the map: an arrow leads to the nearest target in its direction."""

from __future__ import annotations

from collections.abc import Sequence

from client.raja.layout import LEAST, spots
from client.screen.game_api import Direction, Pointing, Target

_STEPS: dict[Direction, tuple[int, int]] = {
    Direction.UP: (0, -1),
    Direction.DOWN: (0, 1),
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
}
_CELL = 2
"""A row is as high as this many columns are wide."""


def point_at(title: str, targets: Sequence[Target]) -> Pointing:
    """Point at one of `targets`, whose marks are places, over the map."""
    where = spots(*LEAST)
    points = [(where[target.mark].column, where[target.mark].row * _CELL) for target in targets]

    def move(index: int, direction: Direction) -> int:
        across, down = _STEPS[direction]
        column, row = points[index]
        best, nearest = index, 0
        for number, (other_column, other_row) in enumerate(points):
            ahead = (other_column - column) * across + (other_row - row) * down
            aside = abs((other_column - column) * down) + abs((other_row - row) * across)
            if ahead <= 0:
                continue
            # What lies aside counts more: an arrow goes ahead first of all.
            distance = ahead + 2 * aside
            if best == index or distance < nearest:
                best, nearest = number, distance
        return best

    return Pointing(title, tuple(targets), move)

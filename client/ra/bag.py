"""The page of the tiles left: what is still in the bag, by kind.

Anybody could count them, because every tile that is not in the bag lies open.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.ra.tiles import name, style
from client.screen.lines import Line, pad, right, wrap
from client.sentences import number_of
from engine.ra.words.pieces import CIVILIZATIONS, COPIES, DISASTERS, MONUMENTS, Kind
from engine.ra.words.views import Board

_GROUPS: tuple[tuple[str, Sequence[int]], ...] = (
    ("", range(Kind.RA, Kind.ASTRONOMY)),
    ("Civilizations", CIVILIZATIONS),
    ("Monuments", MONUMENTS),
    ("Disasters", DISASTERS),
)


def left_in_bag(board: Board) -> tuple[int, ...]:
    """Tiles still in the bag, by `Kind`."""
    left = list(COPIES)
    for kind in Kind:
        left[kind] -= board.gone[kind] + board.track.count(kind)
        if kind < len(board.players[0].tiles):
            left[kind] -= sum(player.tiles[kind] for player in board.players)
    left[Kind.RA] -= board.ra
    return tuple(left)


def bag_page(board: Board, columns: int, rows: int) -> list[Line]:
    """Two columns of kinds, each with how many tiles are left of how many."""
    left = left_in_bag(board)
    half = (columns - 4) // 2
    sides: list[list[Line]] = [[], []]
    for number, (title, kinds) in enumerate(_GROUPS):
        side = sides[0] if number in (0, 1) else sides[1]
        if side:
            side.append([])
        if title:
            total = sum(left[kind] for kind in kinds)
            side.append([("class:heading", f"{pad(title, 14)}{total:>3}")])
        side += [_row(Kind(kind), left[kind], half) for kind in kinds]
    height = max(map(len, sides))
    lines: list[Line] = [
        [("class:title", f" {number_of(board.bag, 'tile is', 'tiles are')} left in the bag")],
        *(
            [("class:dim", " " + part)]
            for part in wrap("by kind; every other tile lies open or is gone", columns - 2)
        ),
        [],
    ]
    if rows < height + len(lines):
        lines = lines[:1]
    for at in range(height):
        first, second = (side[at] if at < len(side) else [] for side in sides)
        used = sum(len(text) for _, text in first)
        lines.append([("", "  "), *first, ("", " " * (half - used)), *second])
    return lines


def _row(kind: Kind, count: int, columns: int) -> Line:
    line: Line = [
        (style(kind), pad(f" {name(kind)}", 14)),
        ("class:strong" if count else "class:none", right(str(count), 3)),
        ("class:dim", f" of {COPIES[kind]:>2} "),
    ]
    if columns >= 14 + 3 + 7 + COPIES[kind]:
        line.append((style(kind).replace("tile.", "bag."), "■" * count))
        line.append(("class:none", "·" * (COPIES[kind] - count)))
    return line

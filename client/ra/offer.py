"""The Ra track, the auction track and the sun on the board, as lines."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from client.ra.tiles import card_name, edge, style
from client.screen.lines import Fragment, Line, centre, first_fitting, spread, width
from engine.ra.words.pieces import TRACK_SPACES, Kind
from engine.ra.words.views import Board

ORDINALS = ("", "I", "II", "III")


@frozen
class Marks:
    """What is marked on the auction track."""

    new: int = 0
    """How many tiles, from the right, are new since the viewer's last action."""
    keys: tuple[tuple[int, int], ...] = ()
    """(space, number key) of the tiles that can be picked."""
    picked: tuple[int, ...] = ()
    """Spaces picked."""


def ra_track(board: Board, columns: int, *, closed: bool = False) -> Line:
    """The Ra track, and how near the end of the epoch is; `closed`: the game does not go on."""
    size = 3 if columns >= 80 else 2
    spaces: Line = []
    for space in range(board.ra_spaces):
        last = space == board.ra_spaces - 1
        if space < board.ra:
            spaces.append(("class:ra.full", centre("☼", size) if size == 3 else "☼ "))
        else:
            mark = "■" if last else "·"
            kind = "class:ra.last" if last else "class:ra.free"
            spaces.append((kind, centre(mark, size) if size == 3 else f"{mark} "))
    return first_fitting(
        [
            [("class:heading", " Ra track  "), *spaces, ("", "  "), *ending]
            for ending in _endings(board, closed)
        ],
        columns,
    )


def _endings(board: Board, closed: bool) -> Sequence[Line]:
    """When the epoch ends, in fewer and fewer words; or that no Ra will end one."""
    left = board.ra_spaces - board.ra
    epoch = ORDINALS[board.epoch]
    if board.winners:
        return [[("class:dim", f"empty again: epoch {epoch} is over")], [("class:dim", "over")]]
    if closed:
        return [[("class:dim", "no more Ra: the table is closed")], [("class:dim", "closed")]]
    if left == 1:
        return [
            [("class:alarm", f" the next Ra ends epoch {epoch} ")],
            [("class:alarm", f" next Ra ends {epoch} ")],
        ]
    calm = "class:strong" if left == 2 else "class:dim"
    return [
        [(calm, f"the {_nth(left)} Ra from now ends epoch {epoch}")],
        [(calm, f"{_nth(left)} Ra from now ends {epoch}")],
        [(calm, f"{left} to end")],
    ]


def _nth(number: int) -> str:
    return {1: "next", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def card_size(columns: int) -> int:
    """How wide a card is on a screen of so many columns."""
    return 12 if columns >= 116 else 8 if columns >= 80 else 5


def offer(board: Board, marks: Marks, columns: int, rows: int) -> list[Line]:
    """What the winner of an auction gets: the tiles and the sun, in 1, 3 or 4 lines."""
    size = card_size(columns)
    top: Line = [("", " ")]
    face: Line = [("", " ")]
    foot: Line = [("", " ")]
    for space in range(TRACK_SPACES):
        kind = board.track[space] if space < len(board.track) else None
        _card(kind, size, top, face, foot)
        for line in (top, face, foot):
            line.append(("", " "))
    sun = _sun(board, size)
    top, face, foot = (
        spread(line, part, min(columns, width(line) + sun[3] + 2))
        for line, part in zip((top, face, foot), sun[:3], strict=True)
    )
    if rows < 3:
        return [face]
    lines = [top, face, foot]
    return [*lines, _marks(board, marks, size)] if rows >= 4 else lines


def _card(kind: Kind | None, size: int, top: Line, face: Line, foot: Line) -> None:
    if kind is None:
        frame = "class:space"
        top.append((frame, "┌" + " " * (size - 2) + "┐"))
        face.append((frame, centre("·", size)))
        foot.append((frame, "└" + " " * (size - 2) + "┘"))
        return
    top.append((edge(kind), "▄" * size))
    face.append((style(kind), centre(card_name(kind, size), size)))
    foot.append((edge(kind), "▀" * size))


def _sun(board: Board, size: int) -> tuple[Line, Line, Line, int]:
    """The card of the sun on the board, and its width."""
    columns = {12: 10, 8: 6, 5: 8}[size]
    text = f"☼ {board.sun:>2}" if size != 5 else f"sun {board.sun:>2}"
    return (
        [("class:edge.sun", "▄" * columns)],
        [("class:tile.sun", centre(text, columns))],
        [("class:edge.sun", "▀" * columns)],
        columns,
    )


def _marks(board: Board, marks: Marks, size: int) -> Line:
    """The line under the cards: the keys that pick them, what is picked, and what is new."""
    keys = dict(marks.keys)
    line: Line = [("", " ")]
    count = len(board.track)
    for space in range(TRACK_SPACES):
        text, kind = "", ""
        if space in marks.picked:
            text, kind = f"[{keys.get(space, space + 1)}]√", "class:good"
        elif space in keys:
            text, kind = f"[{keys[space]}]", "class:strong"
        elif marks.keys:
            pass
        elif space == count - 1:
            text = "▲ new" if marks.new else "▲"
            kind = "class:mark.new"
        elif count - marks.new <= space < count:
            text, kind = "▲", "class:mark.new"
        line += [(kind, centre(text, size)), ("", " ")]
    return line


def summary(board: Board) -> str:
    """What is at stake, in words."""
    tiles = len(board.track)
    what = "no tiles" if not tiles else f"{tiles} tile{'s' if tiles > 1 else ''}"
    return f"{what} + sun {board.sun}"


__all__ = ["ORDINALS", "Fragment", "Marks", "card_size", "offer", "ra_track", "summary"]

"""The players' rows: suns, tiles by kind, points; every kind has its column.

A player takes one line on screens of 80 columns and more, and two lines on narrower ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from client.ra.sight import board_of, own_of
from client.ra.tiles import code, style
from client.screen.game_api import Moment
from client.screen.lines import Line, cells, fit, right
from client.state.scene import clockwise
from client.text import cut_name
from engine.ra.words.pieces import CIVILIZATIONS, MONUMENTS, SUN_SETS, Kind
from engine.ra.words.views import Auction, Board, Hidden, Player

SINGLES = (Kind.PHARAOH, Kind.NILE, Kind.FLOOD, Kind.GOD, Kind.GOLD)
"""The kinds with a column of their own."""

STATUS = 4


@frozen
class Columns:
    """How wide each part of a row is."""

    name: int
    sun: int
    """Each sun."""
    single: int
    """Each kind of SINGLES."""
    each: int
    """Each civilization and monument."""
    gap: int
    points: int
    double: bool
    """Whether a player takes two lines."""

    @property
    def wide(self) -> bool:
        return self.single >= 6


def columns_for(columns: int, players: int) -> Columns:
    """The columns on a screen `columns` wide (60 or more)."""
    suns = len(SUN_SETS[players][0])
    if columns < 80:
        sun, single, each, gap, points, double = 3, 3, 2, 2, 5, True
        rest = 2 + 1 + STATUS + 1 + suns * sun + 5 * single + points
    elif columns < 116:
        sun, single, each, gap, points, double = 3, 3, 2, 2, 5, False
        rest = 2 + 1 + STATUS + suns * sun + 5 * single + 13 * each + 2 * gap + points
    else:
        sun, single, each, gap, points, double = 4, 6, 3, 2, 6, False
        rest = 2 + 1 + STATUS + suns * sun + 5 * single + 13 * each + 2 * gap + points
    return Columns(min(20, columns - rest), sun, single, each, gap, points, double)


def headings(board: Board, columns: int) -> list[Line]:
    """The line above the rows, or two for rows of two lines."""
    plan = columns_for(columns, len(board.players))
    suns = len(SUN_SETS[len(board.players)][0]) * plan.sun
    first: Line = [("", " " * (2 + plan.name + 1 + STATUS))]
    if plan.double:
        first.append(("", " "))
    first.append(("class:heading", right("suns", suns)))
    for kind in SINGLES:
        text = kind.name.capitalize() if plan.wide and len(kind.name) < 6 else code(kind)
        text = "Phar." if plan.wide and kind is Kind.PHARAOH else text
        first += _head(kind, text, plan.single)
    civilizations, monuments = (
        [part for kind in kinds for part in _head(Kind(kind), code(Kind(kind)), plan.each)]
        for kinds in (CIVILIZATIONS, MONUMENTS)
    )
    points: Line = [("class:heading", right("pts", plan.points))]
    if plan.double:
        left: Line = [("class:dim", "   civilizations "), *civilizations]
        return [[*first, *points], [*left, ("class:dim", "  monuments "), *monuments]]
    gap = ("", " " * plan.gap)
    return [[*first, gap, *civilizations, gap, *monuments, *points]]


def _head(kind: Kind, text: str, columns: int) -> Line:
    space = columns - len(text)
    return [("", " " * space), (style(kind), text)]


def rows(moment: Moment, columns: int) -> list[Line]:
    """All players' rows."""
    board = board_of(moment.scene)
    plan = columns_for(columns, len(board.players))
    lines: list[Line] = []
    for seat in clockwise(moment.scene.seat, len(board.players)):
        lines += _Row(moment, seat, plan).lines()
    return lines


class _Row:
    """One player's row."""

    def __init__(self, moment: Moment, seat: int, plan: Columns) -> None:
        self.moment, self.seat, self.plan = moment, seat, plan
        self.board = board_of(moment.scene)
        self.player: Player = self.board.players[seat]
        base: Board | None = moment.base
        self.before: Player | None = base.players[seat] if base is not None else None
        self.mine = seat == moment.scene.seat
        self.out = not self.player.up
        self.plain = "class:player.out" if self.out else ""

    def lines(self) -> list[Line]:
        plan = self.plan
        singles = [part for kind in SINGLES for part in self._count(kind, plan.single)]
        civilizations = [
            part for kind in CIVILIZATIONS for part in self._count(Kind(kind), plan.each)
        ]
        monuments = [part for kind in MONUMENTS for part in self._count(Kind(kind), plan.each)]
        head = self._head()
        if plan.double:
            return [
                [*head, ("", " "), *self._suns(), *singles, *self._points()],
                [("", " " * 17), *civilizations, ("", " " * 12), *monuments],
            ]
        gap = ("", " " * plan.gap)
        return [
            [
                *head,
                *self._suns(),
                *singles,
                gap,
                *civilizations,
                gap,
                *monuments,
                *self._points(),
            ]
        ]

    def _head(self) -> Line:
        asked = self.seat in self.moment.scene.asked
        name = cut_name(self.moment.scene.name(self.seat), self.plan.name)
        kind = "class:player.asked" if asked else self.plain
        if self.mine:
            kind += " class:player.mine"
        status, status_style = self._status()
        return [
            ("class:player.asked", "► " if asked else "  "),
            (kind, name),
            ("", " " * (self.plan.name - cells(name) + 1)),
            (status_style, status.ljust(STATUS)),
        ]

    def _status(self) -> tuple[str, str]:
        """The most important word about the player."""
        auction = self.board.auction
        if self.seat in self.board.winners:
            return "WON", "class:good"
        stand_in = self.moment.stand_in(self.seat)
        if stand_in is not None:
            return stand_in, "class:bad"
        if self.moment.away(self.seat):
            return "away", "class:bad"
        if auction is not None:
            bid = auction.bids[self.seat]
            if bid:
                return "bid", "class:strong"
            if bid == 0:
                return "pass", "class:dim"
            if auction.seat == self.seat:
                return "Ra", "class:player.ra"
        if self.out and not self.board.winners:
            return "out", "class:dim"
        return ("you", "class:dim") if self.mine else ("", "")

    def _suns(self) -> Line:
        size = self.plan.sun
        line: Line = []
        for sun in reversed(self.player.up):
            kind, mark = _sun(self.board.auction, self.seat, sun)
            text = f"{mark}{sun}"
            line += [("", " " * (size - len(text))), (kind, text)]
        down: Sequence[int | None] = [None] * self.player.down
        hidden = self._hidden()
        if hidden is not None:
            down = tuple(reversed(hidden.down))
        for value in down:
            text = "▒▒" if value is None else f"▒{value}"
            line.append(("class:sun.down", right(text, size)))
        suns = len(SUN_SETS[len(self.board.players)][0])
        return fit(line, suns * size)

    def _hidden(self) -> Hidden | None:
        """What is known of the player's points and face-down suns."""
        own = own_of(self.moment.scene) if self.mine else None
        return own if own is not None else self.player.hidden

    def _count(self, kind: Kind, columns: int) -> Line:
        count = self.player.tiles[kind]
        before = self.before.tiles[kind] if self.before is not None else count
        text = str(count) if count else "·"
        style_ = (self.plain or style(kind).replace("tile.", "count.")) if count else "class:none"
        if count == before:
            return [(style_, right(text, columns))]
        arrow, kind_ = ("▴", "class:more") if count > before else ("▾", "class:less")
        return [("", " " * (columns - len(text) - 1)), (kind_, arrow + text)]

    def _points(self) -> Line:
        columns = self.plan.points
        hidden = self._hidden()
        if hidden is None:
            return [("class:none", right("?", columns))]
        before = self.moment.base_own.points if self.moment.base_own is not None else None
        if self.mine and before is not None and before != hidden.points:
            arrow, kind = ("▴", "class:more") if hidden.points > before else ("▾", "class:less")
            return [(kind, right(f"{arrow}{hidden.points}", columns))]
        return [("class:points", right(str(hidden.points), columns))]


def highest(auction: Auction) -> int:
    """The highest bid so far; 0 if nobody has bid."""
    return max((bid or 0 for bid in auction.bids), default=0)


def _sun(auction: Auction | None, seat: int, sun: int) -> tuple[str, str]:
    """Style and mark of a face-up sun."""
    if auction is None:
        return "class:sun", ""
    bid = auction.bids[seat]
    top = highest(auction)
    if bid == sun:
        return ("class:sun.highest" if bid == top else "class:sun.beaten"), "►"
    if bid is not None:
        return "class:sun.low", ""
    return ("class:sun.can", "") if sun > top else ("class:sun.low", "")


__all__ = ["SINGLES", "columns_for", "headings", "highest", "rows"]

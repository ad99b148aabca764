"""The players' rows: character, houses, palaces, gold, and the actions of the round.

A player takes one line at every width. Only reads views, and does not know any rule.
"""

from __future__ import annotations

from attrs import frozen

from client.raja.sight import board_of, marks, own_of
from client.raja.style import seat as seat_style
from client.raja.words import ACTION_SHORT, CHARACTER_NAMES
from client.screen.game_api import Moment
from client.screen.lines import Line, cells, fit, right
from client.state.scene import clockwise
from client.text import cut_name
from engine.raja.words.pieces import Action
from engine.raja.words.views import Board, Player, RajaPhase

STATUS = 4
_HOUSES, _PALACES, _GOLD = 7, 4, 5


@frozen
class Columns:
    """How wide each part of a row is."""

    name: int
    character: int
    actions: int
    """What is left for the actions of the round."""


def columns_for(columns: int, held: int) -> Columns:
    """The columns in `columns` cells (58 or more) for players of `held` characters."""
    character = 12 if columns >= 76 or held > 1 else 10
    fixed = 2 + 2 + 1 + STATUS + 1 + character + _HOUSES + _PALACES + _GOLD + 1
    name = 10 if columns < 76 else 14 if columns < 100 else 20
    return Columns(name, character, max(0, columns - fixed - name))


def heading(moment: Moment, columns: int) -> Line:
    """The line above the rows."""
    plan = _plan(moment, columns)
    texts = (
        " " * (2 + 2 + plan.name + 1 + STATUS + 1) + "character".ljust(plan.character),
        right("houses", _HOUSES),
        right("pal", _PALACES),
        right("gold", _GOLD),
        " actions",
    )
    return fit([("class:heading", "".join(texts))], columns)


def rows(moment: Moment, columns: int) -> list[Line]:
    """All players' rows, each of exactly `columns`."""
    plan = _plan(moment, columns)
    seats = clockwise(moment.scene.seat, len(board_of(moment.scene).players))
    return [fit(_Row(moment, seat, plan).line(), columns) for seat in seats]


def _plan(moment: Moment, columns: int) -> Columns:
    held = max(len(player.characters) for player in board_of(moment.scene).players)
    return columns_for(columns, held)


class _Row:
    """One player's row."""

    def __init__(self, moment: Moment, seat: int, plan: Columns) -> None:
        self.moment, self.seat, self.plan = moment, seat, plan
        self.board: Board = board_of(moment.scene)
        self.player: Player = self.board.players[seat]
        base: Board | None = moment.base
        self.before = base.players[seat] if base is not None else None
        self.mine = seat == moment.scene.seat

    def line(self) -> Line:
        return [
            *self._head(),
            *self._characters(),
            *self._houses(),
            *self._palaces(),
            *self._gold(),
            ("", " "),
            *fit(self._actions(), self.plan.actions),
        ]

    def _head(self) -> Line:
        scene = self.moment.scene
        asked = self.seat in scene.asked
        name = cut_name(scene.name(self.seat), self.plan.name)
        kind = "class:player.asked" if asked else ""
        if self.mine:
            kind += " class:player.mine"
        status, status_style = self._status()
        return [
            ("class:player.asked", "► " if asked else "  "),
            (seat_style(self.seat), marks(scene)[self.seat]),
            ("", " "),
            (kind, name),
            ("", " " * (self.plan.name - cells(name) + 1)),
            (status_style, status.ljust(STATUS)),
            ("", " "),
        ]

    def _status(self) -> tuple[str, str]:
        """The most important word about the player."""
        if self.seat in self.board.winners:
            return "WON", "class:good"
        stand_in = self.moment.stand_in(self.seat)
        if stand_in is not None:
            return stand_in, "class:bad"
        if self.moment.away(self.seat):
            return "away", "class:bad"
        return ("you", "class:dim") if self.mine else ("", "")

    def _characters(self) -> Line:
        held = self.player.characters
        if len(held) == 1:
            text = f"{held[0].value} {CHARACTER_NAMES[held[0]]}"
        else:
            text = " ".join(f"{one.value} {CHARACTER_NAMES[one][:3]}" for one in held)
        changed = self.before is not None and self.before.characters != held
        return fit([("class:more" if changed else "", text or "-")], self.plan.character)

    def _houses(self) -> Line:
        """Those that can be built, and those in the quarry."""
        text = f"{self.player.supply}+{self.player.quarry}"
        return [("", right(text, _HOUSES))]

    def _palaces(self) -> Line:
        left = self.player.palaces
        if self.before is not None and left < self.before.palaces:
            return [("class:more", right(f"▾{left}", _PALACES))]
        return [("class:points", right(str(left), _PALACES))]

    def _gold(self) -> Line:
        own = own_of(self.moment.scene) if self.mine else None
        gold = own.gold if own is not None else self.player.gold
        if gold is None:
            return [("class:none", right("?", _GOLD))]
        before = self.moment.base_own.gold if self.mine and self.moment.base_own else gold
        mark, kind = "", "class:points"
        if gold != before:
            mark, kind = ("▴", "class:more") if gold > before else ("▾", "class:less")
        return [(kind, right(f"{mark}{gold}", _GOLD))]

    def _actions(self) -> Line:
        """The actions of the round: those that are open stand out."""
        actions = self.player.actions
        own = own_of(self.moment.scene) if self.mine else None
        if not actions and own is not None and own.actions:
            return [("class:dim", "secret: "), *_listed(own.actions, "")]
        if not actions:
            if self.player.chosen:
                return [("class:dim", "has chosen")]
            choosing = self.board.phase is RajaPhase.CHOOSING
            return [("class:dim", "is choosing" if choosing else "")]
        turn = self.board.turn
        if turn is None or turn.seat != self.seat:
            return _listed(actions, "class:done")
        left = [one.action for one in turn.open]
        line: Line = []
        for action in actions:
            opened = action in left
            if opened:
                left.remove(action)
            line += [("", ", ")] if line else []
            line.append(("class:open" if opened else "class:done", ACTION_SHORT[action]))
        return line


def _listed(actions: tuple[Action, ...], style: str) -> Line:
    return [(style, ", ".join(ACTION_SHORT[action] for action in actions))]


__all__ = ["columns_for", "heading", "rows"]

"""Raja on the full screen: the parts put together (see `client.screen.game_api`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve

from client.raja.board import LEAST, board_lines, headline
from client.raja.cities import cities_page
from client.raja.help import help_lines
from client.raja.menu import menu, refuse, waiting
from client.raja.score import ending, interlude
from client.raja.sight import board_of
from client.raja.style import STYLES
from client.screen.game_api import SINCE, GameScreen, Menu, Moment
from client.screen.lines import Line
from client.state.scene import Scene
from engine.raja.words.happenings import (
    ActionFailed,
    CharacterSwapped,
    PalaceBuilt,
    RoundBegan,
    SeatChose,
    TurnBegan,
    TurnEnded,
)


class RajaScreen(GameScreen):
    """How Raja looks, and what its keys mean."""

    least: ClassVar[tuple[int, int]] = LEAST
    styles: ClassVar[Mapping[str, str]] = STYLES
    pages: ClassVar[Mapping[str, str]] = {"t": "cities"}

    def headline(self, scene: Scene, columns: int) -> str:
        return headline(scene, columns)

    def board(self, moment: Moment, columns: int, rows: int) -> list[Line]:
        return board_lines(moment, columns, rows)

    def menu(self, scene: Scene) -> Menu | None:
        return menu(scene)

    def refuse(self, scene: Scene, key: str) -> str | None:
        return refuse(scene, key)

    def waiting(self, scene: Scene) -> str:
        return waiting(scene)

    def page(self, key: str, scene: Scene, columns: int, rows: int) -> list[Line]:
        return cities_page(scene, columns)

    def interlude(
        self, happenings: Sequence[Any], scene: Scene, columns: int, rows: int
    ) -> list[Line] | None:
        return interlude(happenings, scene, columns)

    def ending(self, scene: Scene, columns: int, rows: int) -> list[Line]:
        return ending(scene, columns)

    def help(self, columns: int, since: str = SINCE) -> list[Line]:
        return help_lines(columns, since)

    def reveal(self, scene: Scene, hands: Sequence[Any]) -> Scene:
        """Every player's gold and chosen actions."""
        if scene.board is None or not any(hands):
            return scene
        board = board_of(scene)
        players = tuple(
            player
            if hand is None
            else evolve(player, gold=hand.gold, actions=hand.actions or player.actions)
            for player, hand in zip(board.players, hands, strict=True)
        )
        return evolve(scene, board=evolve(board, players=players))

    def pace(self, happenings: Sequence[Any]) -> float:
        """That somebody has chosen or ended a turn is quick to read; a palace takes longest."""
        seconds = 0.7
        for happening in happenings:
            match happening:
                case SeatChose():
                    seconds = max(seconds, 0.3) if len(happenings) > 1 else 0.3
                case TurnEnded():
                    seconds = max(seconds, 0.5)
                case TurnBegan() | ActionFailed() | RoundBegan():
                    seconds = max(seconds, 1.0)
                case PalaceBuilt() | CharacterSwapped():
                    seconds = 1.3
        return seconds

"""Ra on the full screen: the parts put together (see `client.screen.game_api`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve

from client.ra.bag import bag_page
from client.ra.board import LEAST, board_lines, headline
from client.ra.help import help_lines
from client.ra.menu import menu, refuse, waiting
from client.ra.score import all_sheets, ending, interlude, own_sheets
from client.ra.sight import board_of
from client.ra.style import STYLES
from client.screen.game_api import SINCE, GameScreen, Menu, Moment
from client.screen.lines import Line
from client.state.scene import Scene
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    GodsSpent,
    Passed,
    SunBid,
    TilesLost,
)


class RaScreen(GameScreen):
    """How Ra looks, and what its keys mean."""

    least: ClassVar[tuple[int, int]] = LEAST
    styles: ClassVar[Mapping[str, str]] = STYLES
    pages: ClassVar[Mapping[str, str]] = {"t": "tiles left", "s": "score sheets"}

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
        if key == "t":
            return bag_page(board_of(scene), columns, rows)
        if all(player.hidden is not None for player in board_of(scene).players):
            return all_sheets(scene, columns)
        return own_sheets(scene, columns)

    def interlude(
        self, happenings: Sequence[Any], scene: Scene, columns: int, rows: int
    ) -> list[Line] | None:
        return interlude(happenings, scene, columns)

    def ending(self, scene: Scene, columns: int, rows: int) -> list[Line]:
        return ending(scene, columns, rows)

    def help(self, columns: int, since: str = SINCE) -> list[Line]:
        return help_lines(columns, since)

    def reveal(self, scene: Scene, hands: Sequence[Any]) -> Scene:
        """Every player's points and face-down suns."""
        if scene.board is None or not any(hands):
            return scene
        board = board_of(scene)
        players = tuple(
            player if hand is None else evolve(player, hidden=hand)
            for player, hand in zip(board.players, hands, strict=True)
        )
        return evolve(scene, board=evolve(board, players=players))

    def pace(self, happenings: Sequence[Any]) -> float:
        """Passes are quick to read, an auction's end takes longest."""
        seconds = 0.6
        for happening in happenings:
            match happening:
                case Passed():
                    seconds = max(seconds, 0.4) if len(happenings) > 1 else 0.4
                case SunBid() | AuctionBegan() | GodsSpent():
                    seconds = max(seconds, 0.8)
                case AuctionWon() | AuctionLapsed() | TilesLost() | EpochBegan():
                    seconds = 1.3
        return seconds

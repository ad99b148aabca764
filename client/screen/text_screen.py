"""The full screen of a game that has none of its own: its table as text, its answers as lettered
choices. Everything comes from the game's `GameClient`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

from client.games import GameClient
from client.screen.game_api import SINCE, Choice, GameScreen, Menu, Moment
from client.screen.lines import Line, wrap
from client.state.scene import Scene

KEYS = ascii_uppercase
"""One for each answer; further answers have no key. There are no digits, because answers contain
numbers, which would be mistaken for keys."""


class TextScreen(GameScreen):
    """Any game, drawn from its own texts."""

    least: ClassVar[tuple[int, int]] = (30, 10)
    styles: ClassVar[Mapping[str, str]] = {}
    pages: ClassVar[Mapping[str, str]] = {"s": "scores"}

    def __init__(self, game: GameClient) -> None:
        self._game = game

    def headline(self, scene: Scene, columns: int) -> str:
        return ""

    def board(self, moment: Moment, columns: int, rows: int) -> list[Line]:
        scene = moment.scene
        lines: list[Line] = [[]]
        for text in self._game.table(scene):
            lines += [[("", " " + part)] for part in wrap(text, columns - 2)]
        lines += [[], [("class:rule", "─" * columns)]]
        return lines[:rows]

    def menu(self, scene: Scene) -> Menu | None:
        asked = scene.mine
        if asked is None:
            return None
        what, _ = self._game.ask(asked.prompt)
        choices = [
            Choice(key, self._game.show(command), self._game.show(command), command)
            for key, command in zip(KEYS, self._game.choices(asked.prompt), strict=False)
        ]
        return Menu(f"Your {what}", tuple(choices))

    def refuse(self, scene: Scene, key: str) -> str | None:
        if key not in KEYS:
            return None
        if scene.over:
            return scene.end
        return "There is no such choice." if scene.mine is not None else self.waiting(scene)

    def waiting(self, scene: Scene) -> str:
        names = [scene.name(seat) for seat in scene.asked if seat != scene.seat]
        return f"Waiting for {', '.join(names)}." if names else "Waiting for the others."

    def page(self, key: str, scene: Scene, columns: int, rows: int) -> list[Line]:
        lines = self._game.scores(scene) or ["Nothing is known of the scores yet."]
        return [[("", " " + part)] for text in lines for part in wrap(text, columns - 2)]

    def interlude(
        self, happenings: Sequence[Any], scene: Scene, columns: int, rows: int
    ) -> list[Line] | None:
        return None

    def ending(self, scene: Scene, columns: int, rows: int) -> list[Line]:
        result = self._game.result(scene) or "The table was closed before the game ended."
        title: list[Line] = [[("class:title", " " + part)] for part in wrap(result, columns - 2)]
        return [[], *title, [], *self.page("s", scene, columns, rows)]

    def help(self, columns: int, since: str = SINCE) -> list[Line]:
        return []


def screen_of(game: GameClient) -> GameScreen:
    """How a game is drawn: by its own screen, or from its texts."""
    own: GameScreen | None = game.screen()
    return own if own is not None else TextScreen(game)

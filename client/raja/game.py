"""Raja as the client knows it: how it reads, speaks and looks, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from client.games import GameClient
from client.raja import narration, refusal_texts, typed
from client.raja.asking import ask
from client.raja.check import check
from client.raja.table import result_line, score_lines, table_lines
from client.state.scene import Scene
from engine.raja.words.choices import choices
from engine.raja.words.commands import COMMANDS
from engine.raja.words.happenings import HAPPENINGS
from engine.raja.words.notation import show_command, show_happening
from engine.raja.words.prompts import PROMPTS
from engine.raja.words.views import Board, Hidden, RajaPhase
from protocol.wire import Wire


class _Words:
    """The part of Raja's vocabulary that is sent over the wire."""

    commands = COMMANDS
    prompts = PROMPTS
    happenings = HAPPENINGS
    public = Board
    private = Hidden


class RajaClient(GameClient):
    """Raja for the client."""

    name: ClassVar[str] = "raja"
    title: ClassVar[str] = "Raja"
    wire = Wire(_Words)
    rulesets: ClassVar[Mapping[str, range]] = {
        "standard": range(2, 6),
        "yogi": range(2, 6),
        "short": range(2, 6),
        "two-player-advanced": range(2, 3),
    }
    options: ClassVar[Mapping[str, str]] = {
        "open-information": "everybody sees everybody's gold",
    }
    bots: ClassVar[tuple[str, ...]] = ("random", "easy", "normal", "hard")
    usual_bot: ClassVar[str] = "normal"

    def check(self, scene: Scene) -> None:
        check(scene)

    def asked(self, scene: Scene) -> tuple[int, ...]:
        """A turn's prompt is for its owner alone, but everybody knows whose turn it is."""
        board = scene.board
        if isinstance(board, Board) and board.phase is RajaPhase.TURN and board.turn is not None:
            return (board.turn.seat,)
        return super().asked(scene)

    def read(self, text: str, prompt: Any | None) -> Any:
        return typed.read(text, prompt)

    def show(self, command: Any) -> str:
        return show_command(command)

    def notate(self, happening: Any) -> str:
        return show_happening(happening)

    def narrate(self, happening: Any, names: Callable[[int], str]) -> tuple[str, ...]:
        return narration.narrate(happening, names)

    def ask(self, prompt: Any) -> tuple[str, tuple[str, ...]]:
        return ask(prompt)

    def choices(self, prompt: Any) -> Sequence[Any]:
        return choices(prompt)

    def table(self, scene: Scene) -> list[str]:
        return table_lines(scene)

    def scores(self, scene: Scene) -> list[str]:
        return score_lines(scene)

    def result(self, scene: Scene) -> str | None:
        return result_line(scene)

    def refusal(self, code: str, facts: Mapping[str, str]) -> str | None:
        return refusal_texts.refusal(code, facts)

    def screen(self) -> Any:
        from client.raja.screen import RajaScreen

        return RajaScreen()


RAJA = RajaClient()

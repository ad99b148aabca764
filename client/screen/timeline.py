"""What the screen shows of a table, and when: the scene, the log, and what is marked as new.

The model is always in the present; the timeline listens to it and follows at a readable pace. Does
not know about the toolkit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum
from typing import Any

from attrs import evolve, frozen

from client.games import GameClient
from client.narration import narrate
from client.screen.game_api import GameScreen
from client.screen.pace import Pace
from client.screen.text_screen import screen_of
from client.state.events import Attended, Change, Chatted, Departed, Rewound, Stepped
from client.state.model import Model
from client.state.scene import Scene

LOG_LENGTH = 3_000


class Speaker(Enum):
    """What a line of the log comes from."""

    TABLE = "table"
    CHAT = "chat"
    CLIENT = "client"
    """This program: files saved, hints, the connection."""


@frozen
class LogLine:
    text: str
    speaker: Speaker
    number: int = 0
    """The entry that it is about; 0 if it is about none."""


class Timeline:
    """What is shown now; `hear` and `advance` move it on."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._game_screen: tuple[GameClient, GameScreen] | None = None
        """A game, and how it is drawn; kept, because a screen may be costly to make."""
        self.scene: Scene | None = None
        """The scene shown: the present one, or one from a moment ago."""
        self.base: Scene | None = None
        """The scene before the viewer last acted: what differs from it is marked."""
        self.log: deque[LogLine] = deque(maxlen=LOG_LENGTH)
        self.since = 0
        """The number of the last entry that the viewer has seen before."""
        self.pace: Pace[Stepped] = Pace()
        self.interlude: tuple[Any, ...] | None = None
        """Happenings of an entry whose page must be read before the timeline goes on."""

    @property
    def game_screen(self) -> GameScreen | None:
        """How the table's game is drawn; None in the lobby."""
        game = self._model.game
        if game is None:
            return None
        if self._game_screen is None or self._game_screen[0] is not game:
            self._game_screen = (game, screen_of(game))
        return self._game_screen[1]

    # changes of the model

    def hear(self, change: Change) -> None:
        """Follow a change of the model."""
        match change:
            case Stepped():
                screen = self.game_screen
                self.pace.push(change, screen.pace(change.happenings) if screen is not None else 0)
            case Attended():
                self._attend(change)
            case Chatted(who, text):
                self.log.append(LogLine(f"{who}: {text}", Speaker.CHAT))
            case Rewound(now=number):
                self._rewind(number)
            case Departed():
                self._leave()
            case _:
                pass

    def _attend(self, change: Attended) -> None:
        """Show the present of a table at once, after joining or reconnecting. What was still
        waiting to be shown goes into the log."""
        scene = change.scene
        unshown = self.pace.take_all()
        if self.scene is None or self.scene.table.code != scene.table.code:
            self.log.clear()
            self.base, self.since = None, scene.number
            self.interlude, unshown = None, []
        for step in unshown:
            self._tell(step.number, step.happenings, step.scene)
        known = max((line.number for line in self.log), default=0)
        for number, happenings in change.missed:
            if number > known:
                self._tell(number, happenings, scene)
        self.scene = scene
        self.base = self.base or scene

    def _rewind(self, number: int) -> None:
        """Forget what came after entry `number`: it did not happen, although it was shown."""
        for step in self.pace.take_all():
            if step.number <= number:
                self.pace.push(step, 0.0)
        if self.scene is not None and self.scene.number > number:
            self.base, self.interlude = None, None
        self.since = min(self.since, number)
        # The numbers of the entries that are gone will be used again.
        told = [evolve(line, number=min(line.number, number)) for line in self.log]
        self.log.clear()
        self.log.extend(told)

    def _leave(self) -> None:
        """Show no table any more."""
        self.scene = self.base = self.interlude = None
        self.pace.take_all()
        self.log.clear()

    # time

    def advance(self, now: float) -> float | None:
        """Show what is due; seconds until more is, None: nothing is waiting."""
        while (step := self.pace.take(now)) is not None:
            self._show(step)
        return self.pace.due(now)

    def catch_up(self) -> None:
        """Show the present."""
        for step in self.pace.take_all():
            self._show(step)
        self.pace.held = self.interlude is not None

    def _show(self, step: Stepped) -> None:
        before, scene, screen = self.scene, step.scene, self.game_screen
        if before is not None and (before.seat is None or _acted(before, scene)):
            self.base = before
            self.since = before.number
        if before is not None and before.board is None:
            self.base = scene
        self.scene = scene
        self._tell(step.number, step.happenings, scene)
        if screen is None or scene.board is None or scene.over:
            return
        if screen.interlude(step.happenings, scene, 80, 24) is not None:
            self.interlude = step.happenings
            self.pace.held = True

    def turn_page(self) -> None:
        """Go on after the interlude has been read."""
        self.interlude = None
        self.pace.held = False

    # the log

    def _tell(self, number: int, happenings: Sequence[Any], scene: Scene) -> None:
        game = self._model.game
        assert game is not None, "the scene of a table comes with its game"
        for happening in happenings:
            for text in narrate(happening, scene, game):
                self.log.append(LogLine(text, Speaker.TABLE, number))

    def note(self, text: str) -> None:
        """Log something that this program has to say."""
        self.log.append(LogLine(text, Speaker.CLIENT))


def _acted(before: Scene, after: Scene) -> bool:
    """Whether the viewer's prompt was answered between two scenes."""
    asked = before.mine
    return asked is not None and (after.mine is None or after.mine.token != asked.token)


__all__ = ["LogLine", "Speaker", "Timeline"]

"""News from the server that is put into words: files, codes, hints, whether a deal was fair, and
what was lost.

Each becomes a notice and a line of the log. Does not draw or decide anything.
"""

from __future__ import annotations

from collections.abc import Callable

from client.join.invocation import command_line
from client.net.conversation import Conversation
from client.screen.notices import LONG, Notices
from client.screen.timeline import Timeline
from client.state.events import (
    Change,
    Departed,
    FairnessJudged,
    FileCame,
    Forgotten,
    Hinted,
    InvitationCame,
    MoveCodeCame,
    Rewound,
)
from client.state.restored import forgotten_text, rewound_text


class Announcements:
    """Turns changes of the model into notices; commands in them can be typed as they stand."""

    def __init__(
        self,
        conversation: Conversation,
        timeline: Timeline,
        notices: Notices,
        *,
        where: str,
        save: Callable[[FileCame], str],
    ) -> None:
        """`where` names the server as a person would type it; `save` writes a file and returns
        what to say about it."""
        self._conversation = conversation
        self._timeline = timeline
        self._notices = notices
        self._where = where
        self._save = save
        self.unfair = ""
        """How the deal of this table was proved unfair; empty while it was not."""

    def hear(self, change: Change) -> None:
        """Announce what is new in a change."""
        scene = self._conversation.model.scene
        match change:
            case FileCame():
                self._tell(self._save(change))
            case InvitationCame(seat, code):
                name = scene.name(seat) if scene is not None else "somebody absent"
                self._tell(f"{code} is for the seat of {name}: {command_line(self._where, code)}")
            case MoveCodeCame(code, seconds):
                spoken = f"{seconds // 60} minutes" if seconds >= 120 else f"{seconds} s"
                table = (scene.table.code,) if scene is not None else ()
                how = command_line(self._where, *table, "--seat-code", code)
                self._tell(f"{code} carries your seat elsewhere, once, for {spoken}: {how}")
            case Hinted():
                self._hinted(change)
            case Rewound():
                self._tell(rewound_text(change))
            case Forgotten():
                self._tell(forgotten_text(change))
            case FairnessJudged(fair, text):
                self._judged(fair, text)
            case Departed():
                self.unfair = ""
            case _:
                pass

    def _hinted(self, hint: Hinted) -> None:
        game, scene = self._conversation.model.game, self._timeline.scene
        asked = scene.mine if scene is not None else None
        if game is not None and asked is not None and asked.token == hint.token:
            text = f"Hint: {game.show(hint.command)}."
            self._timeline.note(f"{text} {hint.reason}".rstrip())
            # The reason is long, and the keys are needed while it is read.
            self._notices.tell(f"{text} l tells why." if hint.reason else text, seconds=LONG)

    def _judged(self, fair: bool, text: str) -> None:
        """A line of the log if the deal was fair, else an alarm that nobody can miss."""
        if fair:
            self._timeline.note(f"The deal was fair: {text}.")
        else:
            self.unfair = f"THE DEAL WAS NOT FAIR: {text}."
            self._tell(f"{self.unfair} Save the record (w).")

    def _tell(self, text: str) -> None:
        """Say something that the person may have to read again: it also goes into the log."""
        self._notices.stay(text, LONG)
        self._timeline.note(text)

"""The viewer's answer to a prompt: what is chosen for it so far, and whether it is on its way.
What is chosen belongs to the prompt that was open then, and is dropped with it.

Does not draw, and does not know any rule.
"""

from __future__ import annotations

from typing import Any

from client.net.conversation import Conversation
from client.screen.game_api import Pick
from client.screen.notices import Notices
from client.screen.timeline import Timeline
from client.state.scene import Scene


class DraftAnswer:
    """The answer being made; at most one at a time."""

    def __init__(self, conversation: Conversation, timeline: Timeline, notices: Notices) -> None:
        """The prompt is read from the timeline, because the screen may lag behind the table."""
        self._conversation = conversation
        self._timeline = timeline
        self._notices = notices
        self._sent: bytes | None = None
        """The id of the command that was sent last."""
        self._pick: Pick | None = None
        self._picked: tuple[int, ...] = ()
        self._picking: int | None = None
        """The token of the prompt that something is picked for."""
        self._typed = ""
        self._typing: int | None = None
        """The token of the prompt that something is typed for."""

    # choosing

    @property
    def pick(self) -> Pick | None:
        """The pick that is open, while the prompt that it was opened for is shown."""
        return self._pick if self._picking == _token(self._timeline.scene) else None

    @property
    def picked(self) -> tuple[int, ...]:
        """The items chosen so far, for the prompt that is shown."""
        return self._picked if self._picking == _token(self._timeline.scene) else ()

    def choose(self, pick: Pick | None) -> None:
        """Open a pick with nothing chosen yet; None: drop what is open."""
        self._pick, self._picked, self._picking = pick, (), _token(self._timeline.scene)

    def take(self, picked: tuple[int, ...]) -> None:
        """Set the items chosen, of the open pick or of the one that the prompt itself asks for."""
        if self._picking != _token(self._timeline.scene):
            self.choose(None)
        self._picked = picked

    def toggle(self, pick: Pick, item: int) -> None:
        """Choose an item of `pick` once more if that is allowed, else drop it. If as many as
        allowed are chosen, the oldest one makes room."""
        picked = self.picked
        if picked.count(item) >= pick.items[item].most:
            self.take(tuple(other for other in picked if other != item))
            return
        if len(picked) >= pick.most:
            picked = picked[1:]
        self.take((*picked, item))

    @property
    def typed(self) -> str:
        """The beginning of a choice's key, typed for the prompt that is shown; empty if none."""
        return self._typed if self._typing == _token(self._timeline.scene) else ""

    def spell(self, typed: str) -> None:
        """Set how much of a key is typed."""
        self._typed, self._typing = typed, _token(self._timeline.scene)

    # sending

    @property
    def on_its_way(self) -> bool:
        """Whether a command was sent that has no answer yet."""
        return self._sent in self._conversation.requests.commands

    def act(self, command: Any) -> None:
        """Send a command of the game if the prompt that is shown is still open, or say that it is
        not."""
        self.choose(None)
        if _token(self._timeline.scene) != _token(self._conversation.model.scene):
            self._notices.tell("That is not asked any more.")
            return
        self._typed = ""
        self._sent = self._conversation.requests.act(command)

    def take_back(self) -> None:
        """Ask to take back our last action, unless a command is on its way."""
        if not self.on_its_way:
            self._sent = self._conversation.requests.take_back()


def _token(scene: Scene | None) -> int | None:
    """The token of the viewer's prompt in a scene."""
    return scene.mine.token if scene is not None and scene.mine is not None else None

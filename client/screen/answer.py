"""The viewer's answer to a prompt: what is chosen for it so far, and whether it is on its way.
What is chosen belongs to the prompt that was open then, and is dropped with it.

Does not draw, and does not know any rule.
"""

from __future__ import annotations

from typing import Any

from client.net.conversation import Conversation
from client.screen.game_api import Pick, Pointing
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
        self._open: Pick | Pointing | None = None
        self._picked: tuple[int, ...] = ()
        self._pointed = 0
        self._choosing: int | None = None
        """The token of the prompt that something is picked or pointed at for."""
        self._typed = ""
        self._typing: int | None = None
        """The token of the prompt that something is typed for."""

    # choosing

    @property
    def pick(self) -> Pick | None:
        """The pick that is open, while the prompt that it was opened for is shown."""
        opened = self.opened
        return opened if isinstance(opened, Pick) else None

    @property
    def opened(self) -> Pick | Pointing | None:
        """What is being chosen from, while the prompt that it was opened for is shown."""
        return self._open if self._current else None

    @property
    def _current(self) -> bool:
        return self._choosing == _token(self._timeline.scene)

    @property
    def picked(self) -> tuple[int, ...]:
        """The items chosen so far, for the prompt that is shown."""
        return self._picked if self._current else ()

    @property
    def pointed(self) -> int:
        """The index of the target that is pointed at."""
        return self._pointed if self._current else 0

    def choose(self, among: Pick | Pointing | None) -> None:
        """Open a pick with nothing chosen yet, or pointing at the first target; None: drop what is
        open."""
        self._open, self._choosing = among, _token(self._timeline.scene)
        self._picked, self._pointed = (), 0

    def point(self, index: int) -> None:
        """Point at a target, of what is open or of what the prompt itself asks for."""
        if not self._current:
            self.choose(None)
        self._pointed = index

    def take(self, picked: tuple[int, ...]) -> None:
        """Set the items chosen, of the open pick or of the one that the prompt itself asks for."""
        if not self._current:
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

    def go_on(self, made: Any) -> None:
        """Go on with what a choice leads to: something else to choose from, or a command."""
        if isinstance(made, Pick | Pointing):
            self.choose(made)
        else:
            self.act(made)

    def take_back(self) -> None:
        """Ask to take back our last action, unless a command is on its way."""
        if not self.on_its_way:
            self._sent = self._conversation.requests.take_back()


def _token(scene: Scene | None) -> int | None:
    """The token of the viewer's prompt in a scene."""
    return scene.mine.token if scene is not None and scene.mine is not None else None

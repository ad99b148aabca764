"""The viewer's answer to what is asked: what is chosen for it so far, and whether it is on its
way. A choosing belongs to the prompt it was opened for, and ends with it.

Draws nothing and knows no rule.
"""

from __future__ import annotations

from typing import Any

from client.net.conversation import Conversation
from client.screen.game_api import Pick
from client.screen.timeline import Timeline
from client.state.scene import Scene


class Answer:
    """The answer in the making; at most one at a time."""

    def __init__(self, conversation: Conversation, timeline: Timeline) -> None:
        """What is asked is read off the story: the screen may lag behind the table."""
        self._conversation = conversation
        self._timeline = timeline
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
        """The choosing that is open, for the prompt that it was opened for."""
        return self._pick if self._picking == _token(self._timeline.scene) else None

    @property
    def picked(self) -> tuple[int, ...]:
        """The items chosen so far, for the prompt that is shown."""
        return self._picked if self._picking == _token(self._timeline.scene) else ()

    def choose(self, pick: Pick | None) -> None:
        """Open a choosing, with nothing chosen yet; None: put away what there is."""
        self._pick, self._picked, self._picking = pick, (), _token(self._timeline.scene)

    def take(self, picked: tuple[int, ...]) -> None:
        """These items are chosen, of what is open or of what the prompt itself asks."""
        if self._picking != _token(self._timeline.scene):
            self.choose(None)
        self._picked = picked

    def toggle(self, pick: Pick, item: int) -> None:
        """Choose an item of `pick` once more if it may be, else not at all. Where as many as
        may be are chosen, the oldest one makes room for it."""
        picked = self.picked
        if picked.count(item) >= pick.items[item].most:
            self.take(tuple(other for other in picked if other != item))
            return
        if len(picked) >= pick.most:
            picked = picked[1:]
        self.take((*picked, item))

    @property
    def typed(self) -> str:
        """The beginning of a choice's key, for the prompt that is shown; empty if none."""
        return self._typed if self._typing == _token(self._timeline.scene) else ""

    def spell(self, typed: str) -> None:
        """So much of a key is typed."""
        self._typed, self._typing = typed, _token(self._timeline.scene)

    # sending

    @property
    def on_its_way(self) -> bool:
        """Whether a command was sent that has no answer yet."""
        return self._sent in self._conversation.pending.commands

    def act(self, command: Any) -> bool:
        """Send a command of the game, if what is shown is asked still; whether it is."""
        if _token(self._timeline.scene) != _token(self._conversation.model.scene):
            return False
        self._typed = ""
        self._sent = self._conversation.requests.act(command)
        return True

    def take_back(self) -> None:
        """Ask to take back our last action, unless a command is on its way."""
        if not self.on_its_way:
            self._sent = self._conversation.requests.take_back()


def _token(scene: Scene | None) -> int | None:
    """That of what the viewer is asked in a scene."""
    return scene.mine.token if scene is not None and scene.mine is not None else None

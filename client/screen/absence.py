"""The players that the table waits for, and what the person at the screen may do about them: call
one absent, invite somebody else, come back. Does not know about layout or rules."""

from __future__ import annotations

from client.net.conversation import Conversation
from client.state.absence import AbsenceTimes
from client.state.events import Change, RequestRefused
from client.state.scene import Scene


class AbsenceWatch:
    """Listens to the model beside the screen's state. Reads the present, not what is shown."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.absence_times = AbsenceTimes(conversation.model)
        self._voted: int | None = None
        """The token of the prompt whose owner we called absent."""
        self._vote: bytes | None = None
        """The id of the request that said so."""

    def __call__(self, change: Change) -> None:
        self.absence_times(change)
        match change:
            case RequestRefused(id=id) if id is not None and id == self._vote:
                self._voted = self._vote = None

    @property
    def played_for(self) -> bool:
        """Whether a bot, or the default action, plays our seat now."""
        scene = self._conversation.model.scene
        return scene is not None and scene.played_for

    @property
    def may_vote(self) -> int | None:
        """The first match seat that could be called absent."""
        scene = self._conversation.model.scene
        for seat in scene.may_vote if scene is not None else ():
            if _token(scene, seat) != self._voted:
                return seat
        return None

    @property
    def offered(self) -> int | None:
        """That seat, once it has kept the table waiting for as long as the server asks, as far as
        is known."""
        seat = self.may_vote
        return seat if seat is not None and not self.absence_times.left(seat) else None

    @property
    def may_invite(self) -> int | None:
        """The first match seat that somebody else may be invited to."""
        scene = self._conversation.model.scene
        return next(iter(scene.may_invite), None) if scene is not None else None

    def due(self) -> float | None:
        """Seconds until calling somebody absent is offered; None: it is, or will not be."""
        seat = self.may_vote
        coming = self.absence_times.left(seat) if seat is not None else None
        return coming + 0.05 if coming else None

    def vote(self, seat: int) -> None:
        """Say that the player of this match seat is absent."""
        self._voted = _token(self._conversation.model.scene, seat)
        self._vote = self._conversation.requests.vote(seat)


def _token(scene: Scene | None, seat: int) -> int | None:
    """The token of a match seat's prompt."""
    prompts = scene.prompts if scene is not None else ()
    return next((asked.token for asked in prompts if asked.seat == seat), None)

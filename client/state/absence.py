"""How long each match seat has been asked, and when it may be called absent.

The server counts from the moment a seat was asked, whatever else happens at the table. A client
that came later cannot know that moment: it offers the vote, and a refusal says how long to wait.
Does not know about games or layout.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from client.state.events import Attended, Change, Departed, RequestRefused, Stepped
from client.state.model import Model
from client.state.scene import Scene
from protocol.messages import Vote

PromptKey = tuple[str, int, int]
"""(table, match seat, token)."""


class AbsenceTimes:
    """A listener that remembers when each open prompt of a model's table was opened."""

    def __init__(self, model: Model, now: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._now = now
        self._since: dict[PromptKey, float | None] = {}
        """The clock's time; None if the prompt was open already when we first saw it."""

    def __call__(self, change: Change) -> None:
        match change:
            case Attended(scene):
                self._see(scene, None)
            case Stepped(_, _, scene):
                self._see(scene, self._now())
            case RequestRefused(code="too_soon", facts=facts, command=Vote(seat=seat)):
                self._correct(seat, dict(facts).get("seconds", ""))
            case Departed():
                self._since.clear()

    def _see(self, scene: Scene, since: float | None) -> None:
        open = [(scene.table.code, asked.seat, asked.token) for asked in scene.prompts]
        self._since = {asked: self._since.get(asked, since) for asked in open}

    def _correct(self, seat: int, seconds: str) -> None:
        """Our vote came `seconds` too soon."""
        asked = self._asked(seat)
        if asked is not None and seconds.isascii() and seconds.isdigit():
            wait = min(float(seconds[:9]), self._model.vote_after(seat))
            self._since[asked] = self._now() + wait - self._model.vote_after(seat)

    def _asked(self, seat: int) -> PromptKey | None:
        return next((asked for asked in self._since if asked[1] == seat), None)

    def left(self, seat: int) -> float | None:
        """Seconds until a match seat that is asked may be called absent; None if not known."""
        asked = self._asked(seat)
        since = None if asked is None else self._since[asked]
        if since is None:
            return None
        return max(0.0, since + self._model.vote_after(seat) - self._now())

"""A client that answers its prompts by itself, by a rule that needs no knowledge of the
game: for demonstrations, scripts and tests."""

from __future__ import annotations

import asyncio
import random
from enum import Enum

from client.changes import Answered, Asked, Change, Refusal
from client.talk import Talk
from client.words import TRY_AGAIN

_RETRY_SECONDS = 0.5


class Auto(Enum):
    """How a client answers its prompts by itself."""

    FIRST = "first"
    """The first choice of each prompt."""
    RANDOM = "random"
    """Any choice, each equally likely."""


class ByRule:
    """A listener that answers every prompt of its seat."""

    def __init__(self, talk: Talk, auto: Auto) -> None:
        self._talk = talk
        self._auto = auto

    def __call__(self, change: Change) -> None:
        match change:
            case Asked() | Answered():
                self._answer()
            case Refusal(code=code) if code in TRY_AGAIN:
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._answer)

    def _answer(self) -> None:
        """Answer the open prompt, unless an answer is on its way: the next prompt can come
        before the word that the last answer arrived."""
        scene, game = self._talk.model.scene, self._talk.model.game
        if scene is None or game is None or scene.mine is None or self._talk.unanswered:
            return
        choices = game.choices(scene.mine.prompt)
        self._talk.act(choices[0] if self._auto is Auto.FIRST else random.choice(choices))

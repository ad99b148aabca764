"""Answers the prompts of a client by itself, without knowledge of the game: for demonstrations,
scripts and tests."""

from __future__ import annotations

import asyncio
import random
from enum import Enum

from client.net.conversation import Conversation
from client.refusal_texts import TRY_AGAIN
from client.state.events import Change, CommandAccepted, Prompted, RequestRefused

_RETRY_SECONDS = 0.5


class Auto(Enum):
    """Which answer is chosen."""

    FIRST = "first"
    """The first choice of each prompt."""
    RANDOM = "random"
    """A random choice, each equally likely."""


class Autoplay:
    """A listener that answers every prompt of our seat."""

    def __init__(self, conversation: Conversation, auto: Auto) -> None:
        self._conversation = conversation
        self._auto = auto

    def __call__(self, change: Change) -> None:
        match change:
            case Prompted() | CommandAccepted():
                self._answer()
            case RequestRefused(code=code) if code in TRY_AGAIN:
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._answer)

    def _answer(self) -> None:
        """Answer the open prompt, unless an answer is on its way: the next prompt can come
        before we hear that the last answer was accepted."""
        scene, game = self._conversation.model.scene, self._conversation.model.game
        if (
            scene is None
            or game is None
            or scene.mine is None
            or self._conversation.requests.commands
        ):
            return
        choices = game.choices(scene.mine.prompt)
        self._conversation.requests.act(
            choices[0] if self._auto is Auto.FIRST else random.choice(choices)
        )

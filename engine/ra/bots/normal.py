"""The bot `normal`: plays the choice of `engine.ra.bots.policy`, without search."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.ra.bots.candidates import policy_choice
from engine.ra.bots.information_set import observe


class NormalBot:
    """Looks at what everybody sees; the same views always give the same answer."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt` for the seat that it asks."""
        return policy_choice(observe(public, private, prompt, None).position).command

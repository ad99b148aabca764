"""The bot `normal`: plays what `engine.ra.bots.policy` reckons to be best, at once."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.ra.bots.options import own
from engine.ra.bots.sight import look


class NormalBot:
    """Looks at what everybody sees; the same views always give the same answer."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt` for the seat that it asks."""
        return own(look(public, private, prompt, None).at).command

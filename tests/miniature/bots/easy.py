"""A player that bids its highest card for good lots and its lowest for others."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from tests.miniature.words.commands import Choose, Hold


class EasyBot:
    """Looks at the lot alone."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        if not prompt.cards:
            return Hold()
        return Choose(max(prompt.cards) if public.lot > 4 else min(prompt.cards))

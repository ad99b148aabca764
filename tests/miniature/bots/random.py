"""A player that does anything."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from tests.miniature.legal import choices


class RandomBot:
    """Each answer equally likely."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return chance.choice(choices(prompt))

"""The bot `random`: any answer that its prompt allows.

It knows the shape of the prompts and no other rule, and looks at no view.
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.raja.words.choices import choices
from engine.raja.words.prompts import TurnPrompt


class RandomBot:
    """Chooses among the kinds of answer first, then within the kind."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt`; every allowed answer can come out."""
        answers = choices(prompt)
        if type(prompt) is TurnPrompt:
            kind = chance.choice(list(dict.fromkeys(map(type, answers))))
            answers = [answer for answer in answers if type(answer) is kind]
        return chance.choice(answers)

"""The bot `random`: any answer that its prompt allows.

It knows the shape of the prompts and no other rule, and looks at no view.
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt


class RandomBot:
    """Chooses among the kinds of answer first, then within the kind."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt`; every allowed answer can come out."""
        match prompt:
            case TurnPrompt():
                return _turn(prompt, chance)
            case BidPrompt(suns, may_pass):
                answers: list[Command] = [Bid(sun) for sun in suns]
                if may_pass:
                    answers.append(Pass())
                return chance.choice(answers)
            case DiscardPrompt(count=count, held=held):
                tiles = [kind for kind, number in held for _ in range(number)]
                return Discard(_some(tiles, count, chance))
        raise TypeError(f"no answer to {type(prompt).__name__}")


def _turn(prompt: TurnPrompt, chance: Chance) -> Command:
    answers: list[type[Command]] = [InvokeRa]
    if prompt.draw:
        answers.append(Draw)
    if prompt.gods:
        answers.append(SpendGods)
    answer = chance.choice(answers)
    if answer is SpendGods:
        count = 1 + chance.below(prompt.gods)
        return SpendGods(_some(prompt.takeable, count, chance))
    return answer()


def _some(tiles: list[Kind] | tuple[Kind, ...], count: int, chance: Chance) -> tuple[Kind, ...]:
    """`count` of `tiles`, in the order of kinds."""
    return tuple(sorted(chance.shuffle(tiles)[:count]))

"""The bot `hard`: a Monte Carlo search on top of `normal`'s policy.

It tries every candidate answer in many simulated games (`engine.ra.bots.monte_carlo`), with
bags and face-down suns sampled from what its seat cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.deal import Chance
from engine.entry import Command, Happening
from engine.game import Advice, Option
from engine.ra.bots.candidates import candidates_at
from engine.ra.bots.information_set import observe
from engine.ra.bots.memory import Memory
from engine.ra.bots.monte_carlo import estimate_all
from engine.ra.bots.reasons import reason

SIMULATIONS = 1500
"""Simulated games for one decision: about a second on one core."""


def _never() -> bool:
    return False


class HardBot:
    """Remembers what its seat is shown; the same happenings, views, chance and number of
    simulations always give the same answer."""

    def __init__(
        self, simulations: int = SIMULATIONS, expired: Callable[[], bool] = _never
    ) -> None:
        """`expired` says that time is up: a safety cap that is asked now and then. When it
        strikes, the answer depends on the machine."""
        self.simulations = simulations
        self.expired = expired
        self._memory = Memory()

    def watch(self, happened: Sequence[Happening]) -> None:
        """Remember suns and points."""
        self._memory.hear(happened)

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """The best answer to `prompt` for the seat that it asks."""
        return self.advise(public, private, prompt, chance).options[0].command

    def advise(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Advice:
        """All candidate answers, the best first. The value of each is the lead that it gives the
        seat, compared with `normal`'s answer, in hundredths of a point. Winning counts most in
        the last epoch, and chance may favour an answer that was dropped early, so an answer
        that is not the best may have a higher value."""
        information = observe(public, private, prompt, self._memory.recall(public))
        answers = candidates_at(information.position)
        seed = chance.word() << 32 | chance.word()
        tried = estimate_all(
            information.position,
            information.seat,
            [answer.act for answer in answers],
            information.determinize,
            information.unseen,
            self.simulations,
            seed,
            expired=self.expired,
        )
        order = sorted(range(len(answers)), key=lambda index: (-tried[index].worth, index))
        options = tuple(
            [Option(answers[index].command, round(tried[index].lead * 100)) for index in order]
        )
        return Advice(options, reason(information, options))

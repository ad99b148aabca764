"""The bot `hard`: `normal` with second thoughts.

It tries every answer worth a thought in many games played on, by `engine.ra.bots.search`,
with bags and face-down suns as they may be for all that its seat can know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.deal import Chance
from engine.entry import Command, Happening
from engine.game import Advice, Option
from engine.ra.bots.memory import Memory
from engine.ra.bots.options import considered
from engine.ra.bots.reasons import reason
from engine.ra.bots.search import try_all
from engine.ra.bots.sight import look

SIMULATIONS = 1500
"""Games played on for one decision: about a second on one core."""


def _never() -> bool:
    return False


class HardBot:
    """Remembers what its seat is shown; the same happenings, views, chance and number of
    simulations always give the same answer."""

    def __init__(
        self, simulations: int = SIMULATIONS, expired: Callable[[], bool] = _never
    ) -> None:
        """`expired` says that there is no more time: a safety cap, asked now and then,
        which makes the answer depend on the machine when it strikes."""
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
        """All answers worth a thought, the best first; their values are how far ahead of the
        others they leave the seat, against `normal`'s own answer. Since winning counts most
        in the last epoch, and chance may favour an answer that was soon dropped, one that is
        not the best may have a higher value."""
        sight = look(public, private, prompt, self._memory.recall(public))
        answers = considered(sight.at)
        seed = chance.word() << 32 | chance.word()
        tried = try_all(
            sight.at,
            sight.seat,
            [answer.act for answer in answers],
            sight.suppose,
            sight.unseen,
            self.simulations,
            seed,
            expired=self.expired,
        )
        order = sorted(range(len(answers)), key=lambda index: (-tried[index].worth, index))
        options = tuple(
            [Option(answers[index].command, round(tried[index].lead * 100)) for index in order]
        )
        return Advice(options, reason(sight, options))

"""The bot `hard`: a Monte Carlo search on top of `normal`'s plans.

It keeps count of everybody's gold, and tries what its plans promise against what the others may
have chosen (`engine.raja.bots.monte_carlo`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.deal import Chance
from engine.entry import Command, Happening, Prompt
from engine.game import Advice, Option
from engine.raja.bots.memory import Memory
from engine.raja.bots.monte_carlo import Candidate, estimate_all, pair_of
from engine.raja.bots.normal import OTHERS_GOLD
from engine.raja.bots.plan import plans
from engine.raja.bots.policy import Answer, answers, chosen, step, turn_start
from engine.raja.bots.position import Position
from engine.raja.bots.reasons import reason
from engine.raja.words.commands import ChooseActions
from engine.raja.words.prompts import ChoosePrompt, TurnPrompt
from engine.raja.words.views import Board, Hidden

SIMULATIONS = 100
"""Games played out for one decision: less than a second on one core, with two players."""
_WIDTH = 8
"""Positions that a plan goes on from."""
_MOST = 8
"""Candidates that are tried; fewer if there are too few simulations for so many."""
_EACH = 4
"""Simulations that a candidate should get at least."""


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
        """Remember gold."""
        self._memory.hear(happened)

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """The best answer to `prompt` for the seat that it asks."""
        return self.advise(public, private, prompt, chance).options[0].command

    def advise(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Advice:
        """The answers it considered, the best first. The value of each is the lead that it gives
        the seat beyond `normal`'s own answer, in hundredths of a gold."""
        position = self._observe(public, private)
        seat = private.seat
        most = max(2, min(_MOST, self.simulations // _EACH))
        candidates = _candidates(position, public, seat, prompt, most)
        if candidates is None:
            found = answers(position, seat, None, prompt)
            options = [Option(each, round(100 * (value - found[0][1]))) for each, value in found]
            return Advice(tuple(options), reason(public, options[0].command))
        tried = estimate_all(candidates, position, seat, self.simulations, chance, self.expired)
        order = sorted(range(len(tried)), key=lambda index: (-tried[index].worth, index))
        options = [
            Option(candidates[index].command, round(100 * tried[index].lead)) for index in order
        ]
        return Advice(tuple(options), reason(public, options[0].command))

    def _observe(self, board: Board, hidden: Hidden) -> Position:
        """The position, with gold as shown, remembered or guessed."""
        seat, count = hidden.seat, len(board.players)
        known = self._memory.recall(seat, hidden.gold, count) or [OTHERS_GOLD] * count
        gold = [
            guess if each.gold is None else each.gold
            for each, guess in zip(board.players, known, strict=True)
        ]
        gold[seat] = hidden.gold
        return Position(board, gold)


def _candidates(
    position: Position, board: Board, seat: int, prompt: Prompt, most: int
) -> list[Candidate] | None:
    """What to try, `most` at most, the plan's own choice first; None where plans are all there
    is."""
    if isinstance(prompt, ChoosePrompt):
        found = chosen(position, seat, prompt.chit, _WIDTH)[:most]
        return [_choice(position, answer) for answer in found]
    if isinstance(prompt, TurnPrompt):
        assert board.turn is not None
        every = plans(turn_start(position, board.turn), seat, _WIDTH, most)
        return [Candidate(step(plan)[0], plan.position, ()) for plan in every]
    return None


def _choice(position: Position, answer: Answer) -> Candidate:
    command = answer[0]
    assert isinstance(command, ChooseActions)
    return Candidate(command, position, pair_of(command))

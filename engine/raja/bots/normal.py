"""The bot `normal`: plans its own turn, and chooses the actions that its best plan needs.

It takes others as they stand, and knows nothing of them that is hidden.
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.raja.bots.policy import answers
from engine.raja.bots.position import Position
from engine.raja.words.views import Board, Hidden

OTHERS_GOLD = 9
"""What the others are thought to have, unless it is shown."""


class NormalBot:
    """The same views and prompt always give the same answer."""

    quick: ClassVar[bool] = False

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt` for the seat that it asks."""
        board: Board = public
        hidden: Hidden = private
        gold = [OTHERS_GOLD if each.gold is None else each.gold for each in board.players]
        gold[hidden.seat] = hidden.gold
        return answers(Position(board, gold), hidden.seat, board.turn, prompt)[0][0]

"""One readable line for each command and happening of the miniature, and back."""

from __future__ import annotations

from typing import Any

from engine.notation import Notation, Spelling, number
from tests.miniature.words.commands import Choose, Hold
from tests.miniature.words.happenings import (
    ChoicesShown,
    LotTurned,
    OwnChoice,
    PointsShown,
    SeatChose,
)


def _show_card(card: int | None) -> str:
    return "none" if card is None else str(card)


def _parse_card(text: str) -> int | None:
    return None if text == "none" else number(text)


_SPELLINGS: dict[Any, Spelling] = {int | None: Spelling(_show_card, _parse_card)}

COMMANDS = Notation({Choose: "choose {card}", Hold: "hold"})
HAPPENINGS = Notation(
    {
        LotTurned: "lot {lot}",
        SeatChose: "{seat} chooses",
        OwnChoice: "own choice {card}",
        ChoicesShown: "choices {cards} taken by {winner}",
        PointsShown: "match ends with {points} winners {winners}",
    },
    _SPELLINGS,
)

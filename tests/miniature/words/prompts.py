"""What a player of the miniature is asked."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from engine.entry import Prompt


@frozen
class ChoicePrompt(Prompt):
    """Choose one of these cards, or hold (hands are public)."""

    cards: tuple[int, ...]


@frozen
class VeiledPrompt(Prompt):
    """The same, where a hand is its owner's secret."""

    public: ClassVar[bool] = False
    cards: tuple[int, ...]


PROMPTS: dict[int, type[Prompt]] = {32: ChoicePrompt, 33: VeiledPrompt}

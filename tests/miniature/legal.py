"""What may be done in the miniature: prompts, and the commands that answer them."""

from __future__ import annotations

from engine.entry import Command, Prompt
from tests.miniature.state import State
from tests.miniature.words.commands import Choose, Hold
from tests.miniature.words.prompts import ChoicePrompt, VeiledPrompt


def prompts(state: State) -> dict[int, Prompt]:
    """All seats that have not chosen yet are asked at once."""
    if state.result is not None:
        return {}
    ask = ChoicePrompt if state.ruleset == "open" else VeiledPrompt
    return {seat: ask(state.hands[seat]) for seat, made in enumerate(state.chosen) if not made}


def choices(prompt: Prompt) -> list[Command]:
    """Every answer to `prompt`."""
    assert isinstance(prompt, ChoicePrompt | VeiledPrompt)
    return [Hold(), *(Choose(card) for card in prompt.cards)]

"""All answers to a prompt of Ra, read off the prompt alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.entry import Command, Prompt
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt


@lru_cache(1024)
def choices(prompt: Prompt) -> Sequence[Command]:
    """Every command that answers `prompt`. Where tiles are named, one order stands for all that
    mean the same."""
    match prompt:
        case TurnPrompt(draw, gods, takeable):
            turn: list[Command] = [Draw(), InvokeRa()] if draw else [InvokeRa()]
            kinds = [(kind, takeable.count(kind)) for kind in sorted(set(takeable))]
            for count in range(1, gods + 1):
                turn += map(SpendGods, _picks(kinds, count))
            return tuple(turn)
        case BidPrompt(suns, may_pass):
            bids: list[Command] = [Pass()] if may_pass else []
            return (*bids, *map(Bid, suns))
        case DiscardPrompt(_, count, held):
            return tuple(map(Discard, _picks(held, count)))
    raise TypeError(f"{type(prompt).__name__} is no prompt of Ra")


def canonical(command: Command) -> Command:
    """The command of `choices` that means the same as `command`."""
    match command:
        case SpendGods(take):
            return SpendGods(tuple(sorted(take)))
        case Discard(give):
            return Discard(tuple(sorted(give)))
    return command


def _picks(kinds: Sequence[tuple[Kind, int]], count: int) -> Iterator[tuple[Kind, ...]]:
    """All ways to pick `count` tiles of `kinds` (with how many there are of each)."""
    if not kinds:
        if not count:
            yield ()
        return
    (kind, there), rest = kinds[0], kinds[1:]
    for taken in range(min(there, count), -1, -1):
        for others in _picks(rest, count - taken):
            yield (kind,) * taken + others

"""Games that bots play against each other, straight through the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from engine.deal import Chance
from engine.entry import Command
from engine.game import Bot, Setup
from engine.match import Match
from engine.ra.deal import RaDeal
from engine.ra.game import RA
from engine.ra.state import RaState


def start(setup: Setup, number: int) -> tuple[Match[RaState], RaDeal]:
    """The match that game `number` (0, 1, 2, ...) of a fixed series begins with."""
    deal = RA.deal(setup, Chance(number.to_bytes(32, "big")))
    return Match(RA, setup, deal), deal


def decide(bot: Bot, match: Match[RaState], seat: int, chance: Chance) -> Command:
    """What `bot` answers for `seat`, from the views of that seat."""
    views = RA.public(match.state), RA.private(match.state, seat)
    return bot.choose(*views, match.asked[seat].prompt, chance)


def act(match: Match[RaState], seat: int, command: Command) -> None:
    """Carry out the answer of `seat`; raises IllegalAction."""
    step = match.draft(seat, match.asked[seat].token, command)
    match.accept(match.number + 1, seat, step)


def play(
    bots: Sequence[Bot], ruleset: str, number: int, options: tuple[str, ...] = ()
) -> Match[RaState]:
    """Game `number` of the series, played to its end."""
    match, _ = start(Setup(ruleset, len(bots), options), number)
    chance = Chance(number.to_bytes(31, "big") + b"\x01")
    while match.asked:
        (seat,) = match.asked
        act(match, seat, decide(bots[seat], match, seat, chance))
    return match

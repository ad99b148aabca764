"""The answers that a thinking bot considers, as acts on a position and as commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import evolve, frozen

from engine.entry import Command
from engine.ra.bots import policy
from engine.ra.bots.lots import TASTE
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.state import Phase
from engine.ra.words.choices import choices
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import TRACK_SPACES, Kind
from engine.ra.words.prompts import DiscardPrompt

_MOST_DISCARDS = 6
_GENEROUS = evolve(TASTE, spend=-1.5)
"""Spends gods where `policy` would not yet."""


@frozen
class Considered:
    """One answer to the open prompt."""

    command: Command
    act: Callable[[Position], None]


def own(at: Position) -> Considered:
    """The policy's own answer."""
    if at.phase is Phase.TURN:
        return _turn(policy.turn(at))
    if at.phase is Phase.AUCTION:
        return _bid(policy.bid(at))
    return _discard(policy.discard(at))


def considered(at: Position) -> list[Considered]:
    """The answers worth a thought, the policy's own first."""
    if at.phase is Phase.TURN:
        return _turns(at)
    if at.phase is Phase.AUCTION:
        return _bids(at)
    return _discards(at)


def _turns(at: Position) -> list[Considered]:
    seat = at.turn
    answers = [policy.turn(at)]
    more: list[tuple[int, ...] | None] = []
    if len(at.track) < TRACK_SPACES:
        more.append(None)
    if at.track or at.ra + 1 == at.spaces:
        more.append(())
    if at.track and at.hands[seat][Kind.GOD]:
        take = policy.gods(at, _GENEROUS)
        more += [take[:1], take]
    for answer in more:
        if answer not in answers:
            answers.append(answer)
    return [_turn(answer) for answer in answers]


def _turn(take: tuple[int, ...] | None) -> Considered:
    if take is None:
        return Considered(Draw(), Position.draw)
    if not take:
        return Considered(InvokeRa(), Position.invoke)
    return Considered(SpendGods(tuple(map(Kind, take))), partial(_spend_gods, take))


def _spend_gods(take: tuple[int, ...], at: Position) -> None:
    at.spend_gods(take)


def _bids(at: Position) -> list[Considered]:
    seat = at.asked
    assert seat is not None
    answers = [policy.bid(at)]
    must = seat == at.turn and not at.highest and at.reason is Reason.INVOKED
    for sun in (*([] if must else [0]), *at.up[seat]):
        if sun not in answers and (not sun or sun > at.highest):
            answers.append(sun)
    return [_bid(sun) for sun in answers]


def _bid(sun: int) -> Considered:
    if not sun:
        return Considered(Pass(), Position.pass_bid)
    return Considered(Bid(sun), partial(_bid_sun, sun))


def _bid_sun(sun: int, at: Position) -> None:
    at.bid(sun)


def _discards(at: Position) -> list[Considered]:
    seat = at.asked
    assert seat is not None
    disaster, count = at.owes()
    kinds = ASKED_FOR[disaster]
    held = tuple([(Kind(kind), at.hands[seat][kind]) for kind in kinds if at.hands[seat][kind]])
    first = policy.discard(at)
    answers = [first]
    for command in choices(DiscardPrompt(disaster, count, held)):
        assert isinstance(command, Discard)
        if command.give != first and len(answers) < _MOST_DISCARDS:
            answers.append(tuple(map(int, command.give)))
    return [_discard(give) for give in answers]


def _discard(give: tuple[int, ...]) -> Considered:
    return Considered(Discard(tuple(map(Kind, give))), partial(_give_up, give))


def _give_up(give: tuple[int, ...], at: Position) -> None:
    at.discard(give)

"""The candidate answers of a searching bot, as moves on a position and as commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import evolve, frozen

from engine.entry import Command
from engine.ra.bots import policy
from engine.ra.bots.lot_value import WEIGHTS
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.state import RaPhase
from engine.ra.words.choices import choices
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import TRACK_SPACES, Kind
from engine.ra.words.prompts import DiscardPrompt

_MOST_DISCARDS = 6
_GENEROUS = evolve(WEIGHTS, spend=-1.5)
"""Spends gods earlier than the policy would."""


@frozen
class Candidate:
    """One candidate answer to the open prompt."""

    command: Command
    act: Callable[[Position], None]


def policy_choice(position: Position) -> Candidate:
    """The answer that the policy gives."""
    if position.phase is RaPhase.TURN:
        return _turn(policy.turn(position))
    if position.phase is RaPhase.AUCTION:
        return _bid(policy.bid(position))
    return _discard(policy.discard(position))


def candidates_at(position: Position) -> list[Candidate]:
    """The answers worth searching, the policy's own first."""
    if position.phase is RaPhase.TURN:
        return _turns(position)
    if position.phase is RaPhase.AUCTION:
        return _bids(position)
    return _discards(position)


def _turns(position: Position) -> list[Candidate]:
    seat = position.turn
    answers = [policy.turn(position)]
    more: list[tuple[int, ...] | None] = []
    if len(position.track) < TRACK_SPACES:
        more.append(None)
    if position.track or position.ra + 1 == position.spaces:
        more.append(())
    if position.track and position.hands[seat][Kind.GOD]:
        take = policy.gods(position, _GENEROUS)
        more += [take[:1], take]
    for answer in more:
        if answer not in answers:
            answers.append(answer)
    return [_turn(answer) for answer in answers]


def _turn(take: tuple[int, ...] | None) -> Candidate:
    if take is None:
        return Candidate(Draw(), Position.draw)
    if not take:
        return Candidate(InvokeRa(), Position.invoke)
    return Candidate(SpendGods(tuple(map(Kind, take))), partial(_spend_gods, take))


def _spend_gods(take: tuple[int, ...], position: Position) -> None:
    position.spend_gods(take)


def _bids(position: Position) -> list[Candidate]:
    seat = position.asked
    assert seat is not None
    answers = [policy.bid(position)]
    must = seat == position.turn and not position.highest and position.reason is Reason.INVOKED
    for sun in (*([] if must else [0]), *position.up[seat]):
        if sun not in answers and (not sun or sun > position.highest):
            answers.append(sun)
    return [_bid(sun) for sun in answers]


def _bid(sun: int) -> Candidate:
    if not sun:
        return Candidate(Pass(), Position.pass_bid)
    return Candidate(Bid(sun), partial(_bid_sun, sun))


def _bid_sun(sun: int, position: Position) -> None:
    position.bid(sun)


def _discards(position: Position) -> list[Candidate]:
    seat = position.asked
    assert seat is not None
    disaster, count = position.owes()
    kinds = ASKED_FOR[disaster]
    held = tuple(
        [(Kind(kind), position.hands[seat][kind]) for kind in kinds if position.hands[seat][kind]]
    )
    first = policy.discard(position)
    answers = [first]
    for command in choices(DiscardPrompt(disaster, count, held)):
        assert isinstance(command, Discard)
        if command.give != first and len(answers) < _MOST_DISCARDS:
            answers.append(tuple(map(int, command.give)))
    return [_discard(give) for give in answers]


def _discard(give: tuple[int, ...]) -> Candidate:
    return Candidate(Discard(tuple(map(Kind, give))), partial(_give_up, give))


def _give_up(give: tuple[int, ...], position: Position) -> None:
    position.discard(give)

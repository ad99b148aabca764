"""Decides the commands of Ra: grants or refuses each, and emits the events that follow.

Each function emits events one by one; each event advances the state through `evolve`, so that the
next step sees it. The open prompt alone says what is allowed (`engine.ra.legal`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from engine.entry import Command, Event, Prompt
from engine.errors import Code, IllegalAction
from engine.ra.events import EpochScored
from engine.ra.evolve import evolve
from engine.ra.legal import forced_loss, may_only_pass, open_prompt
from engine.ra.scoring import score, winners
from engine.ra.state import RaState
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    EpochEnd,
    EpochEnded,
    GameEnded,
    GodsSpent,
    Passed,
    Reason,
    SunBid,
    TileDrawn,
    TilesLost,
)
from engine.ra.words.pieces import DISASTERS, EPOCHS, TRACK_SPACES, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.refusals import RaRefusal

# Events without secrets that come up all the time are made once.
_tile_drawn = cache(TileDrawn)
_auction_began = cache(AuctionBegan)
_sun_bid = cache(SunBid)
_passed = cache(Passed)


class _Cascade:
    """The events that follow from one command, each carried out as it is emitted."""

    __slots__ = ("events", "state")

    def __init__(self, state: RaState) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)
        evolve(self.state, event)


def decide(state: RaState, seat: int, command: Command) -> tuple[Event, ...]:
    """Carry out `command` of `seat` on `state`, a copy; raises IllegalAction."""
    if seat != state.asked:
        raise IllegalAction(Code.NO_PROMPT, seat=seat)
    prompt = open_prompt(state)
    answer = _ANSWERS.get(type(command))
    if answer is None or type(prompt) is not answer[0]:
        raise IllegalAction(Code.WRONG_COMMAND)
    cascade = _Cascade(state)
    answer[1](cascade, prompt, seat, command)
    return tuple(cascade.events)


# A turn


def _draw(cascade: _Cascade, prompt: TurnPrompt, seat: int, command: Draw) -> None:
    if not prompt.draw:
        raise IllegalAction(RaRefusal.TRACK_FULL, spaces=TRACK_SPACES)
    state = cascade.state
    tile = state.terms.bag[state.drawn]
    cascade.emit(_tile_drawn(seat, tile))
    if tile is Kind.RA:
        if state.ra == state.terms.ra_spaces:
            _end_epoch(cascade, EpochEnd.RA_TRACK)
        else:
            _begin_auction(cascade, seat, Reason.DRAWN)
    elif len(state.track) == TRACK_SPACES and state.terms.ruleset.full_track_starts_auction:
        _begin_auction(cascade, seat, Reason.FORCED)


def _invoke(cascade: _Cascade, prompt: TurnPrompt, seat: int, command: InvokeRa) -> None:
    state = cascade.state
    full = len(state.track) == TRACK_SPACES
    reason = state.terms.ruleset.reason_of_full_track if full else Reason.INVOKED
    _begin_auction(cascade, seat, reason)


def _spend_gods(cascade: _Cascade, prompt: TurnPrompt, seat: int, command: SpendGods) -> None:
    take = command.take
    named = _counted(take)
    if not take:
        raise IllegalAction(RaRefusal.NO_TILE_NAMED)
    if len(take) > prompt.gods:
        raise IllegalAction(RaRefusal.TOO_FEW_GODS, named=len(take), gods=prompt.gods)
    for tile, count in named.items():
        takeable = prompt.takeable.count(tile)
        if count > takeable:
            raise IllegalAction(
                RaRefusal.NOT_TAKEABLE, tile=int(tile), named=count, takeable=takeable
            )
    cascade.emit(GodsSpent(seat, take))
    _settle(cascade)


# An auction


def _begin_auction(cascade: _Cascade, seat: int, reason: Reason) -> None:
    cascade.emit(_auction_began(seat, reason))


def _bid(cascade: _Cascade, prompt: BidPrompt, seat: int, command: Bid) -> None:
    sun = command.sun
    # True is 1 for Python, but it is no sun.
    if type(sun) is not int or sun not in prompt.suns:
        raise _refused_bid(cascade.state, seat, sun)
    cascade.emit(_sun_bid(seat, sun))
    _go_on(cascade)


def _refused_bid(state: RaState, seat: int, sun: object) -> IllegalAction:
    if type(sun) is not int:
        return IllegalAction(RaRefusal.NOT_YOUR_SUN, sun=type(sun).__name__)
    if sun not in state.up[seat]:
        return IllegalAction(RaRefusal.NOT_YOUR_SUN, sun=sun)
    return IllegalAction(RaRefusal.SUN_TOO_LOW, sun=sun, highest=state.highest)


def _pass(cascade: _Cascade, prompt: BidPrompt, seat: int, command: Pass) -> None:
    if not prompt.may_pass:
        raise IllegalAction(RaRefusal.MUST_BID)
    cascade.emit(_passed(seat))
    _go_on(cascade)


def _go_on(cascade: _Cascade) -> None:
    """Close the auction if the Ra player has answered."""
    state = cascade.state
    if state.terms.answer_passes:
        while may_only_pass(state):
            assert state.asked is not None
            cascade.emit(_passed(state.asked))
    if state.asked is not None:
        return
    if state.leader is not None:
        cascade.emit(AuctionWon(state.leader, state.highest, state.sun, state.track))
        _settle(cascade)
        return
    forced = state.reason is Reason.FORCED and state.terms.ruleset.forced_discards
    cascade.emit(AuctionLapsed(state.turn, state.track if forced else ()))


# Disasters


def _discard(cascade: _Cascade, prompt: DiscardPrompt, seat: int, command: Discard) -> None:
    give = command.give
    given = _counted(give)
    if len(give) != prompt.count:
        raise IllegalAction(RaRefusal.WRONG_COUNT, given=len(give), count=prompt.count)
    held = dict(prompt.held)
    for tile, count in given.items():
        if count > held.get(tile, 0):
            raise IllegalAction(
                RaRefusal.NOT_HELD, tile=int(tile), given=count, held=held.get(tile, 0)
            )
    cascade.emit(TilesLost(seat, prompt.disaster, give))
    _settle(cascade)


def _settle(cascade: _Cascade) -> None:
    """Carry out the disasters that leave no choice; end the epoch if no choice is open
    and no sun is face up."""
    state = cascade.state
    if any(state.owed):
        assert state.asked is not None
        seat = state.asked
        for disaster in map(Kind, DISASTERS):
            owed = state.owed[disaster - Kind.FUNERAL]
            lost = forced_loss(state.tiles[seat], disaster, owed) if owed else None
            if lost is not None:
                cascade.emit(TilesLost(seat, disaster, lost))
    if state.asked is None:
        _end_epoch(cascade, EpochEnd.SUNS_SPENT)


# The end of an epoch


def _end_epoch(cascade: _Cascade, reason: EpochEnd) -> None:
    state = cascade.state
    cascade.emit(EpochEnded(state.epoch, reason))
    cascade.emit(EpochScored(score(state), state.terms.open_information))
    if state.epoch < EPOCHS:
        cascade.emit(EpochBegan(state.epoch + 1, state.holder_of_highest_sun()))
    else:
        cascade.emit(GameEnded(state.points, winners(state), state.sheets))


def _counted(tiles: Iterable[Kind]) -> Counter[Kind]:
    """How many of each kind are named; refuses anything but a tuple of kinds."""
    if type(tiles) is not tuple or any(type(tile) is not Kind for tile in tiles):
        raise IllegalAction(RaRefusal.NOT_A_TILE)
    return Counter(tiles)


_Answer = Callable[[_Cascade, Any, int, Any], None]
_ANSWERS: dict[type[Command], tuple[type[Prompt], _Answer]] = {
    Draw: (TurnPrompt, _draw),
    InvokeRa: (TurnPrompt, _invoke),
    SpendGods: (TurnPrompt, _spend_gods),
    Bid: (BidPrompt, _bid),
    Pass: (BidPrompt, _pass),
    Discard: (DiscardPrompt, _discard),
}
"""For each command the prompt it answers, and how it is carried out."""

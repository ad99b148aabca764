"""Carries out the events of Ra in place: one function for each.

Decides and checks nothing: events carry outcomes, and only what the order of play determines (who
is next) is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.entry import Event
from engine.errors import BrokenLog
from engine.ra.events import EpochScored
from engine.ra.state import NONE_OWED, RaPhase, RaState, replaced
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    EpochEnded,
    GameEnded,
    GodsSpent,
    Passed,
    SunBid,
    TileDrawn,
    TilesLost,
)
from engine.ra.words.pieces import CIVILIZATIONS, Kind

_DISCARDED = (Kind.GOD, Kind.GOLD, Kind.FLOOD, *map(Kind, CIVILIZATIONS))
"""What every player discards at the end of an epoch (The end of an epoch, 3)."""


def evolve(state: RaState, event: Event) -> None:
    """Advance `state` by one fact; raises BrokenLog for anything but an event of Ra."""
    step = _STEPS.get(type(event))
    if step is None:
        raise BrokenLog(f"{type(event).__name__} is no event of Ra")
    step(state, event)


def _tile_drawn(state: RaState, event: TileDrawn) -> None:
    state.drawn += 1
    if event.tile is Kind.RA:
        state.ra += 1
    else:
        state.track += (event.tile,)
        state.pass_turn()


def _auction_began(state: RaState, event: AuctionBegan) -> None:
    state.phase = RaPhase.AUCTION
    state.turn = event.seat
    state.reason = event.reason
    state.bids = (None,) * state.terms.seats
    state.asked = state.next_with_sun(event.seat)


def _sun_bid(state: RaState, event: SunBid) -> None:
    state.bids = replaced(state.bids, event.seat, event.sun)
    state.highest = event.sun
    state.leader = event.seat
    state.ask_next_bidder(event.seat)


def _passed(state: RaState, event: Passed) -> None:
    state.bids = replaced(state.bids, event.seat, 0)
    state.ask_next_bidder(event.seat)


def _close_auction(state: RaState) -> None:
    state.reason = None
    state.bids = ()
    state.highest = 0
    state.leader = None


def _auction_won(state: RaState, event: AuctionWon) -> None:
    seat, paid = event.seat, event.paid
    up = tuple([sun for sun in state.up[seat] if sun != paid])
    state.up = replaced(state.up, seat, up)
    down = tuple(sorted((*state.down[seat], event.taken)))
    state.down = replaced(state.down, seat, down)
    state.sun = paid
    state.track = ()
    _close_auction(state)
    state.receive(seat, event.tiles)


def _auction_lapsed(state: RaState, event: AuctionLapsed) -> None:
    if event.discarded:
        state.leave_game(event.discarded)
        state.track = ()
    _close_auction(state)
    state.pass_turn()


def _gods_spent(state: RaState, event: GodsSpent) -> None:
    track = list(state.track)
    for tile in event.taken:
        track.remove(tile)
    state.track = tuple(track)
    state.give_up(event.seat, (Kind.GOD,) * len(event.taken))
    state.receive(event.seat, event.taken)


def _tiles_lost(state: RaState, event: TilesLost) -> None:
    state.give_up(event.seat, event.tiles)
    state.owed = replaced(state.owed, event.disaster - Kind.FUNERAL, 0)
    if state.owed == NONE_OWED:
        state.pass_turn()


def _epoch_ended(state: RaState, event: EpochEnded) -> None:
    state.leave_game(state.track)
    state.leave_game((Kind.RA,) * state.ra)
    state.track = ()
    state.ra = 0
    state.asked = None


def _epoch_scored(state: RaState, event: EpochScored) -> None:
    state.points = tuple([sheet.total for sheet in event.sheets])
    state.sheets = tuple(
        [(*before, sheet) for before, sheet in zip(state.sheets, event.sheets, strict=True)]
    )
    for seat, held in enumerate(state.tiles):
        state.give_up(seat, [kind for kind in _DISCARDED for _ in range(held[kind])])
    state.up = tuple(
        [tuple(sorted(up + down)) for up, down in zip(state.up, state.down, strict=True)]
    )
    state.down = ((),) * state.terms.seats


def _epoch_began(state: RaState, event: EpochBegan) -> None:
    state.epoch = event.epoch
    state.turn = state.asked = event.seat


def _game_ended(state: RaState, event: GameEnded) -> None:
    state.phase = RaPhase.OVER
    state.winners = event.winners


_STEPS: dict[type[Event], Callable[[RaState, Any], None]] = {
    TileDrawn: _tile_drawn,
    AuctionBegan: _auction_began,
    SunBid: _sun_bid,
    Passed: _passed,
    AuctionWon: _auction_won,
    AuctionLapsed: _auction_lapsed,
    GodsSpent: _gods_spent,
    TilesLost: _tiles_lost,
    EpochEnded: _epoch_ended,
    EpochScored: _epoch_scored,
    EpochBegan: _epoch_began,
    GameEnded: _game_ended,
}

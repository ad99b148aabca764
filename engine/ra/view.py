"""What an audience may know of a game of Ra (rules, What a player may see).

Built up from nothing: whatever is not named here stays hidden.
"""

from __future__ import annotations

from functools import lru_cache

from engine.ra.state import RaPhase, RaState
from engine.ra.words.pieces import COPIES
from engine.ra.words.views import Auction, Board, Hidden, Player

_TILES = sum(COPIES)


def public(state: RaState) -> Board:
    """What everybody may know."""
    terms = state.terms
    over = state.phase is RaPhase.OVER
    shown = over or terms.open_information
    return Board(
        ruleset=terms.ruleset.name,
        epoch=state.epoch,
        ra=state.ra,
        ra_spaces=terms.ra_spaces,
        track=state.track,
        sun=state.sun,
        bag=_TILES - state.drawn,
        turn=None if over else state.turn,
        auction=_auction(state),
        players=tuple([_player(state, seat, shown) for seat in range(terms.seats)]),
        gone=state.gone,
        winners=state.winners,
    )


def _auction(state: RaState) -> Auction | None:
    if state.reason is None:
        return None
    return Auction(state.turn, state.reason, state.bids)


def _player(state: RaState, seat: int, shown: bool) -> Player:
    hidden = private(state, seat) if shown else None
    return _made_player(state.tiles[seat], state.up[seat], len(state.down[seat]), hidden)


# Few players change with an action: the others' views stay the same objects.
_made_player = lru_cache(1024)(Player)


def private(state: RaState, seat: int) -> Hidden:
    """What `seat` may know beyond the public view; raises ValueError for a number that
    is no seat of the match."""
    if not 0 <= seat < state.terms.seats:
        raise ValueError(f"{seat} is no seat of the match")
    return Hidden(state.points[seat], state.down[seat], state.sheets[seat])

"""What an audience may know of a game of Raja (rules, What a player may see).

Built up from nothing: whatever is not named here stays hidden.
"""

from __future__ import annotations

from functools import lru_cache

from engine.raja.legal import palaces_left
from engine.raja.state import Open, RajaState
from engine.raja.words.views import Board, Hidden, OpenAction, Palaces, Player, RajaPhase, Turn

_palaces = lru_cache(4096)(Palaces)
# Few players change with an action: the others' views stay the same objects.
_made_player = lru_cache(1024)(Player)


def public(state: RajaState) -> Board:
    """What everybody may know."""
    terms = state.terms
    shown = state.phase is RajaPhase.OVER or terms.open_information
    return Board(
        ruleset=terms.ruleset.name,
        phase=state.phase,
        round=state.round,
        last_round=terms.ruleset.last_round,
        first=terms.first,
        space=terms.space,
        maharaja=state.maharaja,
        track=state.track,
        display=state.display,
        players=tuple([_player(state, seat, shown) for seat in range(terms.seats)]),
        houses=state.houses,
        palaces=tuple(map(_palaces, state.central, state.outer)),
        turn=_turn(state),
        winners=() if state.winner is None else (state.winner,),
    )


def _player(state: RajaState, seat: int, shown: bool) -> Player:
    acted, chosen = state.acted[seat], state.chosen[seat]
    return _made_player(
        state.characters[seat],
        state.architects[seat],
        state.supply[seat],
        state.quarry[seat],
        palaces_left(state, seat),
        state.gold[seat] if shown else None,
        bool(chosen),
        chosen if acted or seat == state.turn else (),
        acted,
    )


def _turn(state: RajaState) -> Turn | None:
    if state.turn is None:
        return None
    return Turn(state.turn, _open(state.open), state.roads, state.builder, state.trader)


@lru_cache(1024)
def _open(actions: tuple[Open, ...]) -> tuple[OpenAction, ...]:
    return tuple([OpenAction(action, parts) for action, parts in actions])


def private(state: RajaState, seat: int) -> Hidden:
    """What `seat` may know beyond the public view; raises ValueError for a number that
    is no seat of the match."""
    if not 0 <= seat < state.terms.seats:
        raise ValueError(f"{seat} is no seat of the match")
    return Hidden(state.gold[seat], state.chosen[seat], seat)

"""What may be done now: the prompts of Ra.

The one place that knows what is allowed; `decide` refuses what a prompt does not
offer. Equal prompts are one object, made once.
"""

from __future__ import annotations

from functools import lru_cache

from engine.entry import Command, Prompt
from engine.ra.state import RaState
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import CIVILIZATIONS, MONUMENTS, TRACK_SPACES, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt

TILES_PER_DISASTER = 2
_CHOICES = {Kind.UNREST: CIVILIZATIONS, Kind.EARTHQUAKE: MONUMENTS}
"""The disasters that may leave a choice, with the tiles they cost."""
_NO_GODS = (TurnPrompt(False, 0, ()), TurnPrompt(True, 0, ()))
"""The prompts of a turn without gods, by whether a tile may be drawn."""


def open_prompt(state: RaState) -> Prompt | None:
    """What `state.asked` may do now; None if nobody is asked."""
    seat = state.asked
    return None if seat is None else _PROMPTS[state.phase](state, seat)


def _turn(state: RaState, seat: int) -> Prompt:
    track = state.track
    gods = state.tiles[seat][Kind.GOD]
    draw = len(track) < TRACK_SPACES
    if not gods or not track:
        return _NO_GODS[draw]
    if not state.terms.ruleset.gods_take_gods:
        track = tuple([tile for tile in track if tile is not Kind.GOD])
    return _turn_prompt(draw, min(gods, len(track)), track)


def _bid(state: RaState, seat: int) -> Prompt:
    suns, highest = state.up[seat], state.highest
    if highest:
        return _bid_prompt(tuple([sun for sun in suns if sun > highest]), True)
    return _bid_prompt(suns, seat != state.turn or state.reason is not Reason.INVOKED)


def _discard(state: RaState, seat: int) -> Prompt:
    disaster = next_disaster(state)
    held = state.tiles[seat]
    count = TILES_PER_DISASTER * state.owed[disaster - Kind.FUNERAL]
    kinds = [(Kind(kind), held[kind]) for kind in _CHOICES[disaster] if held[kind]]
    return DiscardPrompt(disaster, count, tuple(kinds))


_PROMPTS = (_turn, _bid, _discard)
"""By `Phase`; nobody is asked when the game is over."""

_turn_prompt = lru_cache(1024)(TurnPrompt)
_bid_prompt = lru_cache(1024)(BidPrompt)


def next_disaster(state: RaState) -> Kind:
    """The disaster whose choice is open: unrest before earthquake (Disasters)."""
    return Kind.UNREST if state.owed[Kind.UNREST - Kind.FUNERAL] else Kind.EARTHQUAKE


def forced_loss(held: tuple[int, ...], disaster: Kind, owed: int) -> tuple[Kind, ...] | None:
    """The tiles that a player who holds `held` loses to `owed` tiles of `disaster`;
    None where there is a choice: more tiles held than must go, and not all of one
    type (Disasters)."""
    count = TILES_PER_DISASTER * owed
    if disaster is Kind.FUNERAL:
        return (Kind.PHARAOH,) * min(count, held[Kind.PHARAOH])
    if disaster is Kind.DROUGHT:
        floods = min(count, held[Kind.FLOOD])
        niles = min(count - floods, held[Kind.NILE])
        return (Kind.FLOOD,) * floods + (Kind.NILE,) * niles
    tiles = [Kind(kind) for kind in _CHOICES[disaster] for _ in range(held[kind])]
    if len(tiles) > count and tiles[0] is not tiles[-1]:
        return None
    return tuple(tiles[:count])


def harmless(prompt: Prompt) -> Command:
    """The answer for a player who gives none: draw, or invoke Ra if the track is full; pass, or bid
    the lowest sun; give up what is held most."""
    match prompt:
        case TurnPrompt(draw=draw):
            return Draw() if draw else InvokeRa()
        case BidPrompt(suns, may_pass):
            return Pass() if may_pass else Bid(suns[0])
        case DiscardPrompt(_, count, held):
            left = dict(held)
            give = []
            for _ in range(count):
                most = max(left, key=left.__getitem__)
                left[most] -= 1
                give.append(most)
            return Discard(tuple(sorted(give)))
    raise TypeError(f"{type(prompt).__name__} is no prompt of Ra")


def may_only_pass(state: RaState) -> bool:
    """Whether, in an auction, a player is asked who has no sun to bid (An auction)."""
    seat = state.asked
    return seat is not None and state.up[seat][-1] < state.highest

"""The scoring of a city, and who wins (rules, Scoring a city; The end).

Pure arithmetic on what stands on the map; changes nothing.
"""

from __future__ import annotations

from engine.raja.state import RajaState
from engine.raja.words.map import Place
from engine.raja.words.pieces import Character

CENTRAL_POINTS = 3
PAY: dict[int, tuple[int, ...]] = {
    2: (10, 5),
    3: (11, 7, 3),
    4: (12, 9, 6, 3),
    5: (13, 10, 7, 4, 1),
}
"""Gold by place, by number of players."""


def points(state: RajaState, city: Place) -> tuple[int, ...]:
    """Each seat's points in `city`."""
    found = [0] * state.terms.seats
    central = state.central[city]
    if central is not None:
        found[central] += CENTRAL_POINTS
    for owner in state.outer[city]:
        found[owner] += 2 if Character.SADHU in state.characters[owner] else 1
    for owner in state.houses[city]:
        found[owner] += 1
    for seat, place in enumerate(state.architects):
        if place is city:
            found[seat] += 1
    return tuple(found)


def pay(state: RajaState, scored: tuple[int, ...]) -> tuple[int, ...]:
    """The gold that the bank pays each seat for the points `scored`: by place, ties by rank;
    nothing for a player without points."""
    placed = sorted(state.ranked(), key=lambda seat: -scored[seat])
    gold = [0] * len(scored)
    for seat, amount in zip(placed, PAY[len(scored)], strict=True):
        if scored[seat]:
            gold[seat] = amount
    return tuple(gold)


def is_over(state: RajaState) -> bool:
    """Whether the game ends with the round that was just scored."""
    ruleset = state.terms.ruleset
    return state.round == ruleset.last_round or max(state.built) == ruleset.palaces


def winner(state: RajaState) -> int:
    """The seat with most palaces; ties: more gold, then the better rank."""
    return max(
        range(state.terms.seats),
        key=lambda seat: (state.built[seat], state.gold[seat], -state.characters[seat][0]),
    )

"""How a stream begins: the entry that opens a table, and the start of its match.

Does not know games by name; the caller brings secrets, codes and times.
"""

from __future__ import annotations

from typing import Any

from engine import clock
from engine.deal import Chance, derive_seed
from engine.entry import Cause, Entry, Sealed
from engine.errors import BrokenLog
from engine.game import Game, find_game
from engine.match import Match
from engine.table.decide import open_table
from engine.table.state import Seating
from engine.table.words import MatchStarted, Open, TableOpened


def start(
    game: Game[Any], seating: Seating, secret: bytes, deal: Any, number: int
) -> tuple[MatchStarted, Match[Any], Sealed]:
    """Start a match with the seats taken, as part of entry `number`."""
    setup = seating.setup()
    started = seating.started(supplied=deal is not None)
    seating.evolve(started)
    if deal is None:
        deal = game.deal(setup, Chance(derive_seed(secret, seating.nonces())))
    return started, Match(game, setup, deal, number), Sealed(secret, deal)


def refold_start(game: Game[Any], seating: Seating, entry: Entry) -> Match[Any]:
    """The match that `entry` started; raises BrokenLog."""
    if entry.sealed is None or entry.sealed.deal is None:
        raise BrokenLog(f"entry {entry.number} starts a match without a deal")
    try:
        return Match(game, seating.setup(), entry.sealed.deal, entry.number)
    except Exception as error:
        # A game's setup trusts the ruleset and the seats that its `check` let through.
        raise BrokenLog(
            f"entry {entry.number} cannot start a match with these seats, this ruleset and deal"
        ) from error


def open_stream(
    command: Open,
    *,
    id: bytes | None,
    person: bytes,
    code: str,
    secret: bytes,
    bot_nonces: tuple[bytes, ...],
    time: int,
    game: Game[Any] | None = None,
    deal: Any = None,
) -> Entry:
    """The entry that opens a table (fold it with `Stream(entry)`); raises IllegalAction.

    A table that is full at once (bots on all seats) starts at once; `deal` supplies
    that match's deal, and an empty `secret` says that this table's deals are supplied.
    """
    game = game or find_game(command.game)
    events = open_table(command, person, game, code=code, secret=secret, nonces=bot_nonces)
    opened, *taken = events
    assert isinstance(opened, TableOpened)
    seating = Seating(opened)
    for event in taken:
        seating.evolve(event)
    sealed = Sealed(secret)
    if seating.full():
        started, _, sealed = start(game, seating, secret, deal, 1)
        events.append(started)
    return Entry(
        number=1,
        time=time,
        cause=Cause.COMMAND,
        seat=None,
        person=person,
        id=id,
        command=command,
        events=tuple(events),
        sealed=sealed,
        clocks=clock.begin(seating.clock, len(seating.places)) if seating.places else None,
    )

"""Tells what happens at a table in sentences: the table's own happenings here, a game's by its
client side. Does not know about layout or any particular game."""

from __future__ import annotations

from typing import Any

from client.games import GameClient
from client.state.scene import Scene
from client.text import cut
from protocol import table

AT_TABLE = tuple(table.HAPPENINGS.values())
"""What can happen at any table; everything else belongs to a game."""

LONGEST = 400
"""The most cells of a sentence."""


def narrate(happening: Any, scene: Scene, game: GameClient) -> tuple[str, ...]:
    """Sentences about one happening, with the names of `scene`."""
    own = _at_table(happening, scene)
    sentences = game.narrate(happening, scene.name) if own is None else own
    return tuple([cut(sentence, LONGEST) for sentence in sentences])


def _at_table(happening: Any, scene: Scene) -> tuple[str, ...] | None:
    """Sentences about one of the table's own happenings; None for a game's."""
    match happening:
        case table.TableOpened():
            return (f"The table {happening.code} is open.",)
        case table.SeatTaken(seat=seat, bot=bot):
            kind = "" if bot is None else ", a bot,"
            return (f"{scene.table_name(seat)}{kind} takes seat {seat + 1}.",)
        case table.SeatFreed(seat=seat):
            return (f"Seat {seat + 1} is free again.",)
        case table.MatchStarted(places=places):
            names = ", ".join(scene.table_name(seat) for seat in places)
            return (f"The match starts: {names}.",)
        case table.TakenBack(seat=seat, to=to):
            return (f"{scene.name(seat)} takes back: all is again as after step {to}.",)
        case table.TableClosed(reason=reason):
            return (f"The table is closed: {_why_closed(reason, scene)}.",)
        case table.Voted(seat, by):
            return (f"{scene.name(by)} says that {scene.name(seat)} is absent.",)
        case table.TimedOut(seat, default):
            return (_timed_out(seat, default, scene),)
        case table.SatIn(seat, bot):
            who = f"A bot ({bot}) plays" if bot else "The default action is played"
            return (f"{who} for {scene.name(seat)} from now on.",)
        case table.Returned(seat):
            return (f"{scene.name(seat)} is back and plays on.",)
        case table.Substituted(seat):
            return (f"{scene.name(seat)} takes the seat of somebody absent.",)
        case table.HostPassed():
            host = scene.table.host
            who = scene.table_name(host) if host is not None else "somebody else"
            return (f"The host is {who} now.",)
        case table.Revealed():
            return ("The secret behind the deal is shown: anyone may check the shuffle.",)
        case _:
            return None


def _why_closed(reason: table.CloseReason, scene: Scene) -> str:
    if reason is table.CloseReason.REAPED:
        return "nobody came back"
    # players cannot give up a match that has begun
    return "the operator of the server ended it" if scene.table.places else "it was given up"


def _timed_out(seat: int, default: bool, scene: Scene) -> str:
    """Why the seat did not choose what follows. Uses only the parts of `scene` that never change
    at a table: the scene may be later than the happening."""
    who = scene.name(seat)
    if not default:
        return f"{who}'s time is up."
    rules = scene.table
    if rules.clock.kind is table.ClockKind.NONE or rules.absence is not table.Absence.DEFAULT:
        # At such a table the clock plays for nobody: the player is absent.
        return f"The default action is played for {who}."
    return f"{who} did not act in time."

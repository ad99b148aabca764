"""Turns a stream into what an audience is sent: views as trees, and what happened.

The server uses it live and replays use it afterwards, so that both show the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.entry import Audience, Cause, Entry, PublicEvent
from engine.game import Game
from engine.match import Match, OpenPrompt
from engine.stream import Stream
from engine.table.state import Seating
from engine.table.words import SatIn, TimedOut
from protocol.codec import Codec, Tree
from protocol.views import PrivateView, PromptView, PublicView, SeatView, TableView
from protocol.wire import Wire

PUBLIC: Codec[PublicView] = Codec(PublicView)
PRIVATE: Codec[PrivateView] = Codec(PrivateView)
_TABLE: Codec[TableView] = Codec(TableView)


class Projector:
    """Projects the streams of one game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.wire = Wire(game.vocabulary)

    def public(self, stream: Stream) -> Tree:
        """The tree of the stream's `PublicView`."""
        table = _table(stream.seating)
        match = stream.match
        if match is None:
            return (table, None, (), None, None)
        view = self.wire.public.pack(self.game.public(match.state))
        undo = match.undoable() if match.result is None else None
        if undo is not None and stream.seating.sitting_in[undo[0]] is not None:
            undo = None  # the person has to return first
        return (table, view, self._public_prompts(match), undo, stream.clocks)

    def private(self, stream: Stream, seat: int | None) -> Tree:
        """The tree of match seat `seat`'s `PrivateView`; None for spectators (every
        audience that is not a seat of the running match) and before the match."""
        match = stream.match
        if match is None or seat is None or not 0 <= seat < match.setup.seats:
            return None
        view = self.wire.private.pack(self.game.private(match.state, seat))
        asked = match.asked.get(seat)
        if asked is None or asked.prompt.public:
            return (view, ())
        return (view, (self._prompt(seat, asked),))

    def _public_prompts(self, match: Match[Any]) -> tuple[Tree, ...]:
        """The prompts that everybody sees, by seat."""
        asked = match.asked.items()
        found = [self._prompt(seat, one) for seat, one in asked if one.prompt.public]
        return tuple(sorted(found) if len(found) > 1 else found)

    def _prompt(self, seat: int, asked: OpenPrompt) -> Tree:
        return (seat, asked.token, self.wire.prompt.pack(asked.prompt))

    def tells_seats(self, entry: Entry) -> bool:
        """Whether some seat may learn more about an entry than its public part."""
        return any(type(event).show is not _SHOWN_TO_ALL for event in entry.events)

    def happened(self, entry: Entry, audience: Audience) -> tuple[Tree, ...]:
        """What `audience` may know of an entry: for None the public part, for a match seat what it
        learns beyond that. The public part begins with whatever the cause of the entry tells."""
        happenings = [
            happening
            for event in entry.events
            if audience is None or type(event).show is not _SHOWN_TO_ALL
            if (happening := event.show(audience)) is not None
        ]
        if entry.cause is _TIMEOUT and audience is None:
            happenings = [*_timed_out(entry), *happenings]
        return tuple(map(self.wire.happening.pack, happenings)) if happenings else ()


def _timed_out(entry: Entry) -> list[TimedOut]:
    """What the cause of an entry tells: a time that ran out, or the default action of a seat that
    somebody plays for."""
    if entry.seat is not None:
        return [TimedOut(entry.seat, True)]
    return [TimedOut(event.seat, False) for event in entry.events if type(event) is SatIn]


_TIMEOUT = Cause.TIMEOUT
_SHOWN_TO_ALL = PublicEvent.show
"""Shows nothing to a seat beyond the public part, so it need not be asked for every seat."""


@lru_cache(maxsize=1024)
def _table(seating: Seating) -> Tree:
    """The tree of a table. A stream copies its seating before it changes it, and only then, so the
    same object means the same tree, and `delta.diff` compares the same tree at no cost."""
    return _TABLE.pack(table_view(seating))


def table_view(seating: Seating) -> TableView:
    """What everybody may know of a table besides the game."""
    revealed = seating.revealed
    return TableView(
        code=seating.code,
        game=seating.game,
        rules=seating.rules,
        ruleset=seating.ruleset,
        options=seating.options,
        phase=seating.phase,
        seats=tuple([None if o is None else SeatView(o.name, o.bot) for o in seating.seats]),
        host=None if seating.host is None else seating.seat_of(seating.host),
        places=seating.places,
        commitment=seating.commitment,
        secret=revealed.secret if revealed else None,
        nonces=revealed.nonces if revealed else (),
        clock=seating.clock,
        absence=seating.absence,
        sitting_in=seating.sitting_in,
    )


__all__ = ["PRIVATE", "PUBLIC", "Projector", "PromptView", "table_view"]

"""A table as the fold of its stream: the seating, then a match, numbered throughout.

Everything a table's entries add up to is here: decide on a copy (`draft`), adopt what was stored
(`accept`), rebuild (`replay`). Pure: the caller brings time, secrets and codes, stores the entry,
and tells people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from attrs import evolve

from engine import timing
from engine.draft import Draft, Repeat, Request
from engine.entry import Cause, Command, Entry, Event, Sealed
from engine.errors import BrokenLog, Code, FutureLog, IllegalAction
from engine.game import FindGame, find_game
from engine.match import Match, OpenPrompt
from engine.opening import open_stream, refold_start, start
from engine.permission import may_act, may_sit_out
from engine.table.decide import decide
from engine.table.state import Seating
from engine.table.words import (
    Join,
    MatchStarted,
    Open,
    Phase,
    Return,
    Returned,
    Revealed,
    SatIn,
    SitOut,
    Start,
    Substitute,
    TableOpened,
)

_Key = tuple[int | None, bytes | None, bytes]
"""Match seat (None at the table), sender, command id: what identifies a request. Ids belong to
their sender, so a person who takes over a seat may use those of the owner before."""


class Stream:
    """One table's fold. One owner: the only writer of the stream."""

    __slots__ = ("_answers", "_out", "clocks", "game", "match", "number", "sealed", "seating")

    def __init__(self, first: Entry, find: FindGame = find_game) -> None:
        """Fold the entry that opens a table; `find` gives a game by name.

        Raises BrokenLog, FutureLog, and IllegalAction(BAD_OPTIONS) for an unknown game.
        """
        opened = first.events[0] if first.events else None
        if first.number != 1 or not isinstance(opened, TableOpened):
            raise BrokenLog("the first entry does not open a table")
        self.game = find(opened.game)
        if opened.rules > self.game.rules:
            raise FutureLog(opened.game, opened.rules, self.game.rules)
        self.seating = Seating(opened)
        self.match: Match[Any] | None = None
        self.clocks: tuple[int, ...] | None = None
        """Milliseconds left by match seat as of the last entry."""
        self.number = 0
        self.sealed = Sealed(b"")
        self._out: dict[int, int] = {}
        """The match seats that were played for, each with the token of the prompt it left
        unanswered."""
        self._answers: dict[_Key, tuple[int, Command]] = {}
        self.fold(evolve(first, events=first.events[1:]))

    @classmethod
    def replay(cls, entries: Iterable[Entry], find: FindGame = find_game) -> Self:
        """The fold of a whole stream; raises what `Stream` and `fold` raise."""
        rest = iter(entries)
        first = next(rest, None)
        if first is None:
            raise BrokenLog("the stream is empty")
        stream = cls(first, find)
        for entry in rest:
            stream.fold(entry)
        return stream

    # live

    def draft(
        self, request: Request, time: int, deal: Any = None, elapsed: int = 0
    ) -> Draft | Repeat:
        """Decide `request` on copies; raises IllegalAction, and nothing has changed.

        `deal` supplies a deal for a match that starts now, in place of the secret's; `elapsed` is
        how many milliseconds the clocks have run since the last entry.
        """
        if request.id is not None:
            before = self._answers.get((request.seat, request.person, request.id))
            if before is not None:
                number, command = before
                if not _same(command, request.command):
                    raise IllegalAction(Code.ID_REUSED, number=number)
                return Repeat(number)
        if request.seat is not None:
            return self._draft_action(request, request.seat, time, elapsed)
        return self._draft_at_table(request, time, deal, elapsed)

    def _draft_action(self, request: Request, seat: int, time: int, elapsed: int) -> Draft:
        match, seating = self.match, self.seating
        if match is None or seating.phase is not Phase.PLAYING:
            raise IllegalAction(Code.NOT_RUNNING)
        may_act(seating, match, self.clocks, request, seat, elapsed)
        step = match.draft(seat, request.token, request.command, again=request.again)
        events, clocks, number = step.events, self.clocks, self.number + 1
        gift = 0 if clocks is None else timing.gift(seating, match, seat, request.command)
        after = match.after(number, seat, step.state, gift)
        if seating.votes:
            seating = seating.still_silent(_kept(match.asked, after.asked))
        if clocks is not None:
            clocks = timing.after_action(
                seating, match, clocks, elapsed, seat, request.command, after, number
            )
        if after.result is not None:
            seating = seating.copy()
            events = (*events, self._reveal(seating))
        entry = self._entry(request, time, events, clocks)
        return Draft(entry, seating, match, step, after)

    def _draft_at_table(
        self, request: Request, time: int, deal: Any, elapsed: int
    ) -> Draft | Repeat:
        seating, match = self.seating.copy(), self.match
        asked = {} if match is None else match.asked
        ran = timing.running(seating, asked)
        if match is not None and isinstance(request.command, SitOut):
            may_sit_out(seating, match, self.clocks, request, request.command.seat, elapsed)
        events = decide(seating, request.person, request.command, self.game, asked)
        if events and isinstance(request.command, Return):
            self._may_return(events[0])
        sealed = None
        starts = isinstance(request.command, Start) or seating.full()
        if starts and seating.phase is Phase.WAITING:
            started, match, sealed = start(
                self.game, seating, self.sealed.secret, deal, self.number + 1
            )
            events.append(started)
        elif seating.phase is Phase.CLOSED:
            events.append(self._reveal(seating))
        if not events:
            return Repeat(self.number)
        clocks = timing.after_table(seating, match, self.clocks, ran, elapsed, events)
        entry = self._entry(request, time, tuple(events), clocks, sealed)
        return Draft(entry, seating, match, None)

    def _may_return(self, returned: Event) -> None:
        """Raise IllegalAction while the prompt that the seat left unanswered is still open: nobody
        gains time by coming back over and over."""
        assert isinstance(returned, Returned) and self.match is not None
        asked = self.match.asked.get(returned.seat)
        if asked is not None and asked.token == self._out.get(returned.seat):
            raise IllegalAction(Code.NOT_YET_BACK, seat=returned.seat)

    def _reveal(self, seating: Seating) -> Event:
        revealed = Revealed(self.sealed.secret, seating.nonces() if seating.places else ())
        seating.evolve(revealed)
        return revealed

    def _entry(
        self,
        request: Request,
        time: int,
        events: tuple[Event, ...],
        clocks: tuple[int, ...] | None,
        sealed: Sealed | None = None,
    ) -> Entry:
        return Entry(
            number=self.number + 1,
            time=time,
            cause=request.cause,
            seat=request.seat,
            person=request.person,
            id=request.id,
            command=request.command,
            events=events,
            sealed=sealed,
            clocks=clocks,
        )

    def due(self) -> timing.Due | None:
        """What falls due unless somebody acts first. Bots never fall due here."""
        match = self.match
        return None if match is None else timing.due(self.seating, match.asked, self.clocks)

    def wake_after(self) -> int | None:
        """Milliseconds after the last entry until the table needs its server
        (`engine.timing.wake_after`)."""
        asked = {} if self.match is None else self.match.asked
        return timing.wake_after(self.seating, asked, self.clocks)

    def accept(self, draft: Draft) -> None:
        """Adopt a draft of this stream once its entry is stored; raises ValueError if
        another was adopted since it was made."""
        entry = draft.entry
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} was drafted before entry {self.number}")
        self.seating = draft.seating
        self.match = draft.match
        if draft.step is not None:
            assert draft.match is not None and entry.seat is not None
            own = entry.cause is Cause.COMMAND
            draft.match.accept(entry.number, entry.seat, draft.step, draft.after, own=own)
        self._note(entry)

    # replay

    def fold(self, entry: Entry) -> None:
        """Advance by one stored entry. Raises BrokenLog; the stream must not be used after that."""
        if entry.number != self.number + 1:
            raise BrokenLog(f"entry {self.number + 1} is missing: {entry.number} follows")
        if not entry.events and entry.number > 1:
            raise BrokenLog(f"in entry {entry.number} nothing happens")
        if entry.seat is None:
            seating = self.seating.copy()
            for event in entry.events:
                _evolve(seating, event, entry.number)
                if isinstance(event, MatchStarted):
                    self.match = refold_start(self.game, seating, entry)
        else:
            seating = self._fold_action(entry, entry.seat)
        self.seating = seating
        over = self.match is not None and self.match.result is not None
        if over != (seating.phase is Phase.OVER) or seating.ended != (seating.revealed is not None):
            raise BrokenLog(f"entry {entry.number} does not end the table as it must")
        if not timing.possible(seating, self.match, entry.clocks):
            raise BrokenLog(f"the clocks of entry {entry.number} cannot be")
        self._note(entry)

    def _fold_action(self, entry: Entry, seat: int) -> Seating:
        """Advance the match by an action of match seat `seat`; the seating afterwards."""
        match, seating = self.match, self.seating
        if match is None or seating.phase is not Phase.PLAYING:
            raise BrokenLog(f"entry {entry.number} acts in a match that is not played")
        events, revealed = entry.events, entry.events[-1]
        if isinstance(revealed, Revealed):
            events = events[:-1]
        gift, before = 0, match.asked
        if self.clocks is not None and 0 <= seat < match.setup.seats:
            gift = timing.gift(seating, match, seat, entry.command)
        match.fold(entry.number, seat, events, gift, own=entry.cause is Cause.COMMAND)
        if seating.votes:
            seating = seating.still_silent(_kept(before, match.asked))
        if isinstance(revealed, Revealed):
            seating = seating.copy()
            _evolve(seating, revealed, entry.number)
        return seating

    def _note(self, entry: Entry) -> None:
        self.number = entry.number
        self.clocks = entry.clocks
        if self.match is not None and self.seating.phase is Phase.CLOSED:
            self.match.stop()
        if entry.sealed is not None:
            self.sealed = entry.sealed
        if entry.seat is None and self.match is not None:
            for event in entry.events:
                if type(event) is SatIn and event.seat in self.match.asked:
                    self._out[event.seat] = self.match.asked[event.seat].token
        if entry.id is not None and entry.command is not None:
            self._answers[entry.seat, entry.person, entry.id] = (entry.number, entry.command)


def _evolve(seating: Seating, event: Event, number: int) -> None:
    """Advance a seating by an event of entry `number`; raises BrokenLog."""
    try:
        seating.evolve(event)
    except BrokenLog as error:
        raise BrokenLog(f"entry {number}: {error}") from None


def _same(said: Command, again: Command) -> bool:
    """Whether a command repeats another. Its sender may have a different name by now; the name it
    had stays."""
    if isinstance(said, Open | Join | Substitute) and type(said) is type(again):
        return evolve(said, name="") == evolve(again, name="")
    return said == again


def _kept(before: Mapping[int, OpenPrompt], after: Mapping[int, OpenPrompt]) -> set[int]:
    """The seats that are asked the same as before."""
    return {
        seat for seat, one in after.items() if seat in before and before[seat].token == one.token
    }


__all__ = ["Draft", "Repeat", "Request", "Stream", "open_stream"]

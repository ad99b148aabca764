"""A table as the fold of its stream: the seating, then a match, numbered throughout.

Everything a table's entries add up to lives here: decide on a copy (`draft`), adopt
what was stored (`accept`), rebuild (`replay`). Pure: the caller brings time, secrets
and codes, stores the entry, and tells people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from attrs import evolve, frozen

from engine import timing
from engine.entry import Cause, Command, Entry, Event, Sealed
from engine.errors import BrokenLog, Code, FutureLog, IllegalAction
from engine.game import Game, find_game
from engine.match import Asked, Match, Step
from engine.opening import open_stream, refold_start, start
from engine.places import decide
from engine.seating import (
    MatchStarted,
    Phase,
    Return,
    Returned,
    Revealed,
    SatIn,
    Seating,
    Start,
    TableOpened,
)


@frozen
class Wish:
    """A command on its way into a stream."""

    command: Command
    id: bytes | None = None
    person: bytes | None = None
    """Who sends it; None for bots, timers and the house."""
    seat: int | None = None
    """The match seat that acts; None for a command of the table."""
    token: int = 0
    """The prompt that is answered; not read for a command of the table."""
    cause: Cause = Cause.COMMAND


@frozen
class Draft:
    """What a wish would do: the entry to store, and what to adopt afterwards."""

    entry: Entry
    seating: Seating
    match: Match[Any] | None
    """The match that runs after the entry (a new one if the entry starts it)."""
    step: Step[Any] | None
    """What the match adopts; None if nothing happens in it."""
    asked: dict[int, Asked] | None = None
    """What is asked after it, where a clock made that be looked at."""
    wakes: int | None = None
    """At a table with a clock: milliseconds after the entry until something is due."""


@frozen
class Repeat:
    """The wish was granted before, by entry `number`: the original answer. (Or what it
    asks for is so already, as of entry `number`: to join where one sits.)"""

    number: int


class Stream:
    """One table's fold. One owner: the only writer of the stream."""

    __slots__ = ("_answers", "_out", "clocks", "game", "match", "number", "sealed", "seating")

    def __init__(self, first: Entry, find: Callable[[str], Game[Any]] = find_game) -> None:
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
        """By match seat that was played for: the token of what it did not answer."""
        self._answers: dict[tuple[int | bytes, bytes], tuple[int, Command]] = {}
        self.fold(evolve(first, events=first.events[1:]))

    @classmethod
    def replay(cls, entries: Iterable[Entry], find: Callable[[str], Game[Any]] = find_game) -> Self:
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

    def draft(self, wish: Wish, time: int, deal: Any = None, elapsed: int = 0) -> Draft | Repeat:
        """Decide `wish` on copies; raises IllegalAction, and nothing has changed.

        `deal` supplies a deal for a match that starts now, instead of the secret's;
        `elapsed` is for how many milliseconds the clocks ran since the last entry.
        """
        if wish.id is not None:
            before = self._answers.get((_key(wish.seat, wish.person), wish.id))
            if before is not None:
                number, command = before
                if command != wish.command:
                    raise IllegalAction(Code.ID_REUSED, number=number)
                return Repeat(number)
        if wish.seat is not None:
            return self._draft_action(wish, wish.seat, time, elapsed)
        return self._draft_at_table(wish, time, deal, elapsed)

    def _draft_action(self, wish: Wish, seat: int, time: int, elapsed: int) -> Draft:
        match, seating = self.match, self.seating
        if match is None or seating.phase is not Phase.PLAYING:
            raise IllegalAction(Code.NOT_RUNNING)
        if wish.person is not None and seating.sitting_in[seat] is not None:
            raise IllegalAction(Code.SAT_OUT, seat=seat)
        if wish.cause is Cause.BOT and seating.stand_in(seat) is None:
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
        step = match.draft(seat, wish.token, wish.command)
        events = step.events
        if seating.votes and seating.voters(seat):
            seating = seating.copy()
            seating.acted(seat)
        asked = clocks = None
        if self.clocks is not None:
            number = self.number + 1
            asked = match.asked_after(number, seat, step.state)
            clocks = timing.after_action(
                seating, match, self.clocks, elapsed, seat, wish.command, asked, number
            )
        if match.game.result(step.state) is not None:
            seating = seating.copy()
            events = (*events, self._reveal(seating))
        entry = self._entry(wish, time, events, clocks)
        wakes = None if asked is None else timing.wakes(seating, asked, clocks)
        return Draft(entry, seating, match, step, asked, wakes)

    def _draft_at_table(self, wish: Wish, time: int, deal: Any, elapsed: int) -> Draft | Repeat:
        seating, match = self.seating.copy(), self.match
        asked = {} if match is None else match.asked
        ran = timing.running(seating, asked)
        events = decide(seating, wish.person, wish.command, self.game, asked)
        if events and isinstance(wish.command, Return):
            self._may_return(events[0])
        sealed = None
        starts = isinstance(wish.command, Start) or seating.full()
        if starts and seating.phase is Phase.WAITING:
            started, match, sealed = start(
                self.game, seating, self.sealed.secret, deal, self.number + 1
            )
            events.append(started)
            asked = match.asked
        elif seating.phase is Phase.CLOSED:
            events.append(self._reveal(seating))
        if not events:
            return Repeat(self.number)
        clocks = timing.after_table(seating, match, self.clocks, ran, elapsed, events)
        entry = self._entry(wish, time, tuple(events), clocks, sealed)
        wakes = None if clocks is None else timing.wakes(seating, asked, clocks)
        return Draft(entry, seating, match, None, None, wakes)

    def _may_return(self, returned: Event) -> None:
        """Raise IllegalAction while what the seat did not answer is still asked: nobody
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
        wish: Wish,
        time: int,
        events: tuple[Event, ...],
        clocks: tuple[int, ...] | None,
        sealed: Sealed | None = None,
    ) -> Entry:
        return Entry(
            number=self.number + 1,
            time=time,
            cause=wish.cause,
            seat=wish.seat,
            person=wish.person,
            id=wish.id,
            command=wish.command,
            events=events,
            sealed=sealed,
            clocks=clocks,
        )

    def due(self) -> timing.Due | None:
        """What is due unless somebody acts before; of bots nothing is ever due here."""
        match = self.match
        return None if match is None else timing.due(self.seating, match.asked, self.clocks)

    def wakes(self) -> int | None:
        """At a table with a clock: milliseconds after the last entry until something is
        due, of bots too."""
        if self.clocks is None or self.match is None:
            return None
        return timing.wakes(self.seating, self.match.asked, self.clocks)

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
            draft.match.accept(entry.number, entry.seat, draft.step, draft.asked)
        self._note(entry)

    # replay

    def fold(self, entry: Entry) -> None:
        """Advance by one stored entry; raises BrokenLog, and is then not to be used any
        more."""
        if entry.number != self.number + 1:
            raise BrokenLog(f"entry {self.number + 1} is missing: {entry.number} follows")
        seating = self.seating.copy()
        in_match: list[Event] = []
        for event in entry.events:
            if entry.seat is not None and not isinstance(event, Revealed):
                in_match.append(event)
                continue
            seating.evolve(event)
            if isinstance(event, MatchStarted):
                self.match = refold_start(self.game, seating, entry)
        if entry.seat is not None:
            if self.match is None or self.seating.phase is not Phase.PLAYING:
                raise BrokenLog(f"entry {entry.number} acts in a match that is not played")
            self.match.fold(entry.number, entry.seat, in_match)
            seating.acted(entry.seat)
        self.seating = seating
        over = self.match is not None and self.match.result is not None
        if over != (seating.phase is Phase.OVER) or seating.ended != (seating.revealed is not None):
            raise BrokenLog(f"entry {entry.number} does not end the table as it must")
        if not timing.possible(seating, self.match, entry.clocks):
            raise BrokenLog(f"the clocks of entry {entry.number} cannot be")
        self._note(entry)

    def _note_out(self, entry: Entry, seat: int, match: Match[Any]) -> None:
        asked = match.asked.get(seat)
        if asked is None:
            raise BrokenLog(f"in entry {entry.number} seat {seat} does not fail to answer")
        self._out[seat] = asked.token

    def _note(self, entry: Entry) -> None:
        self.number = entry.number
        self.clocks = entry.clocks
        if self.match is not None and self.seating.phase is Phase.CLOSED:
            self.match.stop()
        if entry.sealed is not None:
            self.sealed = entry.sealed
        if entry.seat is None and self.match is not None:
            for event in entry.events:
                if type(event) is SatIn:
                    self._note_out(entry, event.seat, self.match)
        if entry.id is not None and entry.command is not None:
            key = (_key(entry.seat, entry.person), entry.id)
            self._answers[key] = (entry.number, entry.command)


def _key(seat: int | None, person: bytes | None) -> int | bytes:
    if seat is not None:
        return seat
    return person or b""


__all__ = ["Draft", "Repeat", "Stream", "Wish", "open_stream"]

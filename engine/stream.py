"""A table as the fold of its stream: the seating, then a match, numbered throughout.

Everything a table's entries add up to lives here: decide on a copy (`draft`), adopt
what was stored (`accept`), rebuild (`replay`). Pure: the caller brings time, secrets
and codes, stores the entry, and tells people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from attrs import evolve, frozen

from engine.deal import Chance, derive_seed
from engine.entry import Cause, Command, Entry, Event, Sealed
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Game, find_game
from engine.match import Match, Step
from engine.seating import (
    EVENTS,
    Join,
    MatchStarted,
    Open,
    Phase,
    Revealed,
    Seating,
    Start,
    TableOpened,
    open_table,
)

_TABLE_EVENTS = tuple(EVENTS.values())


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


@frozen
class Repeat:
    """The wish was granted before, by entry `number`: the original answer."""

    number: int


class Stream:
    """One table's fold. One owner: the only writer of the stream."""

    __slots__ = ("_answers", "game", "match", "number", "sealed", "seating")

    def __init__(self, first: Entry, find: Callable[[str], Game[Any]] = find_game) -> None:
        """Fold the entry that opens a table; `find` gives a game by name."""
        opened = first.events[0] if first.events else None
        if first.number != 1 or not isinstance(opened, TableOpened):
            raise BrokenLog("the first entry does not open a table")
        self.game = find(opened.game)
        self.seating = Seating(opened)
        self.match: Match[Any] | None = None
        self.number = 0
        self.sealed = Sealed(b"")
        self._answers: dict[tuple[int | bytes, bytes], tuple[int, Command]] = {}
        self.fold(evolve(first, events=first.events[1:]))

    @classmethod
    def replay(
        cls, entries: Iterable[Entry], find: Callable[[str], Game[Any]] = find_game
    ) -> Self:
        """The fold of a whole stream; raises BrokenLog."""
        rest = iter(entries)
        first = next(rest, None)
        if first is None:
            raise BrokenLog("the stream is empty")
        stream = cls(first, find)
        for entry in rest:
            stream.fold(entry)
        return stream

    # live

    def draft(self, wish: Wish, time: int, deal: Any = None) -> Draft | Repeat:
        """Decide `wish` on copies; raises IllegalAction, and nothing has changed.

        `deal` supplies a deal for a match that starts now, instead of the secret's.
        """
        if wish.id is not None:
            before = self._answers.get((_key(wish.seat, wish.person), wish.id))
            if before is not None:
                number, command = before
                if command != wish.command:
                    raise IllegalAction(Code.ID_REUSED, number=number)
                return Repeat(number)
        if wish.seat is not None:
            return self._draft_action(wish, wish.seat, time)
        return self._draft_at_table(wish, time, deal)

    def _draft_action(self, wish: Wish, seat: int, time: int) -> Draft:
        match = self.match
        if match is None or self.seating.phase is not Phase.PLAYING:
            raise IllegalAction(Code.NOT_RUNNING)
        step = match.draft(seat, wish.token, wish.command)
        events = step.events
        seating = self.seating
        if match.game.result(step.state) is not None:
            seating = seating.copy()
            events = (*events, self._reveal(seating))
        return Draft(self._entry(wish, time, events), seating, match, step)

    def _draft_at_table(self, wish: Wish, time: int, deal: Any) -> Draft:
        seating = self.seating.copy()
        events = seating.decide(wish.person, wish.command, self.game)
        match = self.match
        sealed = None
        if seating.phase is Phase.WAITING and self._starts(wish, seating):
            started, match, sealed = self._start(seating, deal)
            events.append(started)
        elif seating.phase is Phase.CLOSED:
            events.append(self._reveal(seating))
        return Draft(self._entry(wish, time, tuple(events), sealed), seating, match, None)

    @staticmethod
    def _starts(wish: Wish, seating: Seating) -> bool:
        full = all(occupant is not None for occupant in seating.seats)
        return isinstance(wish.command, Start) or (full and isinstance(wish.command, Join))

    def _start(self, seating: Seating, deal: Any) -> tuple[Event, Match[Any], Sealed]:
        setup = seating.setup()
        supplied = deal is not None
        if not supplied:
            seed = derive_seed(self.sealed.secret, seating.nonces())
            deal = self.game.deal(setup, Chance(seed))
        places = tuple(seat for seat, o in enumerate(seating.seats) if o is not None)
        started = MatchStarted(setup.ruleset, setup.options, places, supplied)
        seating.evolve(started)
        match = Match(self.game, setup, deal, self.number + 1)
        return started, match, Sealed(self.sealed.secret, deal)

    def _reveal(self, seating: Seating) -> Event:
        revealed = Revealed(self.sealed.secret, seating.nonces() if seating.places else ())
        seating.evolve(revealed)
        return revealed

    def _entry(
        self, wish: Wish, time: int, events: tuple[Event, ...], sealed: Sealed | None = None
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
        )

    def accept(self, draft: Draft) -> None:
        """Adopt a draft of this stream once its entry is stored."""
        entry = draft.entry
        self.seating = draft.seating
        self.match = draft.match
        if draft.step is not None:
            assert draft.match is not None and entry.seat is not None
            draft.match.accept(entry.number, entry.seat, draft.step)
        self._note(entry)

    # replay

    def fold(self, entry: Entry) -> None:
        """Advance by one stored entry; raises BrokenLog."""
        if entry.number != self.number + 1:
            raise BrokenLog(f"entry {self.number + 1} is missing: {entry.number} follows")
        seating = self.seating
        in_match: list[Event] = []
        for event in entry.events:
            if entry.seat is not None and not isinstance(event, Revealed):
                in_match.append(event)
                continue
            if not isinstance(event, _TABLE_EVENTS):
                raise BrokenLog(f"entry {entry.number} acts in a match without a seat")
            if seating is self.seating:
                seating = seating.copy()
            seating.evolve(event)
            if isinstance(event, MatchStarted):
                self._fold_start(entry, seating)
        self.seating = seating
        if entry.seat is not None:
            if self.match is None:
                raise BrokenLog(f"entry {entry.number} acts before a match has started")
            self.match.fold(entry.number, entry.seat, in_match)
        self._note(entry)

    def _fold_start(self, entry: Entry, seating: Seating) -> None:
        if entry.sealed is None or entry.sealed.deal is None:
            raise BrokenLog(f"entry {entry.number} starts a match without a deal")
        self.match = Match(self.game, seating.setup(), entry.sealed.deal, entry.number)

    def _note(self, entry: Entry) -> None:
        self.number = entry.number
        if entry.sealed is not None:
            self.sealed = entry.sealed
        if entry.id is not None and entry.command is not None:
            key = (_key(entry.seat, entry.person), entry.id)
            self._answers[key] = (entry.number, entry.command)


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
    events = open_table(
        command, person, game, code=code, secret=secret, nonces=bot_nonces
    )
    entry = Entry(
        number=1,
        time=time,
        cause=Cause.COMMAND,
        seat=None,
        person=person,
        id=id,
        command=command,
        events=tuple(events),
        sealed=Sealed(secret),
    )
    stream = Stream(entry, lambda _: game)
    if all(occupant is not None for occupant in stream.seating.seats):
        seating = stream.seating.copy()
        stream.number = 0
        started, _, sealed = stream._start(seating, deal)
        entry = evolve(entry, events=(*events, started), sealed=sealed)
    return entry


def _key(seat: int | None, person: bytes | None) -> int | bytes:
    if seat is not None:
        return seat
    return person or b""


__all__ = ["Draft", "Repeat", "Stream", "Wish", "open_stream"]

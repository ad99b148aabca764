"""A match in progress: the state, who is asked what, and what may be taken back.

Does not know games by name or encodings; the caller numbers the entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from attrs import frozen

from engine.entry import Command, Event, Prompt
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Game, GameState, Result, Setup
from engine.table.words import TakeBack, TakenBack

S = TypeVar("S", bound=GameState)

MOST_TAKEN_BACK = 3
"""How often a seat may take back before the match moves on: before something is revealed, the clock
or a bot acts, or another seat acts and play continues from there. Nobody can hold up a table by
acting and taking back for ever."""


@frozen
class OpenPrompt:
    """An open prompt and the token that an answer to it must name."""

    token: int
    """Number of the last entry in which the seat acted or its prompt changed."""
    prompt: Prompt


@frozen
class Step(Generic[S]):
    """What one action would do: a new state and the events that lead to it."""

    state: S
    events: tuple[Event, ...]


class After(NamedTuple):
    """What follows from the state that an action leads to."""

    asked: dict[int, OpenPrompt]
    result: Result | None
    """How the match ended; None while somebody is asked something."""
    gift: int = 0
    """Milliseconds that the action added to its seat's clock."""


class Match(Generic[S]):
    """One game being played. One owner.

    `draft` decides on a copy and changes nothing; `accept` adopts the draft once its
    entry is stored, and cannot fail if it is given what follows (`after`).
    """

    __slots__ = (
        "_open_from",
        "_own_from",
        "_past",
        "_taken",
        "asked",
        "game",
        "number",
        "result",
        "setup",
        "state",
    )

    def __init__(self, game: Game[S], setup: Setup, deal: Any, number: int = 0) -> None:
        self.game = game
        self.setup = setup
        self.state = game.setup(setup, deal)
        self.number = number
        """Number of the last entry accepted."""
        self.asked: dict[int, OpenPrompt] = {
            seat: OpenPrompt(number, prompt) for seat, prompt in game.prompts(self.state).items()
        }
        self.result: Result | None = None
        self._past: list[tuple[int, int, S, int]] = []
        """(number before, seat, state before, gift) of the latest actions of one seat. Which of
        them may be taken back is decided when somebody asks: an old log is read whatever would be
        granted today."""
        self._open_from = number
        """Nothing was revealed after this entry: later actions may be taken back."""
        self._own_from = number
        """All actions after this entry are people's own; no other action is taken back."""
        self._taken: dict[int, int] = {}
        """How often each seat took back since the match last moved on."""

    def draft(self, seat: int, token: int, command: Command, *, again: bool = False) -> Step[S]:
        """Decide `command` of `seat` on a copy; raises IllegalAction. `again` as in `Request`."""
        if isinstance(command, TakeBack):
            return self._draft_take_back(seat, command.to, again)
        asked = self.asked.get(seat)
        if asked is None:
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
        if asked.token != token:
            raise IllegalAction(Code.STALE_PROMPT, token=token, open=asked.token)
        state = self.state.copy()
        return Step(state, self.game.decide(state, seat, command))

    def stop(self) -> None:
        """End the match before its rules do: nobody is asked anything any more."""
        self.asked = {}
        self._past.clear()

    def _draft_take_back(self, seat: int, to: int, again: bool) -> Step[S]:
        state = self._state_before(seat, to)
        granted = again or (to >= self._own_from and not self._took_enough(seat))
        if state is None or to < self._open_from or not granted:
            raise IllegalAction(Code.CANNOT_TAKE_BACK, to=to)
        return Step(state, (TakenBack(seat, to),))

    def _state_before(self, seat: int, to: int) -> S | None:
        """A copy of the state before the action of `seat` that followed entry `to`."""
        for number, actor, state, _ in self._past:
            if number == to and actor == seat:
                return state.copy()
        return None

    def _took_enough(self, seat: int) -> bool:
        return self._taken.get(seat, 0) >= MOST_TAKEN_BACK

    def undoable(self) -> tuple[int, int] | None:
        """The seat that may take back one step, and the entry it goes back to; None if no seat
        may."""
        if not self._past:
            return None
        number, actor, _, _ = self._past[-1]
        if number < self._open_from or number < self._own_from or self._took_enough(actor):
            return None
        return actor, number

    def gifts_since(self, to: int) -> int:
        """The milliseconds that the actions after entry `to` added to their seat's clock."""
        return sum(gift for number, _, _, gift in self._past if number >= to)

    def after(self, number: int, seat: int, state: S, gift: int = 0) -> After:
        """What follows once entry `number`, an action of `seat`, has led to `state`."""
        before = self.asked
        asked: dict[int, OpenPrompt] = {}
        for other, prompt in self.game.prompts(state).items():
            one = before.get(other)
            if one is None or other == seat or one.prompt != prompt:
                one = OpenPrompt(number, prompt)
            asked[other] = one
        return After(asked, None if asked else self.game.result(state), gift)

    def accept(
        self,
        number: int,
        seat: int,
        step: Step[S],
        after: After | None = None,
        *,
        own: bool = True,
    ) -> None:
        """Adopt `step`, stored as entry `number`, an action of `seat`. `after` is what follows from
        it, if that is known already. `own`: a person acted, who may take it back; not the clock or
        a bot."""
        if after is None:
            after = self.after(number, seat, step.state)
        first = step.events[0] if step.events else None
        if type(first) is TakenBack:
            self._past = [past for past in self._past if past[0] < first.to]
            self._taken[seat] = self._taken.get(seat, 0) + 1
        else:
            if self._past and self._past[-1][1] != seat:
                self._past.clear()
                self._taken.clear()
            self._past.append((self.number, seat, self.state, after.gift))
            if not own:
                self._own_from = number
                self._taken.clear()
            for event in step.events:
                if event.reveals:
                    self._open_from = number
                    self._taken.clear()
                    break
        self.state = step.state
        self.number = number
        self.asked = after.asked
        self.result = after.result

    def fold(
        self,
        number: int,
        seat: int,
        events: Sequence[Event],
        gift: int = 0,
        *,
        own: bool = True,
    ) -> None:
        """Advance by the stored events of one entry, which added `gift` milliseconds to
        the seat's clock; `own` as for `accept`. Raises BrokenLog."""
        if not 0 <= seat < self.setup.seats:
            raise BrokenLog(f"entry {number} is of seat {seat}, which does not play")
        try:
            step = self._refold(number, seat, tuple(events))
            after = self.after(number, seat, step.state, gift)
            self.accept(number, seat, step, after, own=own)
        except BrokenLog as error:
            raise BrokenLog(f"entry {number}: {error}") from None
        except Exception as error:
            # A game's evolve trusts its events; what it trips over cannot follow.
            raise BrokenLog(f"entry {number} cannot follow from those before it") from error

    def _refold(self, number: int, seat: int, events: tuple[Event, ...]) -> Step[S]:
        first = events[0] if events else None
        if type(first) is TakenBack:
            before = self._state_before(seat, first.to)
            if before is None or events != (TakenBack(seat, first.to),):
                raise BrokenLog(f"it takes back to {first.to}, which cannot be")
            return Step(before, events)
        state = self.state.copy()
        for event in events:
            self.game.evolve(state, event)
        return Step(state, events)

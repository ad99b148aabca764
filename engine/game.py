"""What a game provides, and finding it.

A game is one folder with fixed file names, registered as an entry point of the
group `ra_online.games`; nothing here knows a game by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

from attrs import frozen

from engine.deal import Chance
from engine.entry import Command, Event, Happening, Prompt, View
from engine.errors import Code, IllegalAction


class GameState(Protocol):
    """A game's state: one owner, advanced in place."""

    def copy(self) -> Self: ...


S = TypeVar("S", bound=GameState)


@frozen
class Setup:
    """What is agreed before a match: all that `setup` needs besides the deal."""

    ruleset: str
    seats: int
    options: tuple[str, ...] = ()
    """Names of the table options that are on, sorted."""


@frozen
class Result:
    """How a match ended: points per seat, and the winning seats (one, or shared)."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


class Bot(Protocol):
    """A player that knows what its seat may know. Called off the event loop.

    A class with `quick = True` promises that it chooses within a millisecond and remembers
    nothing, so that it may think anywhere. The protocols below say what else a bot may offer.
    """

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """A command that answers `prompt` (typed views of this game, as a client has)."""
        ...


@runtime_checkable
class Watcher(Protocol):
    """A bot that remembers what its seat saw: one bot for one seat of one match. A new bot that is
    shown the same happenings is the same bot, so that it survives a restart."""

    def watch(self, happened: Sequence[Happening]) -> None:
        """Take in what one entry showed to the bot's seat: the public part, then the seat's own.

        Called for every entry in order, including those before the bot sat down. Without it the bot
        plays like somebody who has just come in.
        """
        ...


@frozen
class Option:
    """A command that a bot considered."""

    command: Command
    value: int
    """What the seat may expect of it, in hundredths of a point; only differences count. Other
    things that a bot goes by, such as how likely it wins, are left out."""


@frozen
class Advice:
    """What to do in one decision, and why."""

    options: tuple[Option, ...]
    """The best first; at least one. Commands that nobody would consider may be missing."""
    reason: str
    """One sentence in plain English."""


@runtime_checkable
class Adviser(Protocol):
    """A bot that can say what it thinks."""

    def advise(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Advice:
        """What the bot thinks of a decision; `choose` gives the first of these options."""
        ...


@runtime_checkable
class Searcher(Protocol):
    """A bot whose thinking can be limited."""

    simulations: int
    """Games played out in thought for one decision: the choice depends on this number."""
    expired: Callable[[], bool]
    """Says that time is up: a safety cap, asked now and then."""


@frozen
class Vocabulary:
    """The classes a game's words are made of, each under its number on the wire.

    Numbers below 32 belong to the kernel. `deal` and `events` occur only in the log; all others
    also travel.
    """

    commands: Mapping[int, type[Command]]
    prompts: Mapping[int, type[Prompt]]
    happenings: Mapping[int, type[Happening]]
    events: Mapping[int, type[Event]]
    public: type[View]
    private: type[View]
    deal: type


class Game(ABC, Generic[S]):
    """One game. Stateless; all that changes is in `S`."""

    name: ClassVar[str]
    rules: ClassVar[int]
    """Raised whenever the same command could now have another outcome."""
    vocabulary: ClassVar[Vocabulary]
    rulesets: ClassVar[Mapping[str, range]]
    """Each ruleset's name with the numbers of seats it allows; the first is the default."""
    options: ClassVar[tuple[str, ...]]
    bots: ClassVar[Mapping[str, type[Bot]]]
    """Bots by level, weakest first; each is made without arguments."""

    def check(self, setup: Setup) -> None:
        """Raise IllegalAction(BAD_OPTIONS) unless `setup` can be played."""
        seats = self.rulesets.get(setup.ruleset)
        if seats is None:
            raise IllegalAction(Code.BAD_OPTIONS, ruleset=setup.ruleset)
        if setup.seats not in seats:
            raise IllegalAction(Code.BAD_OPTIONS, seats=setup.seats, least=seats[0], most=seats[-1])
        for option in setup.options:
            if option not in self.options:
                raise IllegalAction(Code.BAD_OPTIONS, option=option)
        if setup.options != tuple(sorted(set(setup.options))):
            raise IllegalAction(Code.BAD_OPTIONS, options=" ".join(setup.options))

    @abstractmethod
    def deal(self, setup: Setup, chance: Chance) -> Any:
        """Everything chance decides in a match, drawn from `chance` in written order."""

    @abstractmethod
    def setup(self, setup: Setup, deal: Any) -> S:
        """The state before the first action. Raises ValueError for an impossible deal."""

    @abstractmethod
    def prompts(self, state: S) -> dict[int, Prompt]:
        """The open prompt of each seat that is asked; empty exactly when the match is over."""

    @abstractmethod
    def decide(self, state: S, seat: int, command: Command) -> tuple[Event, ...]:
        """Check `command` and carry it out on `state` (a copy the caller may drop).

        Emits events one by one, each advancing `state` through `evolve`. Raises
        IllegalAction; `state` is then not to be used any more.
        """

    @abstractmethod
    def evolve(self, state: S, event: Event) -> None:
        """Advance `state` by one fact, in place; decides and checks nothing."""

    @abstractmethod
    def public(self, state: S) -> View:
        """What everybody may know."""

    @abstractmethod
    def private(self, state: S, seat: int) -> View:
        """What `seat` may know beyond the public view."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the match ended; None while it runs."""

    @abstractmethod
    def default(self, state: S, seat: int) -> Command:
        """The harmless answer to the open prompt of `seat`, for a player who gives none."""

    def canonical(self, command: Command) -> Command:
        """The command that stands for all that mean the same as `command`, legal or not: the one in
        `choices`, if any of them is there. Override it where several commands mean the same."""
        return command

    @abstractmethod
    def choices(self, prompt: Prompt) -> Sequence[Command]:
        """Every command that answers `prompt` (its order fixed by the prompt alone)."""


FindGame = Callable[[str], Game[Any]]
"""Gives a game by its name; raises IllegalAction(BAD_OPTIONS) if there is none."""


@cache
def find_game(name: str) -> Game[Any]:
    """The installed game `name`; raises IllegalAction(BAD_OPTIONS) if there is none."""
    for point in entry_points(group="ra_online.games", name=name):
        game = point.load()
        if not isinstance(game, Game) or game.name != name:
            raise TypeError(f"entry point {point.value} is not the game {name!r}")
        return game
    raise IllegalAction(Code.BAD_OPTIONS, game=name)

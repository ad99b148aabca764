"""The client side of a game: how it reads, speaks and looks, and finding it by name.

A game's client side is one folder, registered as an entry point of the group
`ra_online.clients`; nothing here knows a game by name, and no rule of any.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, ClassVar

from protocol.wire import Wire

if TYPE_CHECKING:
    from client.state.scene import Scene


class NoSuchGame(LookupError):
    """This client has not learned the game."""


class Unreadable(ValueError):
    """What was typed is no command; the text says why, in one line."""


class Ambiguous(Unreadable):
    """What was typed could mean several commands."""


class GameClient(ABC):
    """One game as the client knows it. Stateless.

    A *prompt*, *command*, *happening* and the views are the typed words of the game,
    as `wire` reads them.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    wire: Wire
    rulesets: ClassVar[Mapping[str, range]]
    """Rulesets to offer, with the numbers of seats each allows; the first is the default."""
    options: ClassVar[Mapping[str, str]]
    """Table options to offer, each with one line that explains it."""
    bots: ClassVar[tuple[str, ...]]
    """Levels of bots to offer, weakest first."""
    usual_bot: ClassVar[str]
    """The level that is meant where none is named."""

    @abstractmethod
    def check(self, scene: Scene) -> None:
        """Raise ProtocolError unless the scene's views fit together (counts, seats,
        ranges): what passes can be drawn without further care."""

    @abstractmethod
    def read(self, text: str, prompt: Any | None) -> Any:
        """The command a person typed, leniently: case, unique beginnings of words; a
        prompt, if open, says which. Raises Unreadable or Ambiguous."""

    @abstractmethod
    def show(self, command: Any) -> str:
        """A command in the notation."""

    @abstractmethod
    def notate(self, happening: Any) -> str:
        """A happening in the notation."""

    @abstractmethod
    def narrate(self, happening: Any, names: Callable[[int], str]) -> tuple[str, ...]:
        """Sentences for people about a happening; `names` says who sits on a match seat."""

    @abstractmethod
    def ask(self, prompt: Any) -> tuple[str, tuple[str, ...]]:
        """What a prompt asks for ("turn", "bid", ...), and all that answers it, each as a
        command of the notation, or one with a <part> to choose."""

    @abstractmethod
    def choices(self, prompt: Any) -> Sequence[Any]:
        """Every command that answers a prompt; read off the prompt alone."""

    @abstractmethod
    def table(self, scene: Scene) -> list[str]:
        """The table as lines of text."""

    @abstractmethod
    def scores(self, scene: Scene) -> list[str]:
        """What the viewer may know of points and scoring, as lines of text."""

    @abstractmethod
    def result(self, scene: Scene) -> str | None:
        """How the match ended, in one line; None while it runs."""

    def refusal(self, code: str, facts: Mapping[str, str]) -> str | None:
        """One of the game's own reasons to refuse, in words; None if unknown here."""
        return None

    def screen(self) -> Any:
        """The full-screen side, loaded only when it is wanted; None if there is none."""
        return None


@cache
def find_client(name: str) -> GameClient:
    """The client side of game `name`; raises NoSuchGame."""
    for point in entry_points(group="ra_online.clients", name=name):
        game = point.load()
        if not isinstance(game, GameClient) or game.name != name:
            raise TypeError(f"entry point {point.value} is not the client of {name!r}")
        return game
    raise NoSuchGame(name)

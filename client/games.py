"""The client side of a game: how it reads typed text, tells what happens, and looks; and how it is
found by name.

The client side of a game is one folder, registered as an entry point of the group
`ra_online.clients`. Nothing here knows a game by name, or any rule.
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
    """This client does not know the game."""


class Unreadable(ValueError):
    """The typed text is no command; the message says why, in one line."""


class Ambiguous(Unreadable):
    """The typed text could mean several commands."""


class GameClient(ABC):
    """One game as the client knows it. Stateless.

    A *prompt*, *command*, *happening* and the views are the typed words of the game,
    as `wire` reads them.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    wire: Wire
    rulesets: ClassVar[Mapping[str, range]]
    """Rulesets to offer, with the numbers of seats that each allows; the first is the default."""
    options: ClassVar[Mapping[str, str]]
    """Table options to offer, each with one line that explains it."""
    bots: ClassVar[tuple[str, ...]]
    """Levels of bots to offer, weakest first."""
    usual_bot: ClassVar[str]
    """The level used if none is named."""

    @abstractmethod
    def check(self, scene: Scene) -> None:
        """Raise ProtocolError unless the scene's views fit together (counts, seats, ranges): a
        scene that passes can be drawn without further checks."""

    def asked(self, scene: Scene) -> tuple[int, ...]:
        """The match seats that are asked something, ascending, as far as the views tell. Override
        it where prompts are private: nobody sees those of others."""
        return tuple(sorted(one.seat for one in scene.prompts))

    @abstractmethod
    def read(self, text: str, prompt: Any | None) -> Any:
        """The command that a person typed, read leniently: case does not matter, and unique
        beginnings of words are enough; an open prompt says which words there are. Raises
        Unreadable or Ambiguous."""

    @abstractmethod
    def show(self, command: Any) -> str:
        """A command in the notation."""

    @abstractmethod
    def notate(self, happening: Any) -> str:
        """A happening in the notation."""

    @abstractmethod
    def narrate(self, happening: Any, names: Callable[[int], str]) -> tuple[str, ...]:
        """Sentences about a happening; `names` gives the name of a match seat."""

    @abstractmethod
    def ask(self, prompt: Any) -> tuple[str, tuple[str, ...]]:
        """What a prompt asks for ("turn", "bid", ...), and everything that answers it, each as a
        command of the notation, possibly with a <part> to choose."""

    @abstractmethod
    def choices(self, prompt: Any) -> Sequence[Any]:
        """Every command that answers a prompt, taken from the prompt alone."""

    @abstractmethod
    def table(self, scene: Scene) -> list[str]:
        """The table as lines of text."""

    @abstractmethod
    def scores(self, scene: Scene) -> list[str]:
        """What the viewer may know about points and scoring, as lines of text."""

    @abstractmethod
    def result(self, scene: Scene) -> str | None:
        """How the match ended, in one line; None while it runs."""

    def refusal(self, code: str, facts: Mapping[str, str]) -> str | None:
        """The text for one of the game's own refusal codes; None if it is none of them."""
        return None

    def screen(self) -> Any:
        """The full-screen side, loaded only when needed; None if there is none."""
        return None


def installed() -> tuple[str, ...]:
    """The names of the games that this client knows, in alphabetical order."""
    return tuple(sorted({point.name for point in entry_points(group="ra_online.clients")}))


@cache
def find_client(name: str) -> GameClient:
    """The client side of game `name`; raises NoSuchGame."""
    for point in entry_points(group="ra_online.clients", name=name):
        game = point.load()
        if not isinstance(game, GameClient) or game.name != name:
            raise TypeError(f"entry point {point.value} is not the client of {name!r}")
        return game
    raise NoSuchGame(name)

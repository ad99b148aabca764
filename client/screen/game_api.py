"""What a game provides to be drawn on the full screen, and what it is given to draw.

`client.screen.pages` puts the screen together: the header, the log and the two lines at the bottom
are the same for every game. A game draws the board between them, and says what its keys mean.
Does not know any game by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar

from attrs import frozen

from client.screen.lines import Line
from client.state.scene import Scene
from protocol.messages import Peer, Presence

SINCE = "since you last acted"
"""The moment that marked changes are counted from, at a table."""


@frozen
class Item:
    """Something that can be picked."""

    label: str
    short: str
    most: int = 1
    """How often it can be picked."""


@frozen
class Pick:
    """Things to choose together before one command is sent."""

    title: str
    items: tuple[Item, ...]
    """In the order of their number keys; nine at most."""
    least: int
    most: int
    make: Callable[[tuple[int, ...]], Any]
    """Makes the command for the items picked, given in the order of picking; or what must be
    chosen next, another `Pick` or a `Pointing`."""


class Direction(Enum):
    """Where an arrow key leads."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


@frozen
class Target:
    """Something on the board that can be pointed at."""

    mark: Any
    """What the board shows as pointed at: the game's own."""
    label: str
    """What it is, in a few words."""
    command: Any = None
    pointing: Pointing | None = None
    """What must be pointed at next; None if `command` can be sent at once."""


@frozen
class Pointing:
    """One of many things to choose by moving over the board."""

    title: str
    targets: tuple[Target, ...]
    """At least one."""
    move: Callable[[int, Direction], int]
    """The index that an arrow key leads to from another one; the same if there is nothing."""


@frozen
class Choice:
    """One thing a prompt allows, with its key."""

    key: str
    """One character, or the digits of a number, which is the one that the screen shows for it."""
    label: str
    short: str
    command: Any = None
    pick: Pick | None = None
    """What must be picked first; None if `command` can be sent at once."""
    pointing: Pointing | None = None
    """What must be pointed at first; None if there is nothing."""


@frozen
class Menu:
    """Everything that a prompt allows."""

    title: str
    """What is asked, as a heading: "Your bid"."""
    choices: tuple[Choice, ...]
    note: str = ""
    """What is at stake, in one line."""
    pick: Pick | None = None
    """For a prompt that consists of a pick alone; `choices` is then empty."""
    pointing: Pointing | None = None
    """For a prompt that consists of pointing alone."""


@frozen
class Moment:
    """What the board shows: a scene, and what is marked in it."""

    scene: Scene
    base: Any = None
    """The public view at the viewer's last action: what differs is marked. None: nothing is."""
    base_own: Any = None
    """The private view then."""
    presence: Presence | None = None
    pick: Pick | None = None
    """The pick that is open."""
    picked: tuple[int, ...] = ()
    """The items picked so far."""
    pointing: Pointing | None = None
    """The pointing that is open."""
    pointed: int = 0
    """The index of the target that is pointed at."""

    def stand_in(self, seat: int) -> str | None:
        """What plays a match seat for its owner: `bot`, `auto` (the default action);
        None: the owner."""
        bot = self.scene.stand_in(seat) if self.scene.running else None
        return None if bot is None else "bot" if bot else "auto"

    def away(self, seat: int) -> bool:
        """Whether the person of a match seat is not connected."""
        places = self.scene.table.places
        if self.presence is None or not self.scene.running or seat >= len(places):
            return False
        seats = self.presence.seats
        return places[seat] < len(seats) and seats[places[seat]] == Peer.AWAY


class GameScreen(ABC):
    """One game on the full screen. Stateless; every line that it returns fits the columns."""

    least: ClassVar[tuple[int, int]]
    """Columns and rows of the whole screen below which the board is not drawn."""
    styles: ClassVar[Mapping[str, str]]
    """Style classes of the game, added to the palette."""
    pages: ClassVar[Mapping[str, str]]
    """Key and title of each of the game's own pages. No choice uses these keys."""

    @abstractmethod
    def headline(self, scene: Scene, columns: int) -> str:
        """How far the game is, for the header."""

    @abstractmethod
    def board(self, moment: Moment, columns: int, rows: int) -> list[Line]:
        """The board in at most `rows` lines."""

    @abstractmethod
    def menu(self, scene: Scene) -> Menu | None:
        """What the viewer's open prompt allows; None if nothing is asked."""

    @abstractmethod
    def refuse(self, scene: Scene, key: str) -> str | None:
        """Why a key of this game does nothing now; None if it is not a key of this game."""

    @abstractmethod
    def waiting(self, scene: Scene) -> str:
        """Who the table waits for, in one sentence."""

    @abstractmethod
    def page(self, key: str, scene: Scene, columns: int, rows: int) -> list[Line]:
        """A page of `pages`."""

    @abstractmethod
    def interlude(
        self, happenings: Sequence[Any], scene: Scene, columns: int, rows: int
    ) -> list[Line] | None:
        """The page that these happenings of one entry bring up, such as a score sheet; or None."""

    @abstractmethod
    def ending(self, scene: Scene, columns: int, rows: int) -> list[Line]:
        """The result of a match that is over."""

    @abstractmethod
    def help(self, columns: int, since: str = SINCE) -> list[Line]:
        """What the marks on the board mean, and the rules in short. `since` names the moment that
        marked changes are counted from."""

    def reveal(self, scene: Scene, hands: Sequence[Any]) -> Scene:
        """The scene with the private views of all match seats shown (a replay)."""
        return scene

    def pace(self, happenings: Sequence[Any]) -> float:
        """How many seconds an entry of others with these happenings should be shown."""
        return 0.7

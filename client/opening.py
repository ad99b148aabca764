"""How a client begins: at a table of that code, or at a new one. Knows no display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from client.changes import Attended, Change, Greeted, Refusal
from client.games import GameClient, NoSuchGame, find_client
from client.talk import Talk
from protocol.views import Phase


class BadTable(ValueError):
    """There can be no such table; the text says why, in one line."""


@frozen
class NewTable:
    """A table to open."""

    game: str
    ruleset: str
    seats: int
    bots: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    listed: bool = True
    sit: bool = True

    def open(self, talk: Talk) -> bytes:
        """Wish for it; the id of the command."""
        return talk.create(
            self.game,
            self.ruleset,
            self.seats,
            options=self.options,
            bots=self.bots,
            listed=self.listed,
            sit=self.sit,
        )


def new_table(words: Mapping[str, str]) -> NewTable:
    """The table that `words` describe: game, seats, bots (how many, or levels with
    commas), ruleset, options (with commas), unlisted, watch. Raises BadTable."""
    unknown = set(words) - {"game", "seats", "bots", "ruleset", "options", "unlisted", "watch"}
    if unknown:
        raise BadTable(f"a table has no {sorted(unknown)[0]!r}")
    try:
        game = find_client(words.get("game", "ra"))
    except NoSuchGame:
        raise BadTable(f"there is no game {words['game']!r}") from None
    ruleset = words.get("ruleset", next(iter(game.rulesets)))
    if ruleset not in game.rulesets:
        raise BadTable(f"the rulesets are {', '.join(game.rulesets)}")
    options = tuple(filter(None, words.get("options", "").split(",")))
    for option in options:
        if option not in game.options:
            raise BadTable(f"the options are {', '.join(game.options)}")
    bots = _bots(words.get("bots", ""), game)
    people = "watch" not in words
    seats = _seats(words.get("seats"), game.rulesets[ruleset], len(bots) + people)
    return NewTable(game.name, ruleset, seats, bots, options, "unlisted" not in words, people)


def _bots(text: str, game: GameClient) -> tuple[str, ...]:
    if not text:
        return ()
    if text.isascii() and text.isdigit():
        return (game.bots[-1],) * min(int(text[:3]), 255)
    levels = tuple(text.split(","))
    for level in levels:
        if level not in game.bots:
            raise BadTable(f"the bots are {', '.join(game.bots)}")
    return levels


def _seats(text: str | None, allowed: range, taken: int) -> int:
    """So many seats; without a word as many as are taken with the bots, and three where
    only people will sit."""
    if text is None:
        seats = max(allowed[0], taken if taken > 1 else min(3, allowed[-1]))
    elif text.isascii() and text.isdigit() and len(text) <= 3:
        seats = int(text)
    else:
        raise BadTable(f"{text[:20]!r} is no number of seats")
    if seats not in allowed:
        raise BadTable(f"a table has {allowed[0]} to {allowed[-1]} seats, not {seats}")
    if taken > seats:
        raise BadTable(f"{taken} do not fit on {seats} seats")
    return seats


@frozen
class Opening:
    """What to do when the server has greeted us first; nothing if all is empty."""

    code: str = ""
    watch: bool = False
    """Only look at the table `code`, even if a seat is free."""
    table: NewTable | None = None

    def __bool__(self) -> bool:
        return bool(self.code) or self.table is not None


class Opener:
    """A listener that carries out an opening, once."""

    def __init__(self, talk: Talk, opening: Opening) -> None:
        self._talk = talk
        self._opening = opening
        self._joining = ""
        self.failed: Refusal | None = None
        """Why the opening cannot be."""
        self.under_way = bool(opening)

    def __call__(self, change: Change) -> None:
        match change:
            case Greeted() if self._opening:
                opening, self._opening = self._opening, evolve(self._opening, code="", table=None)
                if opening.table is not None:
                    opening.table.open(self._talk)
                else:
                    self.attend(opening.code, join=not opening.watch)
            case Attended(scene=scene):
                self.under_way = False
                joining, self._joining = self._joining, ""
                free = None in scene.table.seats
                waiting = scene.table.phase is Phase.WAITING
                if joining and waiting and scene.table_seat is None and free:
                    self.under_way = True
                    self._talk.join(scene.table.code)
            case Refusal() if self.under_way:
                self.under_way = False
                self._joining = ""
                self.failed = change

    def attend(self, code: str, *, join: bool = True) -> None:
        """Attend a table: on our seat if we have one, else on a free one (`join`), else
        as a spectator."""
        self.under_way = True
        self.failed = None
        self._joining = code if join else ""
        self._talk.watch(code)


def pairs(words: Sequence[str]) -> dict[str, str]:
    """`seats=3 unlisted` as a mapping; raises BadTable for a word given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in found:
            raise BadTable(f"{name!r} is given twice")
        found[name] = value
    return found

"""How a client begins: at a table of that code, or at a new one. Knows no display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from client.games import GameClient, NoSuchGame, find_client
from client.join.codes import is_invitation, table_code
from client.net.conversation import Conversation
from client.state.clocks import ABSENCES, BadClock, read_clock
from client.state.events import Answered, Attended, Change, Greeted, Listed, Refusal
from protocol.messages import TableRow
from protocol.table import Absence, Clock, Phase

_NO_CLOCK = Clock()
_WORDS = {
    "game", "seats", "bots", "ruleset", "options", "unlisted", "watch", "clock", "absence"
}  # fmt: skip


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
    clock: Clock = _NO_CLOCK
    absence: Absence = Absence.DEFAULT

    def open(self, conversation: Conversation) -> bytes:
        """Wish for it, without a seat: who opens a table sits down when the commitment to
        its secret can be seen (`Opener`). The id of the command."""
        return conversation.requests.create(
            self.game,
            self.ruleset,
            self.seats,
            options=self.options,
            bots=self.bots,
            listed=self.listed,
            sit=False,
            clock=self.clock,
            absence=self.absence,
        )


def new_table(words: Mapping[str, str]) -> NewTable:
    """The table that `words` describe: game, seats, bots (how many, or levels with
    commas), ruleset, options (with commas), clock, absence, unlisted, watch. Raises
    BadTable."""
    unknown = set(words) - _WORDS
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
    absence = words.get("absence", "default")
    if absence not in ABSENCES:
        raise BadTable(f"who is absent is played for by {', '.join(ABSENCES)}")
    try:
        clock = read_clock(words.get("clock", "none"))
    except BadClock as error:
        raise BadTable(str(error)) from None
    seats = _seats(words.get("seats"), game.rulesets[ruleset], len(bots) + people)
    return NewTable(
        game=game.name,
        ruleset=ruleset,
        seats=seats,
        bots=bots,
        options=options,
        listed="unlisted" not in words,
        sit=people,
        clock=clock,
        absence=ABSENCES[absence],
    )


def _bots(text: str, game: GameClient) -> tuple[str, ...]:
    if not text:
        return ()
    if text.isascii() and text.isdigit():
        most = max(seats[-1] for seats in game.rulesets.values())
        if len(text) > 3 or int(text) > most:
            raise BadTable(f"a table has at most {most} seats, bots included: no {text[:20]} bots")
        return (game.usual_bot,) * int(text)
    levels = tuple(text.split(","))
    for level in levels:
        if level not in game.bots:
            raise BadTable(f"bots are a number from 0 on, or of these: {', '.join(game.bots)}")
    return levels


def _seats(text: str | None, allowed: range, taken: int) -> int:
    """So many seats; without a word as many as are taken with the bots, and three where
    only people will sit."""
    if text is None:
        seats = max(allowed[0], taken if taken > 1 else min(3, allowed[-1]))
        if seats not in allowed:
            raise BadTable(f"a table has {allowed[0]} to {allowed[-1]} seats, not {seats}")
    elif text.isascii() and text.isdigit() and len(text) <= 3 and int(text) in allowed:
        seats = int(text)
    else:
        said = text[:20] if text.isascii() and text.isdigit() else ascii(text[:20])
        raise BadTable(f"a table has {allowed[0]} to {allowed[-1]} seats, not {said}")
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
    home: bool = False
    """Without all that: go to the one table where we play."""

    def __bool__(self) -> bool:
        return bool(self.code) or self.table is not None


class Opener:
    """A listener that carries out what is opened or gone to, step by step.

    To sit down it looks at the table first, so that its nonce follows the commitment.
    """

    def __init__(self, conversation: Conversation, opening: Opening) -> None:
        self._conversation = conversation
        self._opening = opening
        self._joining = ""
        """The code of a table to sit down at."""
        self._state = False
        """Whether to sit down at the table that is being opened."""
        self._creating: bytes | None = None
        """The command that opens a table, until it is granted."""
        self.failed: Refusal | None = None
        """Why the opening cannot be."""
        self.under_way = bool(opening)
        self._first = bool(opening)
        """Whether what is under way is what was to be done on arrival."""
        self.unopened: Refusal | None = None
        """Why that could not be, whatever was gone to later."""
        self._looking = False
        """Whether the tables are looked through for the one where we play."""
        self._trying = False
        """Whether the table gone to may be that of somebody else of our name."""

    def __call__(self, change: Change) -> None:
        match change:
            case Greeted() if self._opening:
                opening, self._opening = self._opening, evolve(self._opening, code="", table=None)
                if opening.table is not None:
                    self.open(opening.table)
                else:
                    self.attend(opening.code, join=not opening.watch)
            case Greeted() if self._opening.home:
                self._opening = evolve(self._opening, home=False)
                self._looking = self.under_way = True
                self._conversation.requests.list_tables()
            case Listed(tables) if self._looking:
                self._looking = self.under_way = False
                self._go_home(tables)
            case Answered(id) if id == self._creating:
                self._creating = None
            case Attended(scene=scene) if not self._meant(scene.table.code):
                pass  # another table, that was left for the one on the way to
            case Attended(scene=scene) if self._trying and scene.table_seat is None:
                self._trying = self.under_way = False
                self._conversation.requests.leave()
            case Attended(scene=scene):
                self.under_way = self._trying = self._looking = False
                joining, self._joining = self._joining or self._state, ""
                self._state = False
                free = None in scene.table.seats
                waiting = scene.table.phase is Phase.WAITING
                if joining and waiting and scene.table_seat is None and free:
                    self.under_way = True
                    self._conversation.requests.join(scene.table.code)
                self._first = self._first and self.under_way
            case Refusal() if self.under_way:
                self.under_way = self._state = False
                self._joining, self._creating = "", None
                self.failed = change
                if self._first:
                    self._first, self.unopened = False, change

    def _meant(self, code: str) -> bool:
        """Whether a table can be the one that is gone to, as far as that is known."""
        return self._creating is None and self._joining in ("", code)

    def _go_home(self, tables: Sequence[TableRow]) -> None:
        """To the table where somebody of our name plays, if it is one alone."""
        model = self._conversation.model
        codes = [
            row.code for row in tables if row.phase is Phase.PLAYING and model.name in row.names
        ]
        if len(codes) == 1 and model.scene is None:
            self.attend(codes[0], join=False)
            self._trying = True

    def open(self, table: NewTable) -> None:
        """Open a table; and sit down at it, if that is wished."""
        self.under_way = True
        self.failed = None
        self._joining, self._state = "", table.sit
        self._creating = table.open(self._conversation)

    def attend(self, code: str, *, join: bool = True) -> None:
        """Attend a table: on our seat if we have one, else on a free one (`join`), else
        as a spectator. The code of an invitation leads to the seat it is for."""
        code = table_code(code)
        self.under_way = True
        self.failed = None
        self._state, self._joining, self._creating = False, "", None
        if is_invitation(code):
            self._conversation.requests.join(code)
        else:
            self._joining = code if join else ""
            self._conversation.requests.watch(code)


def pairs(words: Sequence[str]) -> dict[str, str]:
    """`seats=3 unlisted` as a mapping; raises BadTable for a word given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in found:
            raise BadTable(f"{name!r} is given twice")
        found[name] = value
    return found

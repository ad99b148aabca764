"""The options of a new table, read from words such as `seats=3 bots=2 unlisted` and checked
against what this client knows of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from client.games import GameClient, NoSuchGame, find_client
from client.state.clocks import ABSENCES, BadClock, read_clock
from protocol.table import Absence, Clock

_NO_CLOCK = Clock()
_WORDS = {
    "game", "seats", "bots", "ruleset", "options", "unlisted", "watch", "clock", "absence"
}  # fmt: skip


class BadTable(ValueError):
    """No such table is possible; the text says why, in one line."""


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
    """Whether the person who opens it takes a seat."""
    clock: Clock = _NO_CLOCK
    absence: Absence = Absence.DEFAULT


def new_table(words: Mapping[str, str]) -> NewTable:
    """The table that `words` describe: game, seats, bots (a number, or levels separated by
    commas), ruleset, options (separated by commas), clock, absence, unlisted, watch. Raises
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
        raise BadTable(f"absence is one of {', '.join(ABSENCES)}")
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
    """The number of seats in `text`. Without one: as many as the bots and the person who opens
    the table take, and three where only people will sit."""
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


def pairs(words: Sequence[str]) -> dict[str, str]:
    """`seats=3 unlisted` as a mapping; raises BadTable if a word is given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in found:
            raise BadTable(f"{name!r} is given twice")
        found[name] = value
    return found

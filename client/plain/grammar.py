"""The plain client's own verbs, beside those of a game: how a typed line is read, and the help.
Does not know about games, and sends nothing."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from client.games import Ambiguous, Unreadable


class Verb(Enum):
    """What can be typed: the word, the form of what follows it, and one line of help."""

    HELP = ("help", "", "this list")
    STATE = ("state", "", "the table as text")
    SCORE = ("score", "", "points and score sheets, as far as you may know them")
    CHOICES = ("choices", "", "everything that answers what you are asked, one a line")
    TABLES = ("tables", "", "the tables that are listed")
    CREATE = (
        "create",
        "[seats=N] [bots=N or LEVEL,LEVEL] [ruleset=NAME] [options=A,B] [clock=5m+10s] "
        "[absence=bot] [game=NAME] [unlisted] [watch]",
        "open a table and sit down (watch: only look on)",
    )
    JOIN = ("join", "CODE", "go to a table, or by an invitation, and take a seat (your own first)")
    WATCH = ("watch", "CODE", "go to a table without taking a free seat")
    START = ("start", "", "start with those who are there (the host)")
    LEAVE = ("leave", "", "leave the table; a seat is given up only before the start")
    CLOSE = ("close", "", "close the waiting table (the host)")
    UNDO = ("undo", "", "take back your last action, while nobody acted after it")
    HINT = ("hint", "", "what the best bot would do, where you play against bots alone")
    VOTE = ("vote", "[NAME]", "call a player absent who keeps the table waiting")
    RETURN = ("return", "", "play your seat again, after others or a bot played for you")
    INVITE = ("invite", "[NAME]", "ask for a code by which somebody may take an absent seat")
    MOVE = ("move", "", "ask for a code that carries your seats to another device")
    SAY = ("say", "TEXT", "chat")
    WHO = ("who", "", "who is there")
    RECORD = ("record", "[CODE] FILE", "save the record of a match that is over")
    TRANSCRIPT = ("transcript", "FILE", "save what you were sent of this table")
    WAIT = ("wait", "", "read the next line only when you are asked, or all is over")
    QUIT = ("quit", "", "end; your seat stays yours")

    def __init__(self, word: str, form: str, help: str) -> None:
        self.word = word
        self.form = form
        self.help = help


_VERBS = {verb.word: verb for verb in Verb}
_WHOLE = frozenset({Verb.LEAVE, Verb.CLOSE, Verb.UNDO})
"""Verbs that have to be typed whole, because they cannot be undone."""


@frozen
class TypedLine:
    """A typed line after it was read."""

    verb: Verb
    rest: str
    """What follows the verb, as typed."""


def parse_line(line: str, *, whole: bool = False) -> TypedLine:
    """Read a line; `whole`: only verbs typed to the end. Raises Unreadable, and Ambiguous for
    the beginning of several verbs."""
    typed, _, rest = line.strip().partition(" ")
    beginning = typed.casefold()
    verb = _VERBS.get(beginning)
    if verb is None and not whole and beginning:
        found = [verb for verb in Verb if verb.word.startswith(beginning) and verb not in _WHOLE]
        if len(found) > 1:
            raise Ambiguous(f"{typed!a} could be {' or '.join(verb.word for verb in found)}")
        verb = found[0] if found else None
    if verb is None:
        raise Unreadable(f"there is no {typed[:40]!a} here; try help")
    if rest.strip() and not verb.form:
        # A game may have a verb of the same word that something follows.
        raise Unreadable(f"nothing follows {verb.word!r}")
    return TypedLine(verb, rest.strip())


_OF_OTHERS = frozenset({Verb.VOTE, Verb.RETURN, Verb.INVITE, Verb.MOVE})
"""Verbs that mean nothing in a game against bots alone."""


def help_lines(*, solo: bool = False) -> list[str]:
    """The help, a line for each verb; `solo`: for a game against bots that ends with us."""
    verbs = [verb for verb in Verb if not solo or verb not in _OF_OTHERS]
    helps = {verb: verb.help for verb in verbs}
    if solo:
        helps[Verb.QUIT] = "end, and with it this game"
    return [f"{f'{verb.word} {verb.form}'.strip()}: {helps[verb]}" for verb in verbs]

"""The words of the plain client beside those of a game: reading a line, completing it,
explaining them. Knows no game and sends nothing."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from client.games import Ambiguous, Unreadable


class Word(Enum):
    """What may be ordered, with the form it has and one line of help."""

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
    VOTE = ("vote", "[NAME]", "say that whoever keeps the table waiting is absent")
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


_WORDS = {word.word: word for word in Word}
_WHOLE = frozenset({Word.LEAVE, Word.CLOSE, Word.UNDO})
"""Words that are only taken whole: they cannot be taken back."""


@frozen
class Order:
    """A line read."""

    word: Word
    rest: str
    """What follows the word, as typed."""


def read_order(line: str, *, whole: bool = False) -> Order:
    """The order of a line; `whole`: only words typed to the end. Raises Unreadable, and
    Ambiguous for a beginning that several words have."""
    typed, _, rest = line.strip().partition(" ")
    beginning = typed.casefold()
    word = _WORDS.get(beginning)
    if word is None and not whole and beginning:
        found = [w for text, w in _WORDS.items() if text.startswith(beginning)]
        found = [w for w in found if w not in _WHOLE]
        if len(found) > 1:
            raise Ambiguous(f"{typed!a} could be {' or '.join(w.word for w in found)}")
        word = found[0] if found else None
    if word is None:
        raise Unreadable(f"there is no {typed[:40]!a} here; try help")
    return Order(word, rest.strip())


_OF_OTHERS = frozenset({Word.VOTE, Word.RETURN, Word.INVITE, Word.MOVE})
"""Words that mean nothing where nobody else is."""


def help_lines(*, kept: bool = True) -> list[str]:
    """The list of orders; not `kept`: of a game against bots that ends with us."""
    words = [word for word in Word if kept or word not in _OF_OTHERS]
    helps = {word: word.help for word in words}
    if not kept:
        helps[Word.QUIT] = "end, and with it this game"
    return [f"{f'{word.word} {word.form}'.strip()}: {helps[word]}" for word in words]

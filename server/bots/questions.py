"""One decision that a bot is asked for, as it travels to the process in which the bot thinks, and
the answer that comes back.

A question holds only what the bot's seat may know: views, prompt and happenings, each as the
tree that a client gets, and a seed of its own. The answer depends on nothing else, so that every
process gives the same one. Does not know tables or the game's state.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, TypeVar

from attrs import frozen

from engine.entry import Entry
from engine.game import Bot
from protocol.codec import Codec, ProtocolError, Tree, dumps
from server.games import GameServices

T = TypeVar("T")

MOST_BYTES = 1 << 22
"""The most bytes that a packed question, or a packed answer, may have: a thousand times what Ra
needs."""
_ANY = range(MOST_BYTES)
"""No limit except that of the whole."""
_SEED = b"ra-online/bot/1\x00"


class BotFailed(Exception):
    """A bot did not choose, or chose nonsense; `str()` says what went wrong."""


class Unserved(Exception):
    """A question was not taken up in time, or at all, through no fault of the bot's."""


STOPPED = "bots are not asked any more"
"""Why a question is unserved once the server stops."""


class CannotPack(Exception):
    """What a game's view or a bot's answer holds cannot be packed; `str()` gives the class of
    the error."""


@frozen
class Question:
    """What a bot is asked."""

    game: str
    level: str
    explain: bool
    """Whether the bot explains what it makes of every option; otherwise it just chooses."""
    happened: Annotated[tuple[Annotated[bytes, _ANY], ...], _ANY]
    """For each entry the happenings its seat was shown, as a tuple of trees, packed; empty for
    a bot that does not watch."""
    public: Tree
    private: Tree
    prompt: Tree
    seed: bytes
    """32 bytes."""
    simulations: int
    """0: as many as the level is made with."""
    milliseconds: int
    """Time after which the bot is given up."""


@frozen
class Answer:
    """What it says."""

    failure: Annotated[str, _ANY]
    """What went wrong; empty if nothing did."""
    options: Annotated[tuple[tuple[Tree, int], ...], _ANY] = ()
    """Commands and their values, the best first; a single one with value 0 if the bot just
    chose."""
    reason: Annotated[str, _ANY] = ""


QUESTION: Codec[Question] = Codec(Question, max_bytes=MOST_BYTES)
ANSWER: Codec[Answer] = Codec(Answer, max_bytes=MOST_BYTES)


def pack(codec: Codec[T], value: T) -> bytes:
    """The bytes of a question or an answer; raises CannotPack, whatever it holds."""
    try:
        body = codec.encode(value)
    except Exception as error:  # from a game's code: a field may hold anything
        raise CannotPack(type(error).__name__) from None
    if len(body) > MOST_BYTES:
        raise CannotPack("too large")
    return body


def unpack_answer(body: bytes) -> Answer:
    """The answer in `body`; one with a failure if there is none in it."""
    try:
        return ANSWER.decode(body)
    except ProtocolError:
        return Answer("answered nonsense")


def pack_happened(services: GameServices, entry: Entry, seat: int) -> bytes:
    """What `seat` is shown of an entry, the public part first."""
    happened = services.projector.happened
    return dumps((*happened(entry, None), *happened(entry, seat)))


def bot_seed(key: bytes, code: str, seat: int, number: int) -> bytes:
    """The seed for the decision of match seat `seat` of table `code` whose prompt has the
    token `number`.

    `key` (32 bytes) stays with the server: anybody who knew it could foresee what bots do.
    Nothing of the deal goes into the seed, and nothing of the seed into the deal.
    """
    return sha256(_SEED + key + f"{code}\x00{seat}\x00{number}".encode()).digest()


def thinks_quickly(level: type[Bot]) -> bool:
    """Whether a bot of this level needs no process of its own."""
    return bool(getattr(level, "quick", False)) and not hasattr(level, "watch")

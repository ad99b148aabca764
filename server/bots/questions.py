"""One decision that a bot is asked for, as it travels to where bots think, and back.

All that is in it is what the bot's seat may know: views, prompt, what happened, each as
the trees that a client gets; and a seed of its own. The answer depends on nothing else,
so that any process gives the same one. Knows no table and no state.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Annotated, Any, TypeVar

from attrs import evolve, frozen

from engine.deal import Chance
from engine.entry import Command
from engine.game import Adviser, Bot, Option, Searcher, Watcher
from protocol.codec import Codec, ProtocolError, Tree, dumps, loads
from server.games import GameServices, game_services

T = TypeVar("T")

MOST_BYTES = 1 << 22
"""Of a packed question, and of a packed answer: a thousand times what Ra needs."""
_ANY = range(MOST_BYTES)
"""No limit but that of the whole."""
_SEED = b"ra-online/bot/1\x00"
_CAP = 0.5
"""The part of its time after which a bot is told that there is no more."""


@frozen
class Question:
    """What a bot is asked."""

    game: str
    level: str
    why: bool
    """Whether it shall say what it makes of every option; else it just chooses."""
    happened: Annotated[tuple[Annotated[bytes, _ANY], ...], _ANY]
    """For each entry the happenings its seat was shown, as a tuple of trees, packed;
    empty for a bot that does not watch."""
    public: Tree
    private: Tree
    prompt: Tree
    seed: bytes
    """32 bytes."""
    simulations: int
    """0: as many as the level is made with."""
    milliseconds: int
    """After which it is given up."""


@frozen
class Answer:
    """What it says."""

    trouble: Annotated[str, _ANY]
    """What went wrong; empty: nothing."""
    options: Annotated[tuple[tuple[Tree, int], ...], _ANY] = ()
    """Commands and their values, the best first; one with value 0 if it just chose."""
    reason: Annotated[str, _ANY] = ""


_QUESTION: Codec[Question] = Codec(Question, max_bytes=MOST_BYTES)
_ANSWER: Codec[Answer] = Codec(Answer, max_bytes=MOST_BYTES)


class CannotTravel(Exception):
    """What a game's view or a bot's answer holds cannot be packed; `str()` says why, by the
    class of what went wrong."""


def pack_question(question: Question) -> bytes:
    """The bytes of a question; raises CannotTravel, whatever is in it."""
    return _packed(_QUESTION, question)


def unpack_answer(body: bytes) -> Answer:
    """The answer in `body`, with trouble if there is none in it."""
    try:
        return _ANSWER.decode(body)
    except ProtocolError:
        return Answer("answered nonsense")


def _packed(codec: Codec[T], value: T) -> bytes:
    try:
        body = codec.encode(value)
    except Exception as error:  # of code of others: a field may hold anything
        raise CannotTravel(type(error).__name__) from None
    if len(body) > MOST_BYTES:
        raise CannotTravel("too large")
    return body


def bot_seed(key: bytes, code: str, seat: int, number: int) -> bytes:
    """The seed for the decision of match seat `seat` of table `code` whose prompt has the
    token `number`.

    `key` (32 bytes) is the server's own and nobody else's: who knew it could foresee what
    bots do. Nothing of the deal goes into it, and nothing of it into the deal.
    """
    return sha256(_SEED + key + f"{code}\x00{seat}\x00{number}".encode()).digest()


def thinks_quickly(level: type[Bot]) -> bool:
    """Whether a bot of this level needs no process of its own."""
    return bool(getattr(level, "quick", False)) and not hasattr(level, "watch")


def pack_happened(play: GameServices, entry: Any, seat: int) -> bytes:
    """What `seat` is shown of an entry, the public part first."""
    projector = play.projector
    return dumps((*projector.happened(entry, None), *projector.happened(entry, seat)))


def answer(question: Question, stopped: Callable[[], bool] = lambda: False) -> Answer:
    """Let the bot think, until nobody wants to hear it any more (`stopped`); whatever it
    does wrong is told as trouble."""
    try:
        return _answer(question, game_services(question.game), stopped)
    except BaseException as error:  # code of others may even raise SystemExit
        return Answer(f"raised {type(error).__name__}")


def answered(body: bytes, milliseconds: int, stopped: Callable[[], bool]) -> bytes:
    """The packed answer to a packed question that has so much time left: what cannot be read
    or packed is told as trouble, too."""
    try:
        question = evolve(_QUESTION.decode(body), milliseconds=milliseconds)
    except ProtocolError:
        told = Answer("could not be asked: its question cannot be read")
    else:
        told = answer(question, stopped)
    try:
        return _packed(_ANSWER, told)
    except CannotTravel as why:
        return _packed(_ANSWER, Answer(f"gave an answer that cannot be packed: {why}"))


def _answer(question: Question, play: GameServices, stopped: Callable[[], bool]) -> Answer:
    wire = play.projector.wire
    bot = play.game.bots[question.level]()
    if isinstance(bot, Searcher):
        if question.simulations:
            bot.simulations = question.simulations
        bot.expired = _expires(question.milliseconds / 1000 * _CAP, stopped)
    if isinstance(bot, Watcher):
        for packed in question.happened:
            bot.watch(tuple(map(wire.happening.unpack, loads(packed))))
    seen = (
        wire.public.unpack(question.public),
        wire.private.unpack(question.private),
        wire.prompt.unpack(question.prompt),
        Chance(question.seed),
    )
    if not question.why:
        return _told(play, (Option(bot.choose(*seen), 0),), "")
    if not isinstance(bot, Adviser):
        return Answer("cannot say what it thinks")
    advice = bot.advise(*seen)
    return _told(play, advice.options, advice.reason)


def _told(play: GameServices, options: tuple[Option, ...], reason: str) -> Answer:
    commands = play.game.vocabulary.commands.values()
    told = []
    for option in options:
        trouble = not_a_command(option.command)
        if trouble is None and type(option.command) not in commands:
            trouble = f"chose a {type(option.command).__name__}"
        if trouble is not None:
            return Answer(trouble)
        told.append((play.projector.wire.command.pack(option.command), option.value))
    return Answer("", tuple(told), reason)


def not_a_command(choice: Any) -> str | None:
    """What is wrong with a choice that is no command at all; None if it is one."""
    return None if isinstance(choice, Command) else f"chose a {type(choice).__name__}"


def _expires(seconds: float, stopped: Callable[[], bool]) -> Callable[[], bool]:
    end = monotonic() + seconds
    return lambda: stopped() or monotonic() >= end

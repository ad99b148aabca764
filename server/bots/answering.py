"""How a question is answered in the process in which the bot thinks: the bot is made, is shown
what its seat may know, and chooses. Whatever goes wrong is part of the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from attrs import evolve

from engine.deal import Chance
from engine.entry import Command
from engine.game import Adviser, Option, Searcher, Watcher
from protocol.codec import ProtocolError, loads
from server.bots.questions import ANSWER, QUESTION, Answer, CannotPack, Question, pack
from server.games import GameServices, game_services

_SEARCHING = 0.5
"""The part of its time after which a bot is told that its time is over."""


def answer_packed(body: bytes, milliseconds: int, stopped: Callable[[], bool]) -> bytes:
    """The packed answer to a packed question that has `milliseconds` left; one with a failure if
    the question cannot be read or its answer cannot be packed."""
    try:
        question = evolve(QUESTION.decode(body), milliseconds=milliseconds)
    except ProtocolError:
        answered = Answer("could not be asked: its question cannot be read")
    else:
        answered = answer(question, stopped)
    try:
        return pack(ANSWER, answered)
    except CannotPack as why:
        return pack(ANSWER, Answer(f"gave an answer that cannot be packed: {why}"))


def answer(question: Question, stopped: Callable[[], bool] = lambda: False) -> Answer:
    """Let the bot think, until the answer is not wanted any more (`stopped`); whatever the bot
    does wrong is the answer's failure."""
    try:
        return _think(question, game_services(question.game), stopped)
    except BaseException as error:  # a game's code may even raise SystemExit
        return Answer(f"raised {type(error).__name__}")


def _think(question: Question, services: GameServices, stopped: Callable[[], bool]) -> Answer:
    wire = services.projector.wire
    bot = services.game.bots[question.level]()
    if isinstance(bot, Searcher):
        if question.simulations:
            bot.simulations = question.simulations
        bot.expired = _expiry(question.milliseconds / 1000 * _SEARCHING, stopped)
    if isinstance(bot, Watcher):
        for packed in question.happened:
            bot.watch(tuple(map(wire.happening.unpack, loads(packed))))
    seen = (
        wire.public.unpack(question.public),
        wire.private.unpack(question.private),
        wire.prompt.unpack(question.prompt),
        Chance(question.seed),
    )
    if not question.explain:
        return _packed_options(services, (Option(bot.choose(*seen), 0),), "")
    if not isinstance(bot, Adviser):
        return Answer("cannot say what it thinks")
    advice = bot.advise(*seen)
    return _packed_options(services, advice.options, advice.reason)


def _packed_options(services: GameServices, options: tuple[Option, ...], reason: str) -> Answer:
    commands = services.game.vocabulary.commands.values()
    packed = []
    for option in options:
        command: Any = option.command
        if not isinstance(command, Command) or type(command) not in commands:
            return Answer(f"chose a {type(command).__name__}")
        packed.append((services.projector.wire.command.pack(command), option.value))
    return Answer("", tuple(packed), reason)


def _expiry(seconds: float, stopped: Callable[[], bool]) -> Callable[[], bool]:
    end = monotonic() + seconds
    return lambda: stopped() or monotonic() >= end

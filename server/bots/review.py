"""An ended match thought over: what a bot would have done in each decision, and what it
cost to do something else.

Every decision is put as a question like those of live games, with what the seat knew at
that moment and nothing that came to light later. The same budget and seed give the same
review, whatever the number of processes. Knows no game by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from attrs import frozen

from engine.entry import Cause, Command, Entry
from engine.match import Match
from engine.stream import Stream
from engine.table.words import TakeBack, TakenBack
from protocol.codec import ProtocolError
from server.bots.pool import ProcessPool
from server.bots.questions import Answer, Question, bot_seed, pack_happened
from server.bots.queue import Unserved
from server.games import GameServices

_MILLISECONDS = 3_600_000
"""A cap that no decision is meant to meet: where it struck, the machine would count."""


@frozen
class Decision:
    """One decision of a player that left a choice."""

    number: int
    """That of its entry."""
    seat: int
    command: Command
    """What was done, as the game says it of all ways to say it (`Game.canonical`)."""
    question: Question


@frozen
class Judged:
    """What a bot makes of a decision. Values are hundredths of a point."""

    decision: Decision
    options: tuple[tuple[Command, int], ...]
    """What it thought about, the best first; said as the game says it. One that is not
    the best may have a higher value (`Option`)."""
    reason: str

    @property
    def best(self) -> Command:
        return self.options[0][0]

    @property
    def cost(self) -> int | None:
        """What was given away; None if the bot did not think of what was done."""
        for command, value in self.options:
            if command == self.decision.command:
                return max(self.options[0][1] - value, 0)
        return None


class NotReviewed(Exception):
    """A bot could not say what it thinks; the text says why."""


def decisions(
    play: GameServices,
    entries: Sequence[Entry],
    level: str,
    *,
    seats: Callable[[int], bool] = lambda seat: True,
    simulations: int = 0,
    seed: int = 1,
) -> Iterator[Decision]:
    """The decisions of the players of match seats `seats`, in order.

    Left out: what was taken back, what was played for an absent player, and answers
    where there was but one. Raises NotReviewed.
    """
    undone = _taken_back(entries)
    key = sha256(b"review" + seed.to_bytes(8, "big")).digest()
    happened: dict[int, tuple[bytes, ...]] = {}
    stream = Stream(entries[0], lambda _: play.game)
    for entry in entries[1:]:
        match, seat = stream.match, entry.seat
        if match is not None and seat is not None and entry.number not in undone and seats(seat):
            command = entry.command
            if command is not None and _is_own(stream, entry) and _chooses(match, seat):
                shown = happened.get(seat, ())
                # of what happened before, what is packed stays packed
                new = entries[len(shown) : entry.number - 1]
                number = match.asked[seat].token
                seen = bot_seed(key, stream.seating.code, seat, number)
                try:
                    shown += tuple([pack_happened(play, one, seat) for one in new])
                    question = _question(play, match, seat, level, shown, seen, simulations)
                except Exception as error:  # of a game's view
                    why = f"what was known cannot be packed ({type(error).__name__})"
                    raise NotReviewed(f"step {entry.number}: {why}") from None
                happened[seat] = shown
                yield Decision(entry.number, seat, play.game.canonical(command), question)
        stream.fold(entry)


def _taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of entries that do not count any more, and of those that say so."""
    undone: set[int] = set()
    for entry in entries:
        for event in entry.events:
            if isinstance(event, TakenBack):
                undone.update(range(event.to + 1, entry.number + 1))
    return frozenset(undone)


def _is_own(stream: Stream, entry: Entry) -> bool:
    """Whether who has the seat decided, and not what plays for the absent."""
    assert entry.seat is not None
    occupant = stream.seating.occupant(entry.seat)
    bots = occupant is not None and occupant.bot is not None
    own = entry.cause is (Cause.BOT if bots else Cause.COMMAND)
    return own and not isinstance(entry.command, TakeBack)


def _chooses(match: Match[Any], seat: int) -> bool:
    return seat in match.asked and len(match.game.choices(match.asked[seat].prompt)) > 1


def _question(
    play: GameServices,
    match: Match[Any],
    seat: int,
    level: str,
    happened: tuple[bytes, ...],
    seed: bytes,
    simulations: int,
) -> Question:
    wire = play.projector.wire
    return Question(
        game=play.game.name,
        level=level,
        why=True,
        happened=happened,
        public=wire.public.pack(match.game.public(match.state)),
        private=wire.private.pack(match.game.private(match.state, seat)),
        prompt=wire.prompt.pack(match.asked[seat].prompt),
        seed=seed,
        simulations=simulations,
        milliseconds=_MILLISECONDS,
    )


async def review(
    play: GameServices,
    made: Sequence[Decision],
    processes: int,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Judged]:
    """What the bot makes of the decisions `made`, thought over in so many processes;
    `progress` is told how many are done. Raises NotReviewed."""
    workers, free = ProcessPool(processes), asyncio.Semaphore(processes)
    done = 0

    async def ask(decision: Decision) -> Judged:
        nonlocal done
        async with free:  # what does not wait cannot wait for too long
            try:
                answer = await workers.ask(decision.question)
            except Unserved as error:
                raise NotReviewed(f"step {decision.number}: {error}") from None
        judged = _judged(play, decision, answer)
        done += 1
        progress(done)
        return judged

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(decision)) for decision in made]
    except* NotReviewed as errors:
        raise errors.exceptions[0] from None
    finally:
        await workers.stop()
    return [task.result() for task in tasks]


def _judged(play: GameServices, decision: Decision, answer: Answer) -> Judged:
    if answer.trouble or not answer.options:
        trouble = answer.trouble or "chose nothing"
        raise NotReviewed(f"step {decision.number}: {decision.question.level} {trouble}")
    unpack, canonical = play.projector.wire.command.unpack, play.game.canonical
    try:
        options = tuple([(canonical(unpack(tree)), value) for tree, value in answer.options])
    except ProtocolError:
        level = decision.question.level
        raise NotReviewed(f"step {decision.number}: {level} chose what is no command") from None
    return Judged(decision, options, answer.reason)

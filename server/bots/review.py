"""The review of an ended match: what a bot would have done in each decision, and what it cost to
do something else.

Every decision is asked like those of live games, with what the seat knew at that moment and
nothing that came to light later. The same budget and seed give the same review, whatever the
number of processes. Does not know games by name.
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
from server.bots.questions import Answer, Question, Unserved, bot_seed, pack_happened
from server.games import GameServices

_MILLISECONDS = 3_600_000
"""A limit that no decision should reach: the speed of the machine would count if one did."""


@frozen
class Decision:
    """One decision in which a player had a choice."""

    number: int
    """The number of its entry."""
    seat: int
    command: Command
    """What was done, in the game's canonical form (`Game.canonical`)."""
    question: Question


@frozen
class ReviewedDecision:
    """What a bot makes of a decision. Values are hundredths of a point."""

    decision: Decision
    options: tuple[tuple[Command, int], ...]
    """What the bot considered, the best first, in the game's canonical form. An option that is
    not the best may have a higher value (`Option`)."""
    reason: str

    @property
    def best(self) -> Command:
        return self.options[0][0]

    @property
    def cost(self) -> int | None:
        """How much was given away; None if the bot did not consider what was done."""
        for command, value in self.options:
            if command == self.decision.command:
                return max(self.options[0][1] - value, 0)
        return None


class NotReviewed(Exception):
    """A bot could not be asked about a decision; `str()` says why."""


def decisions(
    services: GameServices,
    entries: Sequence[Entry],
    level: str,
    *,
    seats: Callable[[int], bool] = lambda seat: True,
    simulations: int = 0,
    seed: int = 1,
) -> Iterator[Decision]:
    """The decisions of the players of those match seats that `seats` accepts, in order.

    Leaves out what was taken back, what was played for an absent player, and prompts with only
    one answer. Raises NotReviewed.
    """
    undone = _taken_back(entries)
    key = sha256(b"review" + seed.to_bytes(8, "big")).digest()
    happened: dict[int, tuple[bytes, ...]] = {}
    stream = Stream(entries[0], lambda _: services.game)
    for entry in entries[1:]:
        match, seat = stream.match, entry.seat
        if match is not None and seat is not None and entry.number not in undone and seats(seat):
            command = entry.command
            if command is not None and _is_own(stream, entry) and _chooses(match, seat):
                shown = happened.get(seat, ())
                # what was packed for an earlier decision is not packed again
                new = entries[len(shown) : entry.number - 1]
                number = match.asked[seat].token
                seen = bot_seed(key, stream.seating.code, seat, number)
                try:
                    shown += tuple([pack_happened(services, one, seat) for one in new])
                    question = _question(services, match, seat, level, shown, seen, simulations)
                except Exception as error:  # of a game's view
                    why = f"what was known cannot be packed ({type(error).__name__})"
                    raise NotReviewed(f"step {entry.number}: {why}") from None
                happened[seat] = shown
                yield Decision(entry.number, seat, services.game.canonical(command), question)
        stream.fold(entry)


def _taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of entries that were taken back, and of those that took them back."""
    undone: set[int] = set()
    for entry in entries:
        for event in entry.events:
            if isinstance(event, TakenBack):
                undone.update(range(event.to + 1, entry.number + 1))
    return frozenset(undone)


def _is_own(stream: Stream, entry: Entry) -> bool:
    """Whether the seat's occupant decided, not a stand-in for an absent player."""
    assert entry.seat is not None
    occupant = stream.seating.occupant(entry.seat)
    bots = occupant is not None and occupant.bot is not None
    own = entry.cause is (Cause.BOT if bots else Cause.COMMAND)
    return own and not isinstance(entry.command, TakeBack)


def _chooses(match: Match[Any], seat: int) -> bool:
    return seat in match.asked and len(match.game.choices(match.asked[seat].prompt)) > 1


def _question(
    services: GameServices,
    match: Match[Any],
    seat: int,
    level: str,
    happened: tuple[bytes, ...],
    seed: bytes,
    simulations: int,
) -> Question:
    wire = services.projector.wire
    return Question(
        game=services.game.name,
        level=level,
        explain=True,
        happened=happened,
        public=wire.public.pack(match.game.public(match.state)),
        private=wire.private.pack(match.game.private(match.state, seat)),
        prompt=wire.prompt.pack(match.asked[seat].prompt),
        seed=seed,
        simulations=simulations,
        milliseconds=_MILLISECONDS,
    )


async def review(
    services: GameServices,
    made: Sequence[Decision],
    processes: int,
    progress: Callable[[int], None] = lambda done: None,
) -> list[ReviewedDecision]:
    """What the bot makes of the decisions `made`, thinking in `processes` processes; `progress`
    is called with the number of decisions done. Raises NotReviewed."""
    pool, free = ProcessPool(processes), asyncio.Semaphore(processes)
    done = 0

    async def ask(decision: Decision) -> ReviewedDecision:
        nonlocal done
        async with free:  # a question that never waits cannot wait too long
            try:
                answer = await pool.ask(decision.question)
            except Unserved as error:
                raise NotReviewed(f"step {decision.number}: {error}") from None
        reviewed = _reviewed(services, decision, answer)
        done += 1
        progress(done)
        return reviewed

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(decision)) for decision in made]
    except* NotReviewed as errors:
        raise errors.exceptions[0] from None
    finally:
        await pool.stop()
    return [task.result() for task in tasks]


def _reviewed(services: GameServices, decision: Decision, answer: Answer) -> ReviewedDecision:
    if answer.failure or not answer.options:
        failure = answer.failure or "chose nothing"
        raise NotReviewed(f"step {decision.number}: {decision.question.level} {failure}")
    unpack, canonical = services.projector.wire.command.unpack, services.game.canonical
    try:
        options = tuple([(canonical(unpack(tree)), value) for tree, value in answer.options])
    except ProtocolError:
        level = decision.question.level
        raise NotReviewed(
            f"step {decision.number}: {level} chose something that is not a command"
        ) from None
    return ReviewedDecision(decision, options, answer.reason)

"""`ra-replay --analyse`: what the best bot would have done in each decision of a finished
match, and what it cost to do something else; as text, or as one JSON object.

A composition module: it may import everything. `server.bots.review` does the thinking.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any, TextIO

from attrs import frozen

from client.cli.loop import run_loop
from client.cli.terminal import Writer, silence
from client.games import GameClient, find_client
from client.replay.retell import LONGEST
from client.text import clean, cut
from engine.entry import Entry
from engine.stream import Stream
from server.bots.client import adviser
from server.bots.review import Decision, NotReviewed, ReviewedDecision, decisions, review
from server.games import GameServices, game_services

_PROGRESS_SECONDS = 2.0
"""Between two lines of progress where nothing can be overwritten."""


class NotAnalysed(Exception):
    """Why there is no analysis, in one line."""


@frozen
class AnalysisOptions:
    """What to analyse, and how."""

    seat: int | None = None
    """Match seat; None: all."""
    simulations: int = 0
    """For each decision; 0: the level's own number."""
    seed: int = 1
    processes: int = 1


@frozen
class PlayerReview:
    """How one match seat decided."""

    seat: int
    name: str
    decisions: int
    """Decisions that left a choice."""
    agreed: int
    """Decisions that were those of the bot."""
    unthought: int
    """Decisions that the bot did not consider."""
    cost: int
    """What the other decisions gave away, in hundredths of a point."""
    worst: int | None
    """The step that cost most; None if none cost anything."""


@frozen
class Analysis:
    """A whole match with the bot's opinion of each decision."""

    code: str
    game: GameClient
    names: tuple[str, ...]
    """By match seat."""
    level: str
    options: AnalysisOptions
    judged: tuple[ReviewedDecision, ...]

    def players(self) -> Iterator[PlayerReview]:
        """Each match seat that was analysed."""
        for seat, name in enumerate(self.names):
            if self.options.seat not in (None, seat):
                continue
            mine = [one for one in self.judged if one.decision.seat == seat]
            costs = {one.decision.number: one.cost for one in mine if one.cost is not None}
            worst = max(costs, key=lambda number: (costs[number], -number), default=None)
            yield PlayerReview(
                seat=seat,
                name=name,
                decisions=len(mine),
                agreed=sum(one.best == one.decision.command for one in mine),
                unthought=len(mine) - len(costs),
                cost=sum(costs.values()),
                worst=worst if worst is not None and costs[worst] else None,
            )


def analyse(entries: Sequence[Entry], options: AnalysisOptions, progress: TextIO) -> Analysis:
    """Analyse the match of `entries` (empty for a transcript); raises NotAnalysed."""
    if not entries:
        raise NotAnalysed("a transcript cannot be analysed; the record of the match can")
    stream = Stream.replay(entries)
    seating, match = stream.seating, stream.match
    if match is None or not seating.ended:
        raise NotAnalysed("only a match that is over can be analysed")
    seats = match.setup.seats
    if options.seat is not None and options.seat >= seats:
        raise NotAnalysed(f"there is no seat {options.seat + 1}: {seats} play")
    play = game_services(seating.game)
    level = adviser(play)
    if level is None:
        raise NotAnalysed(f"no bot of {seating.game} can say what it thinks")
    try:
        made = list(
            decisions(
                play,
                entries,
                level,
                seats=lambda seat: options.seat in (None, seat),
                simulations=options.simulations,
                seed=options.seed,
            )
        )
        judged = _think(play, made, options.processes, progress)
    except NotReviewed as error:
        raise NotAnalysed(str(error)) from None
    occupants = [seating.occupant(seat) for seat in range(seats)]
    names = tuple([clean(one.name) if one is not None else "?" for one in occupants])
    game = find_client(seating.game)
    return Analysis(clean(seating.code), game, names, level, options, tuple(judged))


def _think(
    play: GameServices, made: list[Decision], processes: int, progress: TextIO
) -> list[ReviewedDecision]:
    """Raises NotReviewed."""
    last = monotonic()
    overwrite = progress.isatty()

    def tell(done: int) -> None:
        nonlocal last
        end = done == len(made)
        try:
            if overwrite:
                progress.write(f"\r{done}/{len(made)} decisions" + "\n" * end)
            elif monotonic() - last >= _PROGRESS_SECONDS or end:
                last = monotonic()
                progress.write(f"{done}/{len(made)} decisions\n")
            progress.flush()
        except OSError:
            silence(progress)  # a progress line that cannot be written stops nothing

    return run_loop(review(play, made, processes, tell))


# as text


def lines(analysis: Analysis) -> Iterator[str]:
    """A line for each decision, then one for each player."""
    budget = analysis.options.simulations
    how = f", {budget} simulations a decision" if budget else ""
    yield f"table {analysis.code}, analysed by {analysis.level}{how}, seed {analysis.options.seed}"
    for judged in analysis.judged:
        yield cut(_line(analysis, judged), LONGEST)
    for player in analysis.players():
        yield _summary(player)


def _line(analysis: Analysis, judged: ReviewedDecision) -> str:
    decision, game = judged.decision, analysis.game
    done = f"{decision.number:>5}  {analysis.names[decision.seat]}: {game.show(decision.command)}"
    if judged.best == decision.command:
        return f"{done}  (as {analysis.level})"
    cost = "not thought of" if judged.cost is None else f"-{points(judged.cost)}"
    return f"{done}  ({cost})  {analysis.level}: {game.show(judged.best)}. {judged.reason}"


def _summary(player: PlayerReview) -> str:
    share = f"{player.agreed} of {player.decisions} as the bot"
    worst = f", most at step {player.worst}" if player.worst is not None else ""
    unthought = f", {player.unthought} not thought of" if player.unthought else ""
    return f"{player.name}: {share}, {points(player.cost)} points given away{worst}{unthought}"


def points(hundredths: int) -> str:
    """Hundredths of a point as points."""
    return f"{hundredths / 100:.2f}"


# as JSON


def json_text(analysis: Analysis) -> str:
    """One object; docs/record.md lists the keys."""
    show = analysis.game.show
    told: dict[str, Any] = {
        "table": analysis.code,
        "level": analysis.level,
        "simulations": analysis.options.simulations or None,
        "seed": analysis.options.seed,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "decisions": player.decisions,
                "agreed": player.agreed,
                "not_thought_of": player.unthought,
                "cost": player.cost / 100,
                "worst": player.worst,
            }
            for player in analysis.players()
        ],
        "decisions": [
            {
                "number": judged.decision.number,
                "seat": judged.decision.seat,
                "done": show(judged.decision.command),
                "best": show(judged.best),
                "cost": None if judged.cost is None else judged.cost / 100,
                "options": [
                    {"command": show(command), "value": value / 100}
                    for command, value in judged.options
                ],
                "reason": judged.reason,
            }
            for judged in analysis.judged
        ],
    }
    return json.dumps(told)


def run(entries: Sequence[Entry], options: AnalysisOptions, *, as_json: bool) -> None:
    """Analyse a match, with progress on stderr, and print the result."""
    analysis = analyse(entries, options, sys.stderr)
    put = Writer(sys.stdout)
    for line in (json_text(analysis),) if as_json else lines(analysis):
        put(line)

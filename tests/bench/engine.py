"""How fast the engine plays: random legal games, through prompts, decide and evolve.

    python -m tests.bench.engine [--game NAME] [--json | --parts] [--seconds S]

`actions_per_s`: for each action the open prompts, a choice among all answers, a copy of
the state, and `decide` on it with its `evolve`s. `folds_per_s`: actions folded per
second from their events alone. `matched_per_s`: the same play through the kernel's
`Match`, with its tokens and what may be taken back. All by the process's CPU time, the
best of several rounds, all rulesets and player counts in turn. `calibration_per_s` is a
fixed loop of plain Python in the same process: figures of two machines, or of one at two
loads, compare by their ratio to it. `--parts` says where the time of an action goes.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from attrs import asdict, frozen

from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.game import Game, Setup, find_game
from engine.match import Match

GAMES = 60
"""Games in one round."""


@frozen
class Figures:
    actions_per_s: int
    folds_per_s: int
    matched_per_s: int
    calibration_per_s: int
    actions: int
    """Actions of one round."""
    events: int
    """Events of one round."""


def setups(game: Game[Any]) -> list[Setup]:
    """Every ruleset with every number of players it allows."""
    return [
        Setup(ruleset, seats) for ruleset, allowed in game.rulesets.items() for seats in allowed
    ]


def matches(game: Game[Any]) -> list[Match[Any]]:
    """The matches of a round, before their first action."""
    every = setups(game)
    made = []
    for number in range(GAMES):
        setup = every[number % len(every)]
        deal = game.deal(setup, Chance(number.to_bytes(32, "big")))
        made.append(Match(game, setup, deal))
    return made


def starts(game: Game[Any]) -> list[Any]:
    """The states that the games of a round start from."""
    return [match.state for match in matches(game)]


def play(game: Game[Any], state: Any, random: Callable[[], float]) -> list[tuple[Event, ...]]:
    """Play one game to its end; the events of each action."""
    log = []
    prompts, choices, decide = game.prompts, game.choices, game.decide
    while asked := prompts(state):
        for seat, prompt in asked.items():
            answers = choices(prompt)
            command = answers[int(random() * len(answers))]
            state = state.copy()
            log.append(decide(state, seat, command))
    return log


def play_match(match: Match[Any], random: Callable[[], float]) -> None:
    """Play one game to its end through the kernel."""
    choices = match.game.choices
    while match.asked:
        for seat, asked in match.asked.items():
            answers = choices(asked.prompt)
            command = answers[int(random() * len(answers))]
            draft = match.draft(seat, asked.token, command)
            match.accept(match.number + 1, seat, draft)


def fold(game: Game[Any], state: Any, log: list[tuple[Event, ...]]) -> None:
    """Carry out the events of one game."""
    evolve = game.evolve
    for events in log:
        for event in events:
            evolve(state, event)


def calibrate() -> int:
    """Steps of a loop of plain Python (dict, tuple, call, attribute-free): 300,000."""

    def step(table: dict[int, int], pair: tuple[int, int]) -> int:
        key, value = pair
        table[key] = table.get(key, 0) + value
        return table[key] & 1023

    steps = 300_000
    table: dict[int, int] = {}
    last = 0
    for number in range(steps):
        last = step(table, (number & 255, last + 1))
    return steps


def measure(seconds: float, game: Game[Any]) -> Figures:
    """Rounds of all of them, in turn, for about `seconds` of CPU time; the best of each."""
    played: list[list[tuple[Event, ...]]] = []
    best = {"play": 0.0, "fold": 0.0, "match": 0.0, "calibrate": 0.0}
    end = process_time() + seconds
    gc.collect()
    while process_time() < end or not played:
        games = starts(game)
        random = Random(1).random
        began = process_time()
        played = [play(game, state, random) for state in games]
        actions = sum(map(len, played))
        best["play"] = max(best["play"], actions / (process_time() - began))

        games = starts(game)
        began = process_time()
        for state, log in zip(games, played, strict=True):
            fold(game, state, log)
        best["fold"] = max(best["fold"], actions / (process_time() - began))

        through = matches(game)
        random = Random(1).random
        began = process_time()
        for match in through:
            play_match(match, random)
        best["match"] = max(best["match"], actions / (process_time() - began))

        began = process_time()
        best["calibrate"] = max(best["calibrate"], calibrate() / (process_time() - began))
    return Figures(
        actions_per_s=round(best["play"]),
        folds_per_s=round(best["fold"]),
        matched_per_s=round(best["match"]),
        calibration_per_s=round(best["calibrate"]),
        actions=actions,
        events=sum(len(events) for log in played for events in log),
    )


def parts(game: Game[Any]) -> dict[str, float]:
    """Microseconds per action of the parts of playing, each the best of seven runs over
    the same recorded actions."""
    actions: list[tuple[Any, int, Prompt, Command]] = []
    random = Random(1).random
    for state in starts(game):
        while asked := game.prompts(state):
            for seat, prompt in asked.items():
                answers = game.choices(prompt)
                command = answers[int(random() * len(answers))]
                actions.append((state, seat, prompt, command))
                state = state.copy()
                game.decide(state, seat, command)

    def best(part: Callable[[Any, int, Prompt, Command], object]) -> float:
        took = []
        for _ in range(7):
            began = process_time()
            for action in actions:
                part(*action)
            took.append(process_time() - began)
        return min(took) / len(actions) * 1e6

    loop = best(lambda state, seat, prompt, command: None)
    found = {
        "prompts": best(lambda state, seat, prompt, command: game.prompts(state)),
        "choices": best(lambda state, seat, prompt, command: game.choices(prompt)),
        "copy": best(lambda state, seat, prompt, command: state.copy()),
        "copy and decide": best(
            lambda state, seat, prompt, command: game.decide(state.copy(), seat, command)
        ),
        "public view": best(lambda state, seat, prompt, command: game.public(state)),
    }
    return {part: took - loop for part, took in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.engine", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--seconds", type=float, default=8.0, help="CPU time (default 8)")
    parser.add_argument("--parts", action="store_true", help="where the time goes")
    parser.add_argument("--game", default="ra", help="an installed game (default ra)")
    arguments = parser.parse_args()
    game = find_game(arguments.game)
    if arguments.parts:
        for part, took in parts(game).items():
            print(f"{took:6.2f} us  {part}")
        return
    found = measure(arguments.seconds, game)
    if arguments.json:
        print(json.dumps(asdict(found)))
        return
    print(f"{found.actions_per_s:,} actions/s ({found.events / found.actions:.2f} events each)")
    print(f"{found.folds_per_s:,} actions/s folded from their events")
    print(f"{found.matched_per_s:,} actions/s through the kernel's Match")
    print(f"{found.calibration_per_s:,} steps/s of the calibration loop")


if __name__ == "__main__":
    main()

"""How strong the bots are: many games between levels, through the kernel.

    python -m tests.bench.arena --seats hard,normal --games 400 --seed 1 --budget 200
    python -m tests.bench.arena --game raja --seats normal,easy --games 400 --seed 1

Every deal is played as often as there are seats, with the seats rotated by one each
time (duplicate deals), so that nobody is lucky with suns or tiles. Bots are given what
a client of their seat is given, and nothing else. `--budget` is the number of
simulations of a decision, for the levels that count them. The same arguments give the
same games, whatever the number of `--processes` is.

`--json`: `seats` in the order given, each with `name`, `games`, `win_rate` (a shared
win counts its share) and `ci95`, the 95 % interval [low, high] (Wilson's, as if the
games were independent; duplicate deals make it rather wider than need be), and
`points`, the average; `games_per_s`, `decisions_per_s`; `p50_s` and `p99_s`: seconds
of CPU of one decision of the first seat's level where its prompt leaves a choice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from os import cpu_count
from time import monotonic, process_time
from typing import Any

from attrs import frozen

from engine.deal import Chance
from engine.game import Bot, Game, Setup, Watcher, find_game
from engine.match import Match


@frozen
class Played:
    """One game."""

    shares: tuple[float, ...]
    """By player in the order given: 1 for a win, a part of it for a shared one."""
    points: tuple[int, ...]
    decisions: int
    took: tuple[float, ...]
    """Seconds of CPU of each decision of the first level that left a choice."""


def make(game: Game[Any], level: str, budget: int | None) -> Bot:
    """A bot of `level`, with `budget` simulations if it counts them."""
    kind: Any = game.bots[level]
    bot: Bot = kind()
    if budget is not None and hasattr(bot, "simulations"):
        bot = kind(budget)
    return bot


def seed_of(*parts: int) -> bytes:
    """32 bytes for the numbers given."""
    return sha256(b"arena" + b"".join(part.to_bytes(8, "big") for part in parts)).digest()


def play(
    name: str, levels: Sequence[str], ruleset: str, seed: int, budget: int | None, number: int
) -> Played:
    """Game `number` of the series: deal number // seats, rotated number % seats. Where several
    seats are asked at once, the lowest answers first."""
    game = find_game(name)
    count = len(levels)
    deal, turned = divmod(number, count)
    setup = Setup(ruleset, count)
    match = Match(game, setup, game.deal(setup, Chance(seed_of(seed, deal))))
    player_at = [(seat + turned) % count for seat in range(count)]
    bots = [make(game, levels[player], budget) for player in player_at]
    chances = [Chance(seed_of(seed, deal, turned, player)) for player in player_at]
    decisions = 0
    took: list[float] = []
    while match.asked:
        seat, asked = next(iter(match.asked.items()))
        public, private = game.public(match.state), game.private(match.state, seat)
        began = process_time()
        command = bots[seat].choose(public, private, asked.prompt, chances[seat])
        if levels[player_at[seat]] == levels[0] and len(game.choices(asked.prompt)) > 1:
            took.append(process_time() - began)
        decisions += 1
        step = match.draft(seat, asked.token, command)
        match.accept(match.number + 1, seat, step)
        for other, bot in enumerate(bots):
            if isinstance(bot, Watcher):
                shown = [
                    event.show(audience) for event in step.events for audience in (None, other)
                ]
                bot.watch([happening for happening in shown if happening is not None])
    result = match.result
    assert result is not None
    shares, points = [0.0] * count, [0] * count
    for seat, player in enumerate(player_at):
        points[player] = result.points[seat]
        if seat in result.winners:
            shares[player] = 1 / len(result.winners)
    return Played(tuple(shares), tuple(points), decisions, tuple(took))


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate seen in so many games."""
    z = 1.959964
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * (rate * (1 - rate) / games + z * z / (4 * games * games)) ** 0.5
    half /= 1 + z * z / games
    return max(0.0, middle - half), min(1.0, middle + half)


def figures(levels: Sequence[str], played: Sequence[Played], seconds: float) -> dict[str, Any]:
    """What `--json` prints."""
    games = len(played)
    seats = []
    for player, name in enumerate(levels):
        rate = sum(game.shares[player] for game in played) / games
        low, high = wilson(rate, games)
        points = sum(game.points[player] for game in played) / games
        seats.append(
            {
                "name": name,
                "games": games,
                "win_rate": round(rate, 4),
                "ci95": [round(low, 4), round(high, 4)],
                "points": round(points, 2),
            }
        )
    took = sorted(time for game in played for time in game.took)
    decisions = sum(game.decisions for game in played)
    return {
        "seats": seats,
        "games": games,
        "games_per_s": round(games / seconds, 3),
        "decisions_per_s": round(decisions / seconds, 1),
        "p50_s": round(took[len(took) // 2], 6) if took else 0.0,
        "p99_s": round(took[len(took) * 99 // 100], 6) if took else 0.0,
    }


def run(
    levels: Sequence[str],
    games: int,
    seed: int,
    budget: int | None,
    ruleset: str = "standard",
    processes: int = 1,
    quiet: bool = True,
    game: str = "ra",
) -> dict[str, Any]:
    """Play `games` games, rounded up to whole rotations; the figures."""
    games += -games % len(levels)
    began = monotonic()
    played: list[Played] = []
    one = partial(play, game, levels, ruleset, seed, budget)
    if processes == 1:
        _gather(map(one, range(games)), played, games, levels, quiet)
    else:
        with ProcessPoolExecutor(processes) as pool:
            _gather(pool.map(one, range(games)), played, games, levels, quiet)
    return figures(levels, played, monotonic() - began)


def _gather(
    results: Iterable[Played], played: list[Played], games: int, levels: Sequence[str], quiet: bool
) -> None:
    shown = monotonic()
    for game in results:
        played.append(game)
        if not quiet and (monotonic() - shown > 1 or len(played) == games):
            shown = monotonic()
            rate = sum(one.shares[0] for one in played) / len(played)
            line = f"\r{len(played)}/{games} games, {levels[0]} wins {rate:.1%} "
            print(line, end="", file=sys.stderr, flush=True)
    if not quiet:
        print(file=sys.stderr)


def mixed(decisions: int, seed: int, budget: int, name: str = "ra") -> int:
    """Play all rulesets with all numbers of players and mixed levels until so many
    decisions are made; how many. An illegal command raises IllegalAction."""
    game = find_game(name)
    levels = [level for level in game.bots for _ in range(1 if level == "hard" else 3)]
    made = number = 0
    while made < decisions:
        for ruleset, allowed in game.rulesets.items():
            for count in allowed:
                picked = Chance(seed_of(seed, number)).shuffle(levels)[:count]
                made += play(name, picked, ruleset, seed, budget, number).decisions
                number += 1
    return made


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.arena",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="ra", choices=["ra", "raja"])
    parser.add_argument("--seats", default="hard,normal", help="levels, by comma (2 to 5)")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=int, help="simulations a decision")
    parser.add_argument("--ruleset", default="standard")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument(
        "--mixed",
        type=int,
        metavar="N",
        help="instead: mixed levels, all rulesets, until N decisions; illegal ones end it",
    )
    wanted = parser.parse_args(argv)
    game = find_game(wanted.game)
    levels = wanted.seats.split(",")
    if unknown := [level for level in levels if level not in game.bots]:
        parser.error(f"no level {unknown[0]}: there are {', '.join(game.bots)}")
    if wanted.ruleset not in game.rulesets:
        parser.error(f"no ruleset {wanted.ruleset}: there are {', '.join(game.rulesets)}")
    if len(levels) not in game.rulesets[wanted.ruleset]:
        parser.error(f"{wanted.ruleset} is not played by {len(levels)}")
    if (
        min(wanted.games, wanted.processes) < 1
        or (1 if wanted.budget is None else wanted.budget) < 1
        or wanted.seed < 0
    ):
        parser.error("games, processes and budget are at least 1, the seed is not negative")
    if wanted.mixed is not None:
        made = mixed(wanted.mixed, wanted.seed, wanted.budget or 2, wanted.game)
        print(f"{made:,} decisions, none illegal")
        return
    found = run(
        levels,
        wanted.games,
        wanted.seed,
        wanted.budget,
        wanted.ruleset,
        wanted.processes,
        quiet=False,
        game=wanted.game,
    )
    if wanted.json:
        print(json.dumps(found))
        return
    for seat in found["seats"]:
        low, high = seat["ci95"]
        print(
            f"{seat['name']:>8} wins {seat['win_rate']:6.1%} ({low:.1%} to {high:.1%}),"
            f" {seat['points']:.1f} points"
        )
    print(
        f"{found['games']} games, {found['games_per_s']} games/s,"
        f" {found['decisions_per_s']:,} decisions/s;"
        f" a decision: median {found['p50_s']:.4f} s, 99 % within {found['p99_s']:.4f} s"
    )


if __name__ == "__main__":
    main()

"""Makes golden games, and tells a record as text (see README.md beside this file)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.entry import Command, Entry, Prompt
from engine.game import Setup, find_game
from engine.notation import word
from engine.ra.deal import RaDeal
from engine.ra.game import RA
from engine.ra.words import notation as ra_notation
from engine.ra.words.commands import Draw, SpendGods
from engine.raja.bots.random_bot import RandomBot
from engine.raja.deal import RajaDeal
from engine.raja.words import notation as raja_notation
from engine.table.words import EVENTS, TakeBack
from protocol.entries import entry_codec
from protocol.record import WholeRecord, read_record, write_record
from tests.games import Played, open_table, seed

FOLDER = Path(__file__).parent
SOFTWARE = "ra-online golden"
NOTATIONS: dict[str, Any] = {"ra": ra_notation, "raja": raja_notation}
"""By game: the module that shows and parses its lines."""
_TABLE_EVENTS = tuple(EVENTS.values())


def choose(prompt: Prompt, chance: Chance) -> Command:
    """A random answer; tiles are drawn and gods spent more often than not."""
    answers = RA.choices(prompt)
    liked = [answer for answer in answers if isinstance(answer, Draw | SpendGods)]
    if liked and chance.below(4):
        return chance.choice(liked)
    return chance.choice(answers)


def play(setup: Setup, number: int, game: str = "ra") -> Played:
    """A whole game; `number` gives its secret and its choices."""
    played = open_table(game, setup, number=number)
    chance = Chance(seed(number + 1))
    assert played.stream.match is not None
    while asked := played.stream.match.asked:
        seat = chance.choice(sorted(asked)) if len(asked) > 1 else min(asked)
        prompt = asked[seat].prompt
        if game == "ra":
            command = choose(prompt, chance)
        else:
            command = RandomBot().choose(None, None, prompt, chance)
        id = b"id" + played.stream.number.to_bytes(4, "big")
        played.act(seat, command, id)
    return played


def play_lively(setup: Setup, number: int) -> Played:
    """The same with a clock, and with all that may come between: see `Played.lively`."""
    clock = Clock(ClockKind.BANK, 60_000, 500)
    played = open_table("ra", setup, number=number, clock=clock, absence=Absence.BOT)
    for _ in played.lively(Chance(seed(number + 1))):
        pass
    return played


def record_of(played: Played) -> bytes:
    """The bytes of a game's record."""
    codec = entry_codec(played.game.vocabulary)
    bodies = map(codec.encode, played.entries)
    return b"".join(write_record(played.stream, bodies, SOFTWARE))


def tell(record: WholeRecord) -> str:
    """The text of a record."""
    header, ending = record.header, record.ending
    assert ending.result is not None
    lines = [
        f"ruleset {header.ruleset}",
        f"options {' '.join(header.options)}".rstrip(),
        f"players {len(header.players)}",
    ]
    for entry in record.entries:
        if entry.seat is None:
            lines += _tell_deal(entry)
        else:
            lines += _tell_action(NOTATIONS[header.game], entry, entry.seat, len(header.players))
    lines.append(f"points {' '.join(map(str, ending.result.points))}")
    lines.append(f"winners {' '.join(map(str, ending.result.winners))}")
    return "\n".join([*lines, ""])


def _tell_deal(entry: Entry) -> Iterator[str]:
    deal = entry.sealed.deal if entry.sealed else None
    if isinstance(deal, RaDeal):
        for seat, suns in enumerate(deal.sets):
            yield f"suns {seat}: {' '.join(map(str, suns))}"
        yield f"bag {' '.join(word(kind) for kind in deal.bag)}"
    if isinstance(deal, RajaDeal):
        yield f"track {' '.join(map(word, deal.track))}"
        yield f"first {deal.first}"


def _tell_action(notation: Any, entry: Entry, seat: int, seats: int) -> Iterator[str]:
    assert entry.command is not None
    if isinstance(entry.command, TakeBack):
        yield f"{seat} takes back to {entry.command.to}"
        return
    yield f"{seat}> {notation.show_command(entry.command)}"
    for event in entry.events:
        if isinstance(event, _TABLE_EVENTS):
            continue
        public = event.show(None)
        if public is not None:
            yield f"  {notation.show_happening(public)}"
        for learner in range(seats):
            learned = event.show(learner)
            if learned is not None:
                yield f"  [{learner}] {notation.show_happening(learned)}"


def main(arguments: list[str]) -> int:
    if arguments:
        name, ruleset, seats, number, *options = arguments
        lively, game = "lively" in options, "raja" if "raja" in options else "ra"
        setup = Setup(ruleset, int(seats), tuple(sorted({*options} - {"lively", "raja"})))
        find_game(game).check(setup)
        path = FOLDER / ("raja" if game == "raja" else "") / f"{name}.ra"
        if path.exists():
            print(f"{path.name} exists; a record is never written again", file=sys.stderr)
            return 1
        played = play_lively(setup, int(number)) if lively else play(setup, int(number), game)
        path.write_bytes(record_of(played))
    for path in sorted(FOLDER.rglob("*.ra")):
        text = tell(read_record(BytesIO(path.read_bytes())))
        path.with_suffix(".txt").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Plays and replays, and prints what came out: to be run by other interpreters and under
other hash seeds, which must print the same (`tests/everywhere/test_same_everywhere.py`).

Needs attrs and msgpack alone. `random` is poisoned: nothing here may ask it anything.
"""

from __future__ import annotations

import random
import sys
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn


def _poison(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("the global random was asked")


for _name in dir(random):
    if callable(getattr(random, _name)) and not _name.startswith("_"):
        setattr(random, _name, _poison)

from engine.deal import Chance  # noqa: E402
from engine.entry import Cause  # noqa: E402
from engine.game import Setup  # noqa: E402
from engine.ra.bots.hard import HardBot  # noqa: E402
from engine.ra.game import RA  # noqa: E402
from engine.stream import Draft, Request, Stream, open_stream  # noqa: E402
from engine.table.words import Open  # noqa: E402
from protocol.codec import dumps  # noqa: E402
from protocol.entries import entry_codec  # noqa: E402
from protocol.project import Projector  # noqa: E402
from protocol.record import read_record, write_record  # noqa: E402


def replayed(path: Path) -> str:
    """A hash over all views after every entry of a record, and its result."""
    record = read_record(BytesIO(path.read_bytes()), lambda _: RA)
    projector, stream, digest = Projector(RA), None, sha256()
    for entry in record.entries:
        if stream is None:
            stream = Stream(entry, lambda _: RA)
        else:
            stream.fold(entry)
        digest.update(dumps(projector.public(stream)))
        for seat in range(len(record.header.players)):
            digest.update(dumps(projector.private(stream, seat)))
            digest.update(dumps(projector.happened(entry, seat)))
    return f"{path.name} {digest.hexdigest()} {record.ending.result}"


def played(levels: tuple[str, ...]) -> str:
    """A hash over the record of a game of bots, who have their own chance each."""
    seats = len(levels)
    opening = Open("ra", "standard", (), seats, levels, True, False, "", b"")
    nonces = tuple(bytes([seat]) * 16 for seat in range(seats))
    first = open_stream(
        opening, id=None, person=b"host", code="T-1", secret=bytes(32), bot_nonces=nonces, time=0,
        game=RA,
    )  # fmt: skip
    stream, entries = Stream(first, lambda _: RA), [first]
    assert stream.match is not None
    bots = [HardBot(8) if level == "hard" else RA.bots[level]() for level in levels]
    chances = [Chance(bytes([seat]) * 32) for seat in range(seats)]
    while stream.match.asked:
        ((seat, asked),) = stream.match.asked.items()
        state = stream.match.state
        views = RA.public(state), RA.private(state, seat)
        command = bots[seat].choose(*views, asked.prompt, chances[seat])
        request = Request(command, seat=seat, token=asked.token, cause=Cause.BOT)
        draft = stream.draft(request, 0)
        assert isinstance(draft, Draft)
        stream.accept(draft)
        entries.append(draft.entry)
        for other, bot in enumerate(bots):
            if isinstance(bot, HardBot):
                shown = [event.show(to) for to in (None, other) for event in draft.entry.events]
                bot.watch([happening for happening in shown if happening is not None])
    codec = entry_codec(RA.vocabulary)
    bodies = [codec.encode(entry) for entry in entries]
    data = b"".join(write_record(stream, bodies, "same everywhere"))
    setup = Setup("standard", seats)
    assert stream.sealed.deal is not None
    return f"{setup.seats} bots {levels[0]} {sha256(data).hexdigest()} {stream.match.result}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(replayed(Path(name)))
    for playing in (("easy", "random"), ("random", "easy") * 2, ("hard", "normal", "hard")):
        print(played(playing))

"""Prints what a record's game looks like after every entry, as one digest: the same on any
version of Python and for any hash order. `random` gives nothing while it does so.

    python -m tests.house.everywhere FILE
"""

from __future__ import annotations

import random
import sys
from hashlib import sha256
from pathlib import Path


def refuse(*_: object) -> None:
    """Stands in for all of `random`."""
    raise AssertionError("random was asked")


def poison() -> None:
    """Let nobody draw from `random`, be it the shared generator or one of their own."""
    for name in ("random", "getrandbits", "seed", "randbytes"):
        setattr(random, name, refuse)
        setattr(random.Random, name, refuse)
    for name in ("shuffle", "choice", "choices", "randrange", "randint", "sample", "uniform"):
        setattr(random, name, refuse)


def digest(path: Path) -> str:
    """The digest of all views of all audiences, entry by entry."""
    from io import BytesIO

    from engine.stream import Stream
    from protocol.codec import dumps
    from protocol.project import Projector
    from protocol.record import read_record

    entries = read_record(BytesIO(path.read_bytes())).entries
    stream = Stream(entries[0])
    projector = Projector(stream.game)
    seen = sha256()
    for entry in entries:
        if entry.number > 1:
            stream.fold(entry)
        for audience in (None, *range(len(stream.seating.places))):
            seen.update(dumps(projector.private(stream, audience)))
            seen.update(dumps(projector.happened(entry, audience)))
        seen.update(dumps(projector.public(stream)))
    return seen.hexdigest()


if __name__ == "__main__":
    poison()
    print(digest(Path(sys.argv[1])))

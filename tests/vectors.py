"""Writes the test vectors of docs/fairness.md and the example of docs/record.md.

python -m tests.vectors        prints them; a test compares them with the pages
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from engine.deal import Chance, commit, derive_seed
from engine.game import Setup, find_game
from protocol.chain import read_parts, write_parts
from protocol.entries import entry_codec
from protocol.record import ENDING, HEADER, RECORD, Ending, Header, RecordedPlayer
from tests.games import open_table
from tests.miniature import register

SECRET = bytes(range(32))
NONCES = tuple(bytes(range(16 * seat, 16 * seat + 16)) for seat in range(3, 6))


def fairness() -> Iterator[str]:
    """The vectors of docs/fairness.md: `name = value`, a line each."""
    seed = derive_seed(SECRET, NONCES)
    yield f"secret = {SECRET.hex()}"
    for seat, nonce in enumerate(NONCES):
        yield f"nonce[{seat}] = {nonce.hex()}"
    yield f"commitment = {commit(SECRET).hex()}"
    yield f"seed = {seed.hex()}"
    chance = Chance(seed)
    yield f"words = {' '.join(f'{chance.word():08x}' for _ in range(9))}"
    for bound in (10, 3_000_000_000):
        chance = Chance(seed)
        yield f"below({bound}) = {' '.join(str(chance.below(bound)) for _ in range(12))}"
    yield f"shuffle(0..9) = {' '.join(map(str, Chance(seed).shuffle(range(10))))}"
    raja = find_game("raja").deal(Setup("standard", 3), Chance(seed))
    yield f"track = {' '.join(city.name.capitalize() for city in raja.track)}"
    yield f"first = {raja.first}"
    deal = find_game("ra").deal(Setup("standard", 3), Chance(seed))
    yield "sets = " + " / ".join(" ".join(map(str, suns)) for suns in deal.sets)
    for row in range(0, 180, 30):
        yield f"bag[{row}..] = {' '.join(str(int(kind)) for kind in deal.bag[row : row + 30])}"


def record() -> tuple[bytes, list[tuple[str, bytes]]]:
    """A small record for docs/record.md: all its bytes, and each piece with its name."""
    played = open_table("miniature", Setup("open", 2), number=1)
    body = entry_codec(played.game.vocabulary).encode(played.entries[0])
    header = Header("ra", 1, "standard", (), "example 1", "KIWI-42", (RecordedPlayer("Ann", None),))
    ending = Ending(played.stream.seating.phase, None)
    data = b"".join(write_parts(RECORD, HEADER.encode(header), [body], ENDING.encode(ending)))
    pieces = [("prefix", data[:10])]
    at = 10
    for part in read_parts(BytesIO(data), RECORD):
        name = part.kind.name.lower()
        sizes = {"head": 9, "head check": 4, "body": len(part.body), "body check": 4, "link": 32}
        for what, size in sizes.items():
            pieces.append((f"{name} {part.number}: {what}", data[at : at + size]))
            at += size
    assert at == len(data)
    return data, pieces


def record_lines() -> Iterator[str]:
    """The example of docs/record.md: `piece = bytes`, a line each."""
    for name, piece in record()[1]:
        yield f"{name} = {piece.hex()}"


if __name__ == "__main__":
    register()
    print("\n".join(fairness()))
    print()
    print("\n".join(record_lines()))

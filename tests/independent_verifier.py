"""Checks a finished record of Ra or Raja by docs/fairness.md alone: no import of our packages.

python tests/independent_verifier.py FILE.ra
"""

import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack

COPIES = [30, 8, 5, 25, 25, 12] + [5] * 5 + [5] * 8 + [2, 2, 4, 2]
SUN_SETS = {
    2: [[9, 6, 5, 2], [8, 7, 4, 3]],
    3: [[13, 8, 5, 2], [12, 9, 6, 3], [11, 10, 7, 4]],
    4: [[13, 6, 2], [12, 7, 3], [11, 8, 4], [10, 9, 5]],
    5: [[16, 7, 2], [15, 8, 3], [14, 9, 4], [13, 10, 5], [12, 11, 6]],
}

CITIES = {"Ajmer": 0, "Bikaner": 1, "Chittor": 3, "Delhi": 4, "Jaipur": 5, "Kota": 6, "Udaipur": 7}


def commitment(secret: bytes) -> bytes:
    return sha256(b"ra-online/commit/1\0" + secret).digest()


def seed_of(secret: bytes, nonces: Sequence[bytes]) -> bytes:
    parts = secret + bytes([len(nonces)]) + b"".join(nonces)
    return sha256(b"ra-online/seed/1\0" + parts).digest()


def words(seed: bytes) -> Iterator[int]:
    index = 0
    while True:
        block = sha256(b"ra-online/block/1\0" + seed + struct.pack(">Q", index)).digest()
        yield from struct.unpack(">8I", block)
        index += 1


def below(stream: Iterator[int], bound: int) -> int:
    while True:
        word = next(stream)
        if word < 2**32 - 2**32 % bound:
            return word % bound


def shuffle(stream: Iterator[int], items: Sequence[Any]) -> list[Any]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def deal(seed: bytes, seats: int) -> tuple[list[list[int]], list[int]]:
    stream = words(seed)
    sets = shuffle(stream, SUN_SETS[seats])
    return sets, shuffle(stream, [kind for kind, n in enumerate(COPIES) for _ in range(n)])


def deal_of_raja(seed: bytes, seats: int) -> tuple[list[str], int]:
    stream = words(seed)
    return shuffle(stream, list(CITIES)), below(stream, seats)


def entries(data: bytes) -> Iterator[list[Any]]:
    assert data[:10] == b"\x89RAREC\r\n\0\1", "no record of format 1"
    link, at, kind = sha256(data[:10]).digest(), 10, 0
    while at < len(data):
        head = data[at : at + 9]
        kind, number, size = struct.unpack(">BII", head)
        body, end = data[at + 13 : at + 13 + size], at + 13 + size
        link = sha256(b"ra-online/link/1\0" + link + head + body).digest()
        crcs = struct.pack(">I", zlib.crc32(head)), struct.pack(">I", zlib.crc32(body))
        assert crcs == (data[at + 9 : at + 13], data[end : end + 4]), f"part {number} is damaged"
        assert data[end + 4 : end + 36] == link, f"part {number} does not chain"
        at = end + 36
        if kind == 2:
            yield msgpack.unpackb(body, strict_map_key=False)
    assert kind == 3, "the end mark is missing"


def check(data: bytes) -> str:
    """Raise AssertionError unless the record's deal was fixed by secret and nonces; what came."""
    log = list(entries(data))
    events = [event for entry in log for event in entry[7]]
    (committed,) = [event[9] for event in events if event[0] == 1]
    ((secret, nonces),) = [event[1:] for event in events if event[0] == 7]
    assert commitment(secret) == committed, "another secret was committed to"
    taken = {event[1]: event[5] for event in events if event[0] == 2}
    (places,) = [event[3] for event in events if event[0] == 4]
    assert nonces == [taken[place] for place in places], "other nonces were given"
    (game,) = [event[2] for event in events if event[0] == 1]
    seed = seed_of(secret, nonces)
    (dealt,) = [entry[8][1] for entry in log if entry[8] and entry[8][1]]
    if game == "raja":
        cities, first = deal_of_raja(seed, len(nonces))
        track = [CITIES[city] for city in cities]
        assert dealt == [track, first], "another deal was played"
        began = [event[1:] for event in events if event[0] == 32]
        assert all(told == [track, first] for told in began), "another deal was told"
        return "track and first seat are"
    sets, bag = deal(seed, len(nonces))
    assert dealt == [bag, sets], "another deal was played"
    drawn = [event[2] for event in events if event[0] == 33]
    assert drawn == bag[: len(drawn)], "tiles came in another order"
    return f"{len(drawn)} tiles came"


if __name__ == "__main__":
    came = check(Path(sys.argv[1]).read_bytes())
    print(f"honest: {came} as the secret and the nonces say")

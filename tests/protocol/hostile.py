"""Byte strings that no peer of good will sends. `python -m tests.protocol.hostile` reads
them with every codec and prints what came of it, for a run with another msgpack."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from typing import Any

import msgpack

from protocol.codec import ProtocolError, loads
from protocol.messages import CLIENT_CODEC, SERVER_CODEC

HOSTILE: dict[str, bytes] = {
    "nil": b"\xc0",
    "an int": b"\x01",
    "an empty array": b"\x90",
    "the byte that is never used": b"\xc1",
    "nothing": b"",
    "trailing bytes": b"\x01\x02",
    "trailing bytes after a message": b"\x91\x0b\x00",
    "100000 arrays in arrays": b"\x91" * 100_000 + b"\xc0",
    "1000 arrays in arrays": b"\x91" * 1000 + b"\xc0",
    "17 arrays in a command": b"\x94\x09\xc4\x01i\x01" + b"\x91" * 17 + b"\xc0",
    "array of 4 milliards": b"\xdd\xff\xff\xff\xff",
    "map of 4 milliards": b"\xdf\xff\xff\xff\xff",
    "text of 4 milliards": b"\xdb\xff\xff\xff\xff\x61",
    "binary of 4 milliards": b"\xc6\xff\xff\xff\xff\x61",
    "ext of 4 milliards": b"\xc9\xff\xff\xff\xff\x05",
    "a map with an array as key": b"\x81\x91\x01\x02",
    "a map with an int as key": b"\x81\x01\x02",
    "a map with a key twice": b"\x82\xa1\x61\x01\xa1\x61\x02",
    "an empty map": b"\x80",
    "a map in a message": b"\x92\x0a\x80",
    "a map in a command": b"\x94\x09\xc4\x01i\x01\x80",
    "text that is not UTF-8": b"\xa2\xff\xfe",
    "text not UTF-8 in a message": b"\x92\x0a\xa2\xff\xfe",
    "a lone surrogate": b"\x92\x0a\xa3\xed\xa0\x80",
    "ext": b"\xc7\x01\x05\x78",
    "empty ext": b"\xc7\x00\x05",
    "ext in a command": b"\x94\x09\xc4\x01i\x01\xd4\x05\x00",
    "timestamp 32": b"\xd6\xff\x00\x00\x00\x01",
    "timestamp 96 beyond": b"\xc7\x0c\xff" + b"\xff" * 12,
    "a float": b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
    "a float as tag": b"\x91\xcb\x40\x26\x00\x00\x00\x00\x00\x00",
    "a float in a command": b"\x94\x09\xc4\x01i\x01\xca\x3f\x80\x00\x00",
    "NaN in a command": b"\x94\x09\xc4\x01i\x01\xca\x7f\xc0\x00\x00",
    "true as tag": b"\x91\xc3",
    "text as tag": b"\x91\xa1\x39",
    "true as number": b"\x93\x05\xa1K\xc3",
    "a number as text": b"\x92\x0d\x01",
    "binary as text": b"\x92\x0a\xc4\x01a",
    "text as binary": b"\x92\x08\xa1a",
    "an int of 64 bits unsigned": b"\x93\x05\xa1K" + b"\xcf" + b"\xff" * 8,
    "an int of 64 bits unsigned in a command": b"\x94\x09\xc4\x01i\x01\xcf" + b"\xff" * 8,
    "an int of 64 bits unsigned as tag": b"\x91\xcf" + b"\xff" * 8,
    "a negative number": b"\x93\x05\xa1K\xff",
    "an unknown tag": b"\x91\x7f",
    "tag 0": b"\x91\x00",
    "a field too few": b"\x93\x09\xc4\x01i\x01",
    "a field too many": b"\x92\x0b\xc0",
    "an id of no byte": b"\x92\x08\xc4\x00",
    "an id of 17 bytes": b"\x92\x08\xc4\x11" + b"i" * 17,
    "a nonce of 15 bytes": b"\x94\x04\xc4\x01i\xa1K\xc4\x0f" + b"n" * 15,
    "a nonce of 17 bytes": b"\x94\x04\xc4\x01i\xa1K\xc4\x11" + b"n" * 17,
    "a name of 257 characters": b"\x97\x01\x01\xa0\x90\xa0\xda\x01\x01" + b"n" * 257 + b"\xc0",
    "a chat of 2049 characters": b"\x92\x0a\xda\x08\x01" + b"n" * 2049,
    "17 capabilities": b"\x97\x01\x01\xa0\xdc\x00\x11" + b"\xa0" * 17 + b"\xa0\xa0\xc0",
    "a number as capability": b"\x97\x01\x01\xa0\x91\x01\xa0\xa0\xc0",
    "64 KB by chance": random.Random(1).randbytes(65_536),
    "5 MB": bytes(5 << 20),
    "a message cut short": b"\x94\x09\xc4\x08ab",
}
"""By what is wrong with it."""


def verdicts() -> dict[str, str]:
    """What comes of each: "refused" if every codec raises ProtocolError in 50 ms of CPU
    time; else what happened instead. `loads` knows no classes and may take a few."""
    found = {}
    for name, data in HOSTILE.items():
        found[name] = " ".join(
            _verdict(codec.decode, data) for codec in (CLIENT_CODEC, SERVER_CODEC)
        )
        found[name] += " " + _verdict(loads, data).replace("taken", "refused")
    return found


def _verdict(read: Callable[[bytes], object], data: bytes) -> str:
    answer, spent = outcome(lambda: read(data))
    if isinstance(answer, ProtocolError):
        verdict = "refused" if len(str(answer)) < 200 else "a long error"
    else:
        verdict = repr(answer) if isinstance(answer, BaseException) else "taken"
    return verdict if spent < 0.05 else f"{verdict} in {spent:.3f} s"


def outcome(work: Callable[[], Any]) -> tuple[Any, float]:
    """What `work` gives or raises, and the seconds of CPU it took: without the collector
    of garbage, which may take its time for all that a test run has piled up."""
    gc.disable()
    start = time.process_time()
    try:
        answer = work()
    except Exception as error:
        answer = error
    spent = time.process_time() - start
    gc.enable()
    return answer, spent


if __name__ == "__main__":
    print(msgpack.unpackb.__module__)
    for name, verdict in verdicts().items():
        print(f"{verdict}: {name}")

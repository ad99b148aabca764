"""Chance that is the same each time: what a server draws for tokens, codes and secrets comes
from streams of a seed, so that the bytes it sends can stand on a page."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TypeVar
from unittest.mock import patch

from engine.deal import SECRET_BYTES, Chance

T = TypeVar("T")


@contextmanager
def fixed_chance(seed: bytes) -> Iterator[None]:
    """Within it the module `secrets` draws from streams of a seed (32 bytes). Each size of
    what is drawn has a stream of its own: what one part of a server draws, and how often,
    changes nothing for the others."""
    streams: dict[tuple[str, int], Chance] = {}

    def stream(kind: str, size: int) -> Chance:
        made = Chance(sha256(seed + f"{kind} {size}".encode()).digest())
        return streams.setdefault((kind, size), made)

    def token_bytes(count: int) -> bytes:
        if count == SECRET_BYTES:
            return sha256(seed).digest()  # of the one table there is, whoever drew before
        chance = stream("bytes", count)
        return bytes(chance.below(256) for _ in range(count))

    def choice(items: Sequence[T]) -> T:
        return items[stream("choice", len(items)).below(len(items))]

    def randbelow(beyond: int) -> int:
        return stream("below", beyond).below(beyond)

    with (
        patch.object(secrets, "token_bytes", token_bytes),
        patch.object(secrets, "choice", choice),
        patch.object(secrets, "randbelow", randbelow),
    ):
        yield

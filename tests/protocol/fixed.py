"""Chance that is the same each time: what a server draws for tokens, codes and secrets comes
from one stream, so that the bytes it sends can stand on a page."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar
from unittest.mock import patch

from engine.deal import Chance

T = TypeVar("T")


@contextmanager
def fixed_chance(seed: bytes) -> Iterator[None]:
    """Within it the module `secrets` draws from the stream of a seed (32 bytes)."""
    chance = Chance(seed)

    def token_bytes(count: int) -> bytes:
        return bytes(chance.below(256) for _ in range(count))

    def choice(items: Sequence[T]) -> T:
        return items[chance.below(len(items))]

    with (
        patch.object(secrets, "token_bytes", token_bytes),
        patch.object(secrets, "choice", choice),
        patch.object(secrets, "randbelow", chance.below),
    ):
        yield

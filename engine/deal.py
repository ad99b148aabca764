"""Chance: a secret committed to beforehand, nonces of all seats, a seed, and how
numbers and shuffles follow from it.

The specification, byte for byte and with test vectors, is docs/fairness.md. Nothing
here depends on Python's `random`, hash order or version; seeds are bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

SECRET_BYTES = 32
NONCE_BYTES = 16

_COMMIT = b"ra-online/commit/1\x00"
_SEED = b"ra-online/seed/1\x00"
_BLOCK = b"ra-online/block/1\x00"


def commit(secret: bytes) -> bytes:
    """The commitment (32 bytes) published before any nonce is known."""
    return sha256(_COMMIT + secret).digest()


def derive_seed(secret: bytes, nonces: Sequence[bytes]) -> bytes:
    """The seed (32 bytes) of `secret` and one nonce per match seat, in seat order."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    if any(len(nonce) != NONCE_BYTES for nonce in nonces):
        raise ValueError(f"a nonce has {NONCE_BYTES} bytes")
    return sha256(_SEED + secret + bytes([len(nonces)]) + b"".join(nonces)).digest()


class Chance:
    """An endless, reproducible stream of numbers from a seed (32 bytes).

    Block i is SHA-256(tag, seed, i as 8 bytes big-endian); the stream is the blocks'
    bytes in order, read as big-endian 32-bit words.
    """

    __slots__ = ("_block", "_buffer", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._buffer: list[int] = []

    def word(self) -> int:
        """The next 32-bit word, 0 <= word < 2**32."""
        if not self._buffer:
            index = self._block.to_bytes(8, "big")
            digest = sha256(_BLOCK + self._seed + index).digest()
            self._block += 1
            self._buffer = [int.from_bytes(digest[at : at + 4], "big") for at in range(28, -1, -4)]
        return self._buffer.pop()

    def below(self, bound: int) -> int:
        """A number 0 <= n < bound (1 <= bound <= 2**32), each equally likely: a word
        is rejected when it lies in the last, incomplete run of `bound` values."""
        if not 1 <= bound <= 1 << 32:
            raise ValueError(f"bound must be 1 to 2**32, not {bound}")
        limit = (1 << 32) - (1 << 32) % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Fisher-Yates: for i from the last position down to 1, swap i and below(i + 1)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`, each equally likely."""
        return items[self.below(len(items))]

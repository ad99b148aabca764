"""Chance: the numbers and shuffles of docs/fairness.md, fair and reproducible."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deal import Chance, commit, derive_seed

SECRET = bytes(range(32))
NONCES = (bytes(range(16)), bytes(range(16, 32)))


def test_the_commitment_is_a_hash_of_the_secret() -> None:
    assert commit(SECRET) == sha256(b"ra-online/commit/1\0" + SECRET).digest()
    assert commit(SECRET) != commit(SECRET[::-1])


def test_the_seed_hangs_on_the_secret_and_every_nonce_in_its_place() -> None:
    seeds = {
        derive_seed(SECRET, NONCES),
        derive_seed(SECRET[::-1], NONCES),
        derive_seed(SECRET, NONCES[::-1]),
        derive_seed(SECRET, NONCES[:1]),
        derive_seed(SECRET, ()),
    }
    assert len(seeds) == 5


@pytest.mark.parametrize(
    ("secret", "nonces"),
    [(b"", NONCES), (SECRET[1:], ()), (SECRET, (b"",)), (SECRET, (b"x" * 17,))],
)
def test_no_seed_from_parts_of_another_size(secret: bytes, nonces: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError):
        derive_seed(secret, nonces)


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError):
        Chance(SECRET).below(bound)


def test_nothing_is_chosen_from_nothing() -> None:
    with pytest.raises(ValueError):
        Chance(SECRET).choice(())
    assert Chance(SECRET).shuffle(()) == ()


def test_words_come_block_after_block() -> None:
    chance = Chance(SECRET)
    words = [chance.word() for _ in range(20)]
    blocks = b"".join(
        sha256(b"ra-online/block/1\0" + SECRET + index.to_bytes(8, "big")).digest()
        for index in range(3)
    )
    assert words == [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, 80, 4)]


class Words(Chance):
    """Chance with words given by a test."""

    def __init__(self, *words: int) -> None:
        super().__init__(SECRET)
        self._words = list(words)

    def word(self) -> int:
        return self._words.pop(0)


def test_words_of_the_incomplete_run_are_thrown_away() -> None:
    """2**32 is 3 * 1431655765 + 1: the last word alone belongs to no run."""
    assert Words((1 << 32) - 1, (1 << 32) - 2).below(3) == 2
    assert Words((1 << 32) - 1).below(1 << 32) == (1 << 32) - 1
    assert Words((1 << 32) - 1).below(1) == 0


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=40))
def test_a_shuffle_keeps_what_it_shuffles(seed: bytes, items: list[int]) -> None:
    before = list(items)
    shuffled = Chance(seed).shuffle(items)
    assert items == before
    assert sorted(shuffled) == sorted(items)
    assert shuffled == Chance(seed).shuffle(items)


def test_all_orders_are_about_equally_likely() -> None:
    """24 orders of 4, 4,800 shuffles: chi-square with 23 degrees of freedom stays below
    its value for one in a thousand. The stream is fixed, so this never fails by chance."""
    chance = Chance(SECRET)
    counts = Counter(chance.shuffle("abcd") for _ in range(4800))
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 49.73
    singles = Counter(chance.choice(range(6)) for _ in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in singles.values()) < 20.52

"""Hostile frames grown from real ones: trees with something odd in them, bytes with some of
them changed, missing or added."""

from __future__ import annotations

import random
from typing import Any

import msgpack

from tests.protocol.hostile import HOSTILE

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 127, 128, 255, 2**31, 2**63 - 1, 2**63, 2**64 - 1, -(2**63),
    "", "a", "\0", "\u202e", "x" * 5000, "\U0001f468\u200d\U0001f469", b"", b"i", b"n" * 16,
    b"n" * 5000, (), (1,), ((),), [], {}, {1: 2}, 1.5, float("inf"), (((((1,),),),),),
    (0,) * 5000, msgpack.ExtType(5, b"x"), msgpack.Timestamp(1),
)  # fmt: skip


MOST = 300
"""Trees of one kind in the pool."""


class Grower:
    """Makes frames from a pool of trees; what is understood joins the pool. Every kind of
    message is taken as often as any other, however easily it is grown."""

    def __init__(self, seeds: list[Any], seed: int) -> None:
        self.random = random.Random(seed)
        self._pool: dict[Any, list[Any]] = {}
        for tree in seeds:
            self._join(tree)

    def keep(self, data: bytes) -> None:
        """Let what was understood join the pool, in place of another once there are many."""
        self._join(msgpack.unpackb(data, use_list=False))

    def _join(self, tree: Any) -> None:
        kind = tree[0] if type(tree) is tuple and tree and type(tree[0]) is int else None
        same = self._pool.setdefault(kind, [])
        if len(same) < MOST:
            same.append(tree)
        else:
            same[self.random.randrange(MOST // 10, MOST)] = tree

    def _pick(self) -> Any:
        return self.random.choice(self.random.choice(list(self._pool.values())))

    def gentle(self) -> bytes:
        """A frame with at most one thing odd in it: it often gets far."""
        tree = self._pick()
        if self.random.random() < 0.5:
            tree = self.changed(tree)
        data: bytes = msgpack.packb(tree)
        return data

    def frame(self) -> bytes:
        """A frame with anything wrong with it, or nothing."""
        if self.random.random() < 0.02:
            return self.random.choice(list(HOSTILE.values()))
        tree = self._pick()
        for _ in range(self.random.randint(0, 3)):
            tree = self.changed(tree)
        data: bytes = msgpack.packb(tree)
        return self.broken(data) if self.random.random() < 0.25 else data

    def changed(self, tree: Any) -> Any:
        """A tree with something odd somewhere in it."""
        chance = self.random
        if type(tree) is not tuple or not tree or chance.random() < 0.1:
            return chance.choice(ODD)
        items, at = list(tree), chance.randrange(len(tree))
        match chance.randrange(7):
            case 0:
                del items[at]
            case 1:
                items.insert(at, chance.choice(ODD))
            case 2:
                items[at] = chance.choice(self._pick() or (None,))
            case 3:
                items[at], items[-1] = items[-1], items[at]
            case _:
                items[at] = self.changed(items[at])
        return tuple(items)

    def broken(self, data: bytes) -> bytes:
        """Bytes with some of them changed, missing or added."""
        chance = self.random
        at = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                return data[:at]
            case 1:
                return data[:at] + chance.randbytes(chance.randint(1, 4)) + data[at + 1 :]
            case _:
                return data[:at] + chance.randbytes(chance.randint(1, 4)) + data[at:]

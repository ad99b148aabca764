"""Differences of trees: `apply(old, diff(old, new)) == new`, with true kept from 1.

A delta is a flat tuple (key, argument, key, argument, ...) with
key = index * 4 + operation on the tuple that it changes:

  SET     argument: the new item at `index`
  INSIDE  argument: a delta of the item at `index`, itself a tuple
  SPLICE  argument: (number of items removed at `index`, *items put in their place)

Keys ascend, each index comes once, and a SPLICE is the last: one delta is applied in one
walk, however hostile it is. A whole that changed entirely, or is no tuple, is
(WHOLE, new). No change is ().
"""

from __future__ import annotations

from protocol.codec import MAX_DEPTH, ProtocolError, Tree

SET, INSIDE, SPLICE, WHOLE = 0, 1, 2, 3

MAX_ITEMS = 1 << 16
"""The most items that a splice may give an array."""

_SIZED = (tuple, str, bytes)
_SPLICE_COST = 3
"""Bytes that a splice takes besides its new items, and a new whole does not."""


def diff(old: Tree, new: Tree) -> Tree:
    """The delta that turns `old` into `new`; about the shortest of those possible."""
    if _same(old, new):
        return ()
    if type(old) is tuple and type(new) is tuple:
        delta, saved = _parts(old, new)
        if saved > 0:
            return delta
    return (WHOLE, new)


def _same(one: Tree, other: Tree) -> bool:
    """Whether two trees are equal, and of equal types throughout; for Python alone (True,) equals
    (1,)."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other) or one != other:
        return False
    return kind is not tuple or _same_types(one, other)


def _same_types(one: tuple[Tree, ...], other: tuple[Tree, ...]) -> bool:
    """Whether two tuples that Python takes for equal are equal."""
    for index, item in enumerate(one):
        counterpart = other[index]
        if item is counterpart:
            continue
        kind = type(item)
        if kind is not type(counterpart):
            return False
        if kind is tuple and not _same_types(item, counterpart):
            return False
    return True


def _parts(old: tuple[Tree, ...], new: tuple[Tree, ...]) -> tuple[Tree, int]:
    """The delta between two different tuples, and at least how many bytes it is shorter than `new`;
    if not positive, `new` itself is the shorter message."""
    if len(old) != len(new):
        return _splice(old, new)
    delta: list[Tree] = []
    saved = len(new)
    for index, before, after in zip(range(saved), old, new, strict=True):
        if before is after:
            continue
        kind = type(after)
        if kind is type(before):
            if kind is not tuple:
                if before == after:
                    continue
            elif before == after and _same_types(before, after):
                saved += len(after)
                continue
            else:
                inside, fewer = _parts(before, after)
                if fewer > 0:
                    saved += fewer - 2
                    delta += (index * 4 + INSIDE, inside)
                    continue
        saved -= 2
        delta += (index * 4 + SET, after)
    if saved <= 0:
        # It is close: what unchanged items take beyond one byte each decides.
        for index, after in enumerate(new):
            if after is old[index] and type(after) in _SIZED:
                saved += len(after)
    return tuple(delta), saved


def _splice(old: tuple[Tree, ...], new: tuple[Tree, ...]) -> tuple[Tree, int]:
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and _same(old[start], new[start]):
        start += 1
    end = 0
    while end < shorter - start and _same(old[-1 - end], new[-1 - end]):
        end += 1
    saved = start + end - _SPLICE_COST
    if saved <= 0 and start + end:
        kept = [*new[:start], *new[len(new) - end :]]
        saved += sum([len(item) for item in kept if type(item) in _SIZED])
    removed = len(old) - start - end
    return (start * 4 + SPLICE, (removed, *new[start : len(new) - end])), saved


def apply(tree: Tree, delta: Tree, depth: int = MAX_DEPTH) -> Tree:
    """`tree` changed by `delta`; raises ProtocolError if the delta does not fit."""
    if type(delta) is not tuple or len(delta) % 2:
        raise ProtocolError("a delta has keys and arguments in pairs")
    if not delta:
        return tree
    if delta[0] == WHOLE and len(delta) == 2 and type(delta[0]) is int:
        return delta[1]
    if type(tree) is not tuple or not depth:
        raise ProtocolError("a delta of parts wants an array")
    items = list(tree)
    least = 0
    for at in range(0, len(delta), 2):
        key, argument = delta[at], delta[at + 1]
        if type(key) is not int or not least <= key <= len(items) * 4 + SPLICE:
            raise ProtocolError("a key that does not ascend, or is beyond the array")
        index, operation = key >> 2, key & 3
        least = (index + 1) * 4
        if operation == SPLICE:
            _apply_splice(items, index, argument)
            least = (1 << 63) - 1
        elif index == len(items) or operation == WHOLE:
            raise ProtocolError("a key beyond the array")
        elif operation == SET:
            items[index] = argument
        else:
            items[index] = apply(items[index], argument, depth - 1)
    return tuple(items)


def _apply_splice(items: list[Tree], index: int, argument: Tree) -> None:
    if type(argument) is not tuple or not argument or type(argument[0]) is not int:
        raise ProtocolError("a splice wants a count")
    removed = argument[0]
    if not 0 <= removed <= len(items) - index:
        raise ProtocolError("a splice beyond the array")
    if len(items) - removed + len(argument) - 1 > MAX_ITEMS:
        raise ProtocolError(f"an array of more than {MAX_ITEMS} items")
    items[index : index + removed] = argument[1:]

"""Differences of trees: `apply(old, diff(old, new)) == new`.

A delta is a flat tuple (key, argument, key, argument, ...) with
key = index * 4 + operation on the tuple that it changes:

  SET     argument: the new item at `index`
  INSIDE  argument: a delta of the item at `index`
  SPLICE  argument: (number of items removed at `index`, *items put in their place)

Keys apply from left to right. A delta of something that is no tuple, or of a whole
that changed entirely, is (WHOLE, new). No change is ().
"""

from __future__ import annotations

from protocol.codec import ProtocolError, Tree

SET, INSIDE, SPLICE, WHOLE = 0, 1, 2, 3


def diff(old: Tree, new: Tree) -> Tree:
    """The delta that turns `old` into `new`."""
    if old == new and type(old) is type(new):
        return ()
    if type(old) is not tuple or type(new) is not tuple:
        return (WHOLE, new)
    if len(old) != len(new):
        return _splice(old, new)
    delta: list[Tree] = []
    for index, (before, after) in enumerate(zip(old, new, strict=True)):
        if before is after or (type(before) is type(after) and before == after):
            continue
        if type(before) is tuple and type(after) is tuple:
            inside = diff(before, after)
            if len(inside) == 2 and inside[0] == WHOLE:
                delta += (index * 4 + SET, after)
            else:
                delta += (index * 4 + INSIDE, inside)
        else:
            delta += (index * 4 + SET, after)
    return tuple(delta)


def _splice(old: tuple[Tree, ...], new: tuple[Tree, ...]) -> Tree:
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    removed = len(old) - start - end
    return (start * 4 + SPLICE, (removed, *new[start : len(new) - end]))


def apply(tree: Tree, delta: Tree) -> Tree:
    """What `delta` makes of `tree`; raises ProtocolError if it does not fit."""
    if type(delta) is not tuple or len(delta) % 2:
        raise ProtocolError("a delta has keys and arguments in pairs")
    if not delta:
        return tree
    if delta[0] == WHOLE:
        if len(delta) != 2:
            raise ProtocolError("nothing follows a whole")
        return delta[1]
    if type(tree) is not tuple:
        raise ProtocolError("a delta of parts wants an array")
    items = list(tree)
    for at in range(0, len(delta), 2):
        key, argument = delta[at], delta[at + 1]
        if type(key) is not int or not 0 <= key >> 2 <= len(items):
            raise ProtocolError("a key beyond the array")
        index, operation = key >> 2, key & 3
        if operation == SPLICE:
            if type(argument) is not tuple or not argument or type(argument[0]) is not int:
                raise ProtocolError("a splice wants a count")
            removed = argument[0]
            if not 0 <= removed <= len(items) - index:
                raise ProtocolError("a splice beyond the array")
            items[index : index + removed] = argument[1:]
        elif index == len(items) or operation == WHOLE:
            raise ProtocolError("a key beyond the array")
        elif operation == SET:
            items[index] = argument
        else:
            items[index] = apply(items[index], argument)
    return tuple(items)

"""Deltas lead from one tree to the other exactly, are short, and cannot be abused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import ProtocolError, dumps, loads
from protocol.delta import INSIDE, MAX_ITEMS, SET, SPLICE, WHOLE, apply, diff
from tests.protocol.hostile import outcome
from tests.protocol.trees import deltas, leaves, trees


@st.composite
def changed(draw: st.DrawFn, tree: Any) -> Any:
    """A tree that differs from `tree` in some places."""
    if type(tree) is not tuple or not tree or draw(st.integers(0, 5)) == 0:
        return draw(trees)
    items = list(tree)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(items) - 1))
        items[at] = draw(changed(items[at]))
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(items)))
        items[at : at + draw(st.integers(0, 2))] = draw(st.lists(leaves, max_size=3))
    return tuple(items)


@given(st.data(), trees)
def test_a_delta_leads_from_the_old_tree_to_the_new_one(data: st.DataObject, old: Any) -> None:
    new = data.draw(changed(old))
    delta = diff(old, new)
    back = apply(old, loads(dumps(delta)))
    assert back == new
    assert repr(back) == repr(new), "true is not 1"
    assert (delta == ()) == (repr(old) == repr(new))


@given(st.data(), trees)
def test_a_delta_is_hardly_ever_longer_than_the_new_tree(data: st.DataObject, old: Any) -> None:
    new = data.draw(changed(old))
    assert len(dumps(diff(old, new))) <= len(dumps(new)) + 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (1, True), (False, 0), ((1,), (True,)), ((0, 5, 6, 7), (False, 5, 6, 7)),
        ((9, 9, 9, (1, 2, 3, (4, 5, 6, 1))), (9, 9, 9, (1, 2, 3, (4, 5, 6, True)))),
        ((1, 2, 3, 4, 5), (True, 2, 3, 4, 5, 6)), (((1,), 2, 3, 4), ((True,), 2, 3, 4)),
    ],
)  # fmt: skip
def test_true_and_1_are_told_apart(old: Any, new: Any) -> None:
    assert repr(apply(old, diff(old, new))) == repr(new)
    assert repr(apply(new, diff(new, old))) == repr(old)


@pytest.mark.parametrize(
    ("old", "new", "delta"),
    [
        ((1, 2, 3, 4), (1, 2, 3, 4), ()),
        ((10**9, 2, 3, 4), (int("1000000000"), 9, 3, 4), (1 * 4 + SET, 9)),
        ((1, 2, 3, 4), (1, 9, 3, 4), (1 * 4 + SET, 9)),
        ((1, 2, 3, 4), (1, 2, 3, 4, 5), (4 * 4 + SPLICE, (0, 5))),
        ((1, 2, 3, 4, 5, 6), (1, 4, 5, 6), (1 * 4 + SPLICE, (2,))),
        (((1, 2, 3, 4), 5, 6), ((1, 2, 3, 9), 5, 6), (0 * 4 + INSIDE, (3 * 4 + SET, 9))),
        (((1, 2), 5, 6), ((3, 4), 5, 6), (0 * 4 + SET, (3, 4))),
        ((None, 2), ((3, 4), 2), (WHOLE, ((3, 4), 2))),
        ((("a long text", 1, 2), 5, 6), (("a long text", 3, 4), 5, 6),
         (0 * 4 + INSIDE, (1 * 4 + SET, 3, 2 * 4 + SET, 4))),
        ((("a long text", 1), 5, 6), (("a long text", 3, 4), 5, 6),
         (0 * 4 + INSIDE, (1 * 4 + SPLICE, (1, 3, 4)))),
        (((1, 2), 5, 6), ((1, 2, 3), 5, 6), (0 * 4 + SET, (1, 2, 3))),
        (1, 2, (WHOLE, 2)),
        ((1,), None, (WHOLE, None)),
    ],
)  # fmt: skip
def test_the_delta_is_the_short_one(old: Any, new: Any, delta: Any) -> None:
    assert diff(old, new) == delta
    assert apply(old, delta) == new


@pytest.mark.parametrize(
    "delta",
    [
        None, 1, "ab", [0, 1], (0,), (0, 1, 4), ("0", 1), (True, 1), (None, 1), (-1, 1), (-4, 1),
        (3 * 4 + SET, 1), (3 * 4 + INSIDE, ()), (4 * 4 + SPLICE, (0,)), (1 << 70, 1),
        (4 + WHOLE, 1), (WHOLE, 1, 4, 1), (0, 1, WHOLE, 2), (4, 1, 0, 2), (4, 1, 4, 2),
        (4, 1, 5, ()),
        (2, (0, 9), 4, 1), (2, (0, 9), 6, (0, 9)), (2, 1), (2, ()), (2, ("1",)), (2, (True,)),
        (2, (-1,)), (2, (4,)), (6, (3,)), (1, (0, 1)), (9, (0, 1)), (9, None),
    ],
    ids=repr,
)  # fmt: skip
def test_a_delta_that_does_not_fit_is_refused(delta: Any) -> None:
    with pytest.raises(ProtocolError):
        apply((1, 2, 3), delta)


@given(trees, deltas)
def test_any_delta_is_applied_or_refused(tree: Any, delta: Any) -> None:
    try:
        apply(tree, delta)
    except ProtocolError:
        pass


@given(st.data(), st.lists(trees, max_size=5).map(tuple))
def test_keys_that_could_be_meant_are_applied_or_refused(data: st.DataObject, tree: Any) -> None:
    keys = data.draw(st.lists(st.integers(0, 4 * len(tree) + 4), max_size=4))
    delta = tuple(part for key in keys for part in (key, data.draw(deltas | trees)))
    try:
        assert type(apply(tree, delta)) is tuple or delta[:1] == (WHOLE,)
    except ProtocolError:
        pass


@pytest.mark.parametrize(
    "delta",
    [
        tuple(part for _ in range(100_000) for part in (2, (0, 1, 2, 3))),
        tuple(part for at in range(100_000) for part in (at * 4 + 2, (0, 1))),
        tuple(part for _ in range(100_000) for part in (1, (0, 1))),
        (2, (0, *range(MAX_ITEMS + 1))),
    ],
    ids=["grow at the front", "grow at the back", "the same again", "too many items"],
)  # fmt: skip
def test_work_and_size_are_bounded(delta: Any) -> None:
    answer, spent = outcome(lambda: apply(((1,),) * 1000, delta))
    assert isinstance(answer, ProtocolError)
    assert spent < 0.05


def test_depth_is_bounded() -> None:
    delta: Any = (0, 1)
    tree: Any = (1,)
    for _ in range(5000):
        delta, tree = (1, delta), (tree,)
    with pytest.raises(ProtocolError):
        apply(tree, delta)

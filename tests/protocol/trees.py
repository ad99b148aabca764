"""Hypothesis strategies for trees and deltas."""

from __future__ import annotations

from hypothesis import strategies as st

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.text(st.characters(codec="utf-8"), max_size=8)
    | st.binary(max_size=8)
)
trees = st.recursive(leaves, lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=12)
"""Any tree; many small integers and booleans, which Python takes for equal."""
deltas = trees.filter(lambda tree: type(tree) is tuple)

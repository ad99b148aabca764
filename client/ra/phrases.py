"""Tiles in words: one, several, a handful."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from client.sentences import listed
from engine.ra.words.pieces import Kind

# Singular and plural, in the words of the rules.
_PHRASES: tuple[tuple[str, str], ...] = (
    ("Ra", "Ra"),
    ("a god", "gods"),
    ("gold", "gold"),
    ("a pharaoh", "pharaohs"),
    ("a Nile", "Niles"),
    ("a flood", "floods"),
    ("astronomy", "astronomy"),
    ("agriculture", "agriculture"),
    ("writing", "writing"),
    ("religion", "religion"),
    ("art", "art"),
    ("a fortress", "fortresses"),
    ("an obelisk", "obelisks"),
    ("a palace", "palaces"),
    ("a pyramid", "pyramids"),
    ("a temple", "temples"),
    ("a statue", "statues"),
    ("a step pyramid", "step pyramids"),
    ("a sphinx", "sphinxes"),
    ("a funeral", "funerals"),
    ("a drought", "droughts"),
    ("unrest", "unrest tiles"),
    ("an earthquake", "earthquakes"),
)


def tile(kind: Kind, count: int = 1) -> str:
    """`a Nile`, `2 Niles`, `gold`, `3 gold`."""
    one, several = _PHRASES[kind]
    return one if count == 1 else f"{count} {several}"


def tiles(kinds: Iterable[Kind]) -> str:
    """Several tiles in the order of kinds: `a god, 2 Niles and art`; `nothing`."""
    counts: dict[Kind, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    return counted(counts)


def counted(counts: Mapping[Kind, int]) -> str:
    """The same from the count of each kind."""
    return listed([tile(kind, count) for kind, count in sorted(counts.items()) if count])

"""What each kind of tile is called on the screen, and its colour, at all sizes.

A kind always has a word or a code, so that it can be read without colour.
"""

from __future__ import annotations

from engine.ra.words.pieces import CIVILIZATIONS, DISASTERS, MONUMENTS, Kind

# Names by Kind: in full (up to 12 cells), on a card of 8, on a card of 5, and a code of 2.
_NAMES: tuple[tuple[str, str, str, str], ...] = (
    ("Ra", "Ra", "Ra", "Ra"),
    ("God", "God", "God", "Gd"),
    ("Gold", "Gold", "Gold", "Go"),
    ("Pharaoh", "Pharaoh", "Phara", "Ph"),
    ("Nile", "Nile", "Nile", "Ni"),
    ("Flood", "Flood", "Flood", "Fl"),
    ("Astronomy", "Astron.", "Astro", "As"),
    ("Agriculture", "Agricul.", "Agric", "Ag"),
    ("Writing", "Writing", "Writ.", "Wr"),
    ("Religion", "Religion", "Relig", "Re"),
    ("Art", "Art", "Art", "Ar"),
    ("Fortress", "Fortress", "Fort.", "Fo"),
    ("Obelisk", "Obelisk", "Obel.", "Ob"),
    ("Palace", "Palace", "Palac", "Pa"),
    ("Pyramid", "Pyramid", "Pyram", "Py"),
    ("Temple", "Temple", "Templ", "Te"),
    ("Statue", "Statue", "Stat.", "St"),
    ("Step pyramid", "Step pyr", "Step", "Sp"),
    ("Sphinx", "Sphinx", "Sphin", "Sx"),
    ("Funeral !", "Funeral!", "Fune!", "F!"),
    ("Drought !", "Drought!", "Drou!", "D!"),
    ("Unrest !", "Unrest !", "Unre!", "U!"),
    ("Earthquake !", "Quake !", "Quak!", "E!"),
)

CARD_SIZES = (12, 8, 5)
"""Columns of a card, widest first."""


def name(kind: Kind) -> str:
    """The rulebook's word, capitalised."""
    return _NAMES[kind][0].removesuffix(" !")


def card_name(kind: Kind, columns: int) -> str:
    """The longest name that fits a card of so many columns."""
    for size, text in zip(CARD_SIZES, _NAMES[kind], strict=False):
        if columns >= size:
            return text
    return _NAMES[kind][3]


def code(kind: Kind) -> str:
    """Two letters."""
    return _NAMES[kind][3]


def style(kind: Kind) -> str:
    """The palette's class for a kind; civilizations, monuments and disasters have one each."""
    if kind in CIVILIZATIONS:
        return "class:tile.civilization"
    if kind in MONUMENTS:
        return "class:tile.monument"
    if kind in DISASTERS:
        return "class:tile.disaster"
    return f"class:tile.{kind.name.lower()}"


def edge(kind: Kind) -> str:
    """The palette's class for the half-filled edge of a kind's card."""
    return style(kind).replace("tile.", "edge.")

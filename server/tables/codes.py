"""Codes of tables: `KIWI-42` for a table that is listed, `K7QX.M2PD.9RWE` for one that is not.

Everybody sees the codes of listed tables, so these are short. The code of an unlisted table is
all that keeps strangers out, so it is 60 random bits from the operating system. Databases of
earlier versions hold unlisted tables with short codes, which are protected because few wrong
codes can be tried (`server.net.code_guesses`). Does not know about tables.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

WORDS = (
    "ACORN", "AMBER", "ANKH", "APPLE", "APRIL", "ARROW", "ASPEN", "ATLAS", "BACON", "BADGE",
    "BAKER", "BAMBOO", "BANJO", "BASIL", "BEACH", "BERRY", "BIRCH", "BISON", "BRICK", "BROOK",
    "CABIN", "CACAO", "CAMEL", "CANDLE", "CARGO", "CEDAR", "CHALK", "CHESS", "CLOUD", "CLOVER",
    "COBRA", "COMET", "CORAL", "CRANE", "CROWN", "DAISY", "DATE", "DELTA", "DESERT", "DRUM",
    "DUNE", "EAGLE", "EBONY", "EMBER", "FALCON", "FERN", "FIG", "FLAME", "FLINT", "FLUTE",
    "GARLIC", "GINGER", "GIZA", "GLOBE", "GOLD", "GRAPE", "HARBOR", "HARP", "HAZEL", "HERON",
    "HONEY", "IBIS", "INDIGO", "IRIS", "IVORY", "JADE", "JASPER", "KARNAK", "KIWI", "LAGOON",
    "LEMON", "LILAC", "LINEN", "LION", "LOTUS", "LUNA", "LUXOR", "MANGO", "MAPLE", "MARBLE",
    "MELON", "MINT", "MOSS", "NECTAR", "NILE", "NUTMEG", "OASIS", "OLIVE", "ONYX", "OPAL",
    "ORBIT", "OTTER", "PALM", "PAPYRUS", "PEACH", "PEARL", "PEPPER", "PLUM", "POPPY", "QUARTZ",
    "RAVEN", "REED", "RIVER", "ROBIN", "RUBY", "SAFFRON", "SAGE", "SAND", "SCARAB", "SESAME",
    "SILVER", "SOLAR", "SPHINX", "SUMAC", "SUNDIAL", "SWIFT", "TEMPLE", "THYME", "TIGER", "TOPAZ",
    "TULIP", "TURQUOISE", "UMBER", "VELVET", "VIOLET", "WALNUT", "WILLOW", "ZEBRA",
)  # fmt: skip

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The letters of long codes: no I, L and O, which are read as 1, 1 and 0, and no U."""
_GROUPS, _GROUP = 3, 4
"""Twelve letters of five bits each. They are joined by dots because a client of an earlier
version takes a code with two hyphens for an invitation."""

_SHORT = re.compile(r"([A-Z]{3,12})([ -]?)([0-9]{2,6})")
_LONG = re.compile(f"[{LETTERS}]{{{_GROUPS * _GROUP}}}")
_JOINTS = str.maketrans("", "", " -._")
_MISREAD = str.maketrans("ILO", "110")
_MOST_TYPED = 32


def draw(*, listed: bool) -> Iterator[str]:
    """Random codes, to be tried one after the other. The numbers of short ones grow longer, in
    case the shorter ones are taken."""
    if not listed:
        yield _long("".join(secrets.choice(LETTERS) for _ in range(_GROUPS * _GROUP)))
        return
    for digits in (2, 2, 2, 3, 3, 4, 4, 5, 6):
        least = 10 ** (digits - 1)
        number = least + secrets.randbelow(9 * least)
        yield f"{secrets.choice(WORDS)}-{number}"


def clean_code(text: str) -> str | None:
    """The code that a person meant by `text`; None if it is no code. Case, blanks, hyphens and
    dots do not matter, nor does O for 0 or I and L for 1 in a long code."""
    typed = text[:_MOST_TYPED].strip().upper().replace("_", "-")
    short = _SHORT.fullmatch(typed)
    if short is not None and (short[2] or short[1] in _KNOWN):
        return f"{short[1]}-{short[3]}"
    letters = typed.translate(_JOINTS).translate(_MISREAD)
    return _long(letters) if _LONG.fullmatch(letters) else None


def guessable(code: str) -> bool:
    """Whether a code, as `clean_code` returns it, could be found by trying all of its kind."""
    return _SHORT.fullmatch(code) is not None


def _long(letters: str) -> str:
    return ".".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


_KNOWN = frozenset(WORDS)

"""Codes of tables, short enough to be told: `KIWI-42`.

Chosen by the operating system's chance, so that the code of a table that is not listed
is not guessed from another's.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Container

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

_FORM = re.compile(r"[A-Z]{3,12}-[0-9]{2,6}")


def choose(taken: Container[str]) -> str:
    """A code that is not taken; its number grows longer where short ones are scarce."""
    for digits in (2, 2, 2, 3, 3, 4, 4, 5, 6):
        least = 10 ** (digits - 1)
        number = least + secrets.randbelow(9 * least)
        code = f"{secrets.choice(WORDS)}-{number}"
        if code not in taken:
            return code
    raise RuntimeError("no code is free")


def clean_code(text: str) -> str | None:
    """The code that a person meant by `text`; None if it is none."""
    code = text[:32].strip().upper().replace(" ", "-")
    return code if _FORM.fullmatch(code) else None

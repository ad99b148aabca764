"""Names that look alike: which characters are drawn alike.

A name has three keys. The first ignores case, spaces, punctuation and accents; the second also
reads each letter as the Latin one that it looks like; the third also reads `I`, `l` and `1` as
one character, and `O` and `0`. Two names look alike if one of their keys is the same. The table
is short and this project's own: what the scripts of most players have in common. Does not know
about seats.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, name, normalize

_TWINS = str.maketrans({
    # Cyrillic
    **dict(zip("авекмнорстухіїјѕһԁԛԝӏгьпё", "abekmhopctyxiijshdqwlrbne", strict=True)),
    **dict(zip("АВЕЅІЇЈКМНОРСТУХҮԚԜЗЬ", "ABESIIJKMHOPCTYXYQW3b", strict=True)),
    # Greek
    **dict(zip("αβγεζηικνορτυχωϲϳ", "abyeznikvoptuxwcj", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ", strict=True)),
    # Armenian, Cherokee and small capitals, where drawn like Latin
    **dict(zip("օսոհցքյ", "ounhgpj", strict=True)),
    **dict(zip("ᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "ABCEHJKLMPRSTVWZ", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprtuvwyz", strict=True)),
    # Latin letters drawn like others, and letters with a stroke
    **dict(zip("ıɑɡɩʟƖǀłøđħŧƀɨʉɵ", "iagillllodhtbiuo", strict=True)),
})  # fmt: skip
_ACCENTS = (
    *range(0x0300, 0x0370), *range(0x1AB0, 0x1B00), *range(0x1DC0, 0x1E00),
    *range(0x20D0, 0x2100), *range(0xFE20, 0xFE30),
)  # fmt: skip
"""Marks that only decorate a letter; the vowel signs of other scripts are not among them."""
_BARE = dict.fromkeys(_ACCENTS, "")
_DRAWN = str.maketrans({"I": "l", "1": "l", "|": "l", "O": "o", "0": "o"})
_MIXED = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU")
"""Scripts with letters that look like another's: a name has letters of at most one of them."""


@lru_cache(maxsize=4096)
def keys(text: str) -> tuple[str, str, str]:
    """The three keys of a name."""
    own = _letters(text)
    drawn = own.translate(_TWINS)
    return own.casefold(), drawn.casefold(), drawn.translate(_DRAWN).casefold()


def alike(one: str, other: str) -> bool:
    """Whether two names look alike."""
    return any(a == b for a, b in zip(keys(one), keys(other), strict=True))


def mixed(text: str) -> bool:
    """Whether a name mixes letters of two scripts that have look-alikes."""
    scripts = {name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()}
    return len(scripts & set(_MIXED)) > 1


def _letters(text: str) -> str:
    """The letters and digits of a name, without accents."""
    split = normalize("NFKD", text).translate(_BARE)
    return normalize("NFC", "".join(c for c in split if c.isalnum() or category(c)[0] == "M"))

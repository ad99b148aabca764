"""Codes of tables, as people type them: `KIWI-42`, `K7QX.M2PD.9RWE`, and invitations, which
are a table's code with something added.

The server reads codes generously; here we decide what to ask it for.
"""

from __future__ import annotations

import re

MOST_OF_A_CODE = 64
LOOKS_LIKE = "KIWI-42 or K7QX.M2PD.9RWE"

_SHORT = re.compile(r"([A-Za-z]+)([ _-]?)([0-9]+)")
_LONG = re.compile(r"[0-9A-HJKMNP-TV-Z]{12}")
_JOINT = re.compile(r"[ ._-]+")
_MISREAD = str.maketrans("ILO", "110")
_JOINTS_OF_AN_INVITATION = 2


def table_code(typed: str) -> str:
    """The code that is meant: `kiwi42`, `kiwi 42` and `KIWI-42` are the same, and so are
    `k7qxm2pd9rwe`, `K7QX-M2PD-9RWE` and `K7QX.M2PD.9RWE`."""
    typed = typed.strip()
    letters = _letters(typed)
    long = _LONG.fullmatch(letters) is not None
    short = _SHORT.fullmatch(typed)
    if short is not None and (short[2] or not long):
        return f"{short[1]}-{short[3]}".upper()
    if long:
        return f"{letters[:4]}.{letters[4:8]}.{letters[8:]}"
    return typed[:MOST_OF_A_CODE]


def is_invitation(code: str) -> bool:
    """Whether a code, as `table_code` returns it, leads to one seat of a table."""
    if _LONG.fullmatch(_letters(code)) or _SHORT.fullmatch(code):
        return False
    return len(_JOINT.findall(code)) >= _JOINTS_OF_AN_INVITATION


def _letters(typed: str) -> str:
    return _JOINT.sub("", typed).upper().translate(_MISREAD)

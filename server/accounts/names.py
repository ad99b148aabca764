"""Names and chat, cleaned once where they enter the server.

The rule, in full:

1. Names are put into Unicode form NFKC (full-width `Ｂｏｂ` is `Bob`), chat into NFC.
2. Control, format (zero-width and bidirectional marks too), private, unassigned and
   surrogate characters, letters that are drawn as nothing, and variation selectors are
   dropped.
3. Every run of white space, line and paragraph separators included, is one space;
   none is left at the ends.
4. A letter carries at most two combining marks; more are dropped, and so are marks
   that follow no letter.
5. The text is cut to the terminal cells it may have, never inside a character.
6. A name needs a letter or a digit, of any script; a line of chat needs one character.
7. A name has no letters of two scripts whose letters are drawn alike (Latin, Cyrillic,
   Greek, Armenian, Cherokee, Coptic, Georgian, Lisu), and does not look like a word that
   the server and its clients use themselves: `Seat 2`, `SYSTEM`, `you`, `free`, `nobody`,
   `Spectator`, or a bot of any level that an installed game has (`easy bot 1`).

Does not know about messages or seats.
"""

from __future__ import annotations

from unicodedata import category, normalize

from wcwidth import wcswidth, wcwidth

from server.accounts.reserved_names import is_reserved

_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SPACES = frozenset({"Zs", "Zl", "Zp"})
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(selector) for selector in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
_MARKS = frozenset({"Mn", "Me"})
_MARKS_ALLOWED = 2


def clean_name(text: str, cells: int) -> str | None:
    """`text` as a name of at most `cells` terminal cells; None if nothing is left that could
    serve as one, or if it is reserved."""
    name = _clean(normalize("NFKC", text[: cells * 8]), cells)
    named = any(character.isalnum() for character in name)
    return name if named and not is_reserved(name) else None


def clean_chat(text: str, cells: int) -> str | None:
    """`text` as one line of chat of at most `cells` cells; None if nothing is left."""
    return _clean(normalize("NFC", text[: cells * 8]), cells) or None


def _clean(text: str, cells: int) -> str:
    left: list[str] = []
    used = marks = 0
    space = False
    for character in text:
        kind = category(character)
        if kind in _SPACES or character in "\t\n\v\f\r\x85":
            space = bool(left)
            continue
        if kind in _DROPPED or character in _INVISIBLE:
            continue
        if kind in _MARKS:
            marks += 1
            if not left or space or marks > _MARKS_ALLOWED:
                continue
        else:
            marks = 0
        width = max(wcwidth(character), 0)
        if used + space + width > cells:
            break
        if space:
            left.append(" ")
            used += 1
            space = False
        left.append(character)
        used += width
    while wcswidth("".join(left)) > cells:
        left.pop()  # some characters are wider together than alone
    return normalize("NFC", "".join(left)).rstrip(" ")

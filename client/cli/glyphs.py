"""Replacements for our glyphs on terminals whose encoding lacks them: other glyphs, in as many
cells, each meaning one thing. Does not know about layout or what the glyphs mean.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from client.text import width

_PLAIN: Mapping[str, str] = {
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+",
    "▄": "=", "▀": "=", "■": "#", "▒": "%", "☼": "*",
    "►": ">", "◄": "<", "→": ">", "←": "<", "↑": "^", "↓": "v", "⌫": "<",
    "▲": "^", "▴": "^", "▾": "v", "√": "x", "·": ".", "…": "~", "“": '"', "”": '"',
}  # fmt: skip
"""The ASCII replacement of each glyph: one character of one cell, and never the question mark,
which means that something is hidden."""
_ELLIPSIS = "…", "..."
"""The replacement in lines without columns."""
_UNKNOWN = "_"
"""Fills each cell of a letter that the terminal lacks."""
_C = ("C", "POSIX")
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What the interpreter puts into LC_CTYPE if the locale is C."""


def encoding(environment: Mapping[str, str], ours: str) -> str:
    """The encoding of the terminal, as far as the environment tells. The interpreter itself uses
    UTF-8 (`ours`) in the C locale, and in a locale that the system does not have."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8") == "1":
        return ours
    category = environment.get("LC_CTYPE", "")
    if category in _COERCED and environment.get("LANG") in _C:
        category = ""
    locale = environment.get("LC_ALL") or category or environment.get("LANG", "")
    if locale in _C:
        return "ascii"
    named = locale.partition(".")[2].partition("@")[0]
    try:
        return codecs.lookup(named).name if named else ours
    except LookupError:
        return ours


class Glyphs:
    """Writes texts with the glyphs and letters that an encoding has."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self.whole = _has(encoding, "日ё" + "".join(_PLAIN))
        """Whether the encoding has every glyph and every letter."""
        self._cells = lru_cache(maxsize=4096)(self._in_cells)

    def in_cells(self, text: str) -> str:
        """A text in exactly as many cells, with replacements."""
        return text if self.whole or text.isascii() else self._cells(text)

    def in_line(self, text: str) -> str:
        """A text in a line without columns, with replacements. Letters that the encoding lacks
        stay: the stream writes them as escapes."""
        if self.whole or text.isascii():
            return text
        if not _has(self._encoding, _ELLIPSIS[0]):
            text = text.replace(*_ELLIPSIS)
        return "".join([self._mark(char) for char in text])

    def _in_cells(self, text: str) -> str:
        return "".join([self._letter(self._mark(char)) for char in text])

    def _mark(self, char: str) -> str:
        plain = _PLAIN.get(char)
        return char if plain is None or _has(self._encoding, char) else plain

    def _letter(self, char: str) -> str:
        """A letter, or the nearest replacement in as many cells."""
        if _has(self._encoding, char):
            return char
        cells = width(char)
        base = unicodedata.normalize("NFKD", char)[:1]
        for near in (base, _named(base)) if cells == 1 else ():
            if near.isprintable() and _has(self._encoding, near):
                return near
        return _UNKNOWN * cells


def _named(char: str) -> str:
    """The Latin letter in a letter's Unicode name; `_UNKNOWN` if there is none."""
    words = unicodedata.name(char, "").split()
    if "LETTER" not in words:
        return _UNKNOWN
    # In names such as EN and ER the second letter is the one meant.
    called = words[-1][-1] if len(words[-1]) == 2 and words[-1][0] == "E" else words[-1][0]
    return called.lower() if "SMALL" in words else called


@lru_cache(maxsize=8192)
def _has(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeError:
        return False
    return True

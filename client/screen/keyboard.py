"""Turns what a terminal sends into keys: whole escape sequences, known keys and nothing else.

Every screen reads through this one filter. The sequence of an unknown key, a report that comes
late and a key pressed with Alt are swallowed whole, whether they arrive at once or byte by byte,
so that none of their letters and digits is taken for a key. (The toolkit's own parser lets the
rest of such a sequence through as keys.) Knows the forms of ECMA-48 and the few others that
terminals use; does not know about screens or bindings.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import TextIO

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.posix_utils import PosixStdinReader
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from client.cli.glyphs import encoding

LATE_SECONDS = 0.5
"""How long after a lone ESC the rest of its sequence may still come."""
SEQUENCE_SECONDS = 2.0
"""How long a sequence may pause before input is read as keys again."""
PASTE_SECONDS = 10.0
"""The same for a paste, whose end may have been lost."""
MOST_PASTED = 65_536
"""Characters of a paste that are kept; the rest is dropped."""

_ESC = "\x1b"
_CSI, _SS3 = "[", "O"
_STRINGS = "PX]^_"
"""What starts a string after ESC: DCS, SOS, OSC, PM, APC."""
_PASTE, _PASTE_END = "[200~", "\x1b[201~"
_C1 = {chr(0x80 + at): chr(0x40 + at) for at in range(32)}
"""Each 8-bit control character, with what follows ESC in its 7-bit form."""
_ENDS_STRING = "\x07\x18\x1a"
_RXVT_SHIFTED = re.compile(r"\[\d{1,2}\$")
"""rxvt's keys with Shift: elsewhere `$` never ends a sequence."""
_MOST_REMEMBERED = 32
"""Characters of a sequence that are remembered; no key has this many."""


class _State(Enum):
    """Where in a sequence the input is."""

    KEYS = auto()
    """In none."""
    ESCAPED = auto()
    """After ESC."""
    LATE = auto()
    """After an ESC that was reported as a key because nothing followed in time."""
    CHARSET = auto()
    """After ESC and an intermediate: one final character follows."""
    PARAMETERS = auto()
    """In CSI, until its final character."""
    SHIFTED = auto()
    """In SS3: one character, after digits."""
    COUNTED = auto()
    """A known number of characters follows, whatever they are."""
    STRING = auto()
    STRING_ESCAPED = auto()
    """After an ESC in a string, which may be its end."""
    PASTE = auto()


class KeyParser:
    """Characters in, keys out."""

    def __init__(
        self, tell: Callable[[KeyPress], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._now = now
        self._state = _State.KEYS
        self._since = 0.0
        """When the last character came."""
        self._sequence = ""
        """The sequence so far, without ESC."""
        self._count = 0
        self._pasted = ""

    def feed(self, data: str) -> None:
        """Parse what was read."""
        now = self._now()
        if now - self._since > self._patience():
            self._give_up()
        self._since = now
        if self._state is _State.PASTE and data in ("\x03", "\x04"):
            # Typed, not pasted: a paste whose end was lost must not keep anybody from leaving.
            self._give_up()
        at = 0
        while at < len(data):
            if self._state is _State.PASTE:
                at = self._paste(data, at)
            else:
                self._take(_eight_bits(data[at]))
                at += 1

    def flush(self) -> None:
        """Nothing came for a moment: a lone ESC was the key, and what can end has ended."""
        if self._state is _State.ESCAPED:
            self._key(Keys.Escape, _ESC)
            self._state, self._since = _State.LATE, self._now()
        elif self._state is _State.CHARSET or (
            self._state is _State.PARAMETERS and _RXVT_SHIFTED.fullmatch(self._sequence)
        ):
            self._state = _State.KEYS

    def _patience(self) -> float:
        if self._state is _State.LATE:
            return LATE_SECONDS
        return PASTE_SECONDS if self._state is _State.PASTE else SEQUENCE_SECONDS

    def _give_up(self) -> None:
        """Give up the sequence that has begun."""
        if self._state is _State.PASTE:
            self._end_paste(self._pasted)
        elif self._state is _State.ESCAPED:
            self._key(Keys.Escape, _ESC)
        self._state = _State.KEYS

    def _key(self, key: Keys | str, data: str) -> None:
        self._tell(KeyPress(key, data))

    # one character

    def _take(self, char: str) -> None:
        match self._state:
            case _State.STRING | _State.STRING_ESCAPED:
                self._in_string(char)
            case _State.COUNTED if char >= " " or len(char) == 2:
                self._count -= 1
                if self._count == 0:
                    self._state = _State.KEYS
            case _ if char == _ESC:
                if self._state is _State.ESCAPED:
                    self._key(Keys.Escape, _ESC)
                self._state = _State.ESCAPED
            case _ if len(char) == 2:
                self._introduce(char[1])
            case _ if char < " " or char == "\x7f":
                self._control(char)
            case _State.KEYS:
                self._key(char, char)
            case _State.LATE if char not in _CSI + _SS3 + _STRINGS:
                self._state = _State.KEYS
                self._key(char, char)
            case _State.ESCAPED | _State.LATE:
                self._introduce(char)
            case _State.CHARSET:
                if not " " <= char <= "/":
                    self._state = _State.KEYS
            case _:
                self._in_sequence(char)

    def _control(self, char: str) -> None:
        """A control character: a key, unless Alt was pressed with it. It ends any sequence, and
        those that ask to leave are always heard."""
        alt = self._state is _State.ESCAPED and char not in "\x03\x04\x1a"
        aborts = self._state in (_State.PARAMETERS, _State.SHIFTED) and char in "\x18\x1a"
        self._state = _State.KEYS
        key = ANSI_SEQUENCES.get(char)
        if not alt and not aborts and isinstance(key, Keys):
            self._key(key, char)

    def _introduce(self, char: str) -> None:
        """Handle the character that follows ESC."""
        self._sequence = char
        if char == _CSI:
            self._state = _State.PARAMETERS
        elif char == _SS3:
            self._state = _State.SHIFTED
        elif char in _STRINGS:
            self._state = _State.STRING
        elif " " <= char <= "/":
            self._state = _State.CHARSET
        else:
            # A key with Alt, or a control function of 7 bits.
            self._state = _State.KEYS

    # sequences

    def _in_sequence(self, char: str) -> None:
        """Handle a character of CSI or SS3."""
        before = self._sequence
        self._sequence = (before + char)[: _MOST_REMEMBERED + 1]
        if self._state is _State.SHIFTED:
            ends = not (char.isdigit() or char == ";")
        else:
            # The Linux console's function keys: ESC [ [ A.
            ends = not " " <= char <= "?" and not (before == _CSI and char == "[")
        if not ends:
            return
        self._state = _State.KEYS
        if self._sequence == _PASTE:
            self._state, self._pasted = _State.PASTE, ""
        elif self._sequence == "[M":
            # The oldest mouse report: button, column and row, one character each.
            self._state, self._count = _State.COUNTED, 3
        else:
            key = ANSI_SEQUENCES.get(_ESC + self._sequence)
            if isinstance(key, Keys):
                self._key(key, _ESC + self._sequence)

    def _in_string(self, char: str) -> None:
        if char == _ESC:
            self._state = _State.STRING_ESCAPED
        elif self._state is _State.STRING_ESCAPED:
            self._state = _State.KEYS
            if char != "\\":
                self._state = _State.ESCAPED
                self._take(char)
        elif char in _ENDS_STRING or char == _ESC + "\\":
            self._state = _State.KEYS
        elif len(char) == 2:
            self._introduce(char[1])
        elif char < " ":
            # A string never holds one: this was not a string, or its end was lost.
            self._control(char)

    def _paste(self, data: str, at: int) -> int:
        """Take pasted text from `at` on; where it ends. The end mark may be cut in two."""
        before = len(self._pasted)
        pasted = self._pasted + data[at:]
        end = pasted.find(_PASTE_END, max(0, before - len(_PASTE_END)))
        if end < 0:
            if len(pasted) > 2 * MOST_PASTED:
                pasted = pasted[:MOST_PASTED] + pasted[-len(_PASTE_END) :]
            self._pasted = pasted
            return len(data)
        self._end_paste(pasted[:end])
        self._state = _State.KEYS
        return at + end + len(_PASTE_END) - before

    def _end_paste(self, text: str) -> None:
        self._pasted = ""
        self._key(Keys.BracketedPaste, text[:MOST_PASTED])


def _eight_bits(char: str) -> str:
    """The 7-bit form of an 8-bit control character (also one read as a byte that is not UTF-8);
    any other character as it is."""
    if "\udc80" <= char <= "\udc9f":
        char = chr(ord(char) - 0xDC00)
    return _ESC + _C1[char] if char in _C1 else char


class Keyboard(Vt100Input):
    """The terminal's input, read through a `KeyParser`."""

    def __init__(self, stdin: TextIO) -> None:
        super().__init__(stdin)
        told = encoding(os.environ, stdin.encoding or "utf-8")
        if told != "ascii":
            self.stdin_reader = PosixStdinReader(stdin.fileno(), encoding=told)
        self._pressed: list[KeyPress] = []
        self._parser = KeyParser(self._pressed.append)

    def read_keys(self) -> list[KeyPress]:
        """The keys in what has arrived."""
        self._parser.feed(self.stdin_reader.read())
        return self._taken()

    def flush_keys(self) -> list[KeyPress]:
        """The keys that only silence after them can tell."""
        self._parser.flush()
        return self._taken()

    def _taken(self) -> list[KeyPress]:
        pressed = self._pressed[:]
        self._pressed.clear()
        return pressed

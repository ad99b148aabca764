"""What terminals send, read as keys: known keys, and nothing of what is no key."""

from __future__ import annotations

import random

import pytest
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from client.screen.keyboard import (
    LATE_SECONDS,
    MOST_PASTED,
    PASTE_SECONDS,
    SEQUENCE_SECONDS,
    KeyParser,
)

FLUSH_SECONDS = 0.05
"""How long the application waits before it says that nothing came."""

UNKNOWN = {
    "rxvt Ctrl+End": "\x1b[8^",
    "rxvt Shift+End": "\x1b[8$",
    "rxvt Ctrl+Shift+End": "\x1b[8@",
    "xterm Meta+Delete": "\x1b[3;9~",
    "Alt+digit": "\x1b8",
    "Alt+letter": "\x1bd",
    "Alt+Enter": "\x1b\r",
    "Alt+Backspace": "\x1b\x7f",
    "Alt+umlaut": "\x1bä",
    "Alt+arrow": "\x1b[1;3A",
    "konsole Shift+F3": "\x1bO2R",
    "keypad": "\x1bOx",
    "keypad Enter": "\x1bOM",
    "cursor position": "\x1b[8;12R",
    "window size": "\x1b[8;24;80t",
    "what the terminal is": "\x1b[?62;8c",
    "what it is, second": "\x1b[>41;354;0c",
    "mode": "\x1b[?2026;8$y",
    "mode of ANSI": "\x1b[4;8$y",
    "all is well": "\x1b[0n",
    "kitty key": "\x1b[57348u",
    "kitty key released": "\x1b[56;1:3u",
    "kitty flags": "\x1b[?8u",
    "modifyOtherKeys": "\x1b[27;5;56~",
    "focus gained": "\x1b[I",
    "focus lost": "\x1b[O",
    "mouse, SGR": "\x1b[<0;8;12M",
    "mouse, SGR, released": "\x1b[<0;8;12m",
    "mouse, urxvt": "\x1b[32;8;12M",
    "mouse, X10": "\x1b[M 8d",
    "paste end without a beginning": "\x1b[201~",
    "colour of the background": "\x1b]11;rgb:1c1c/88dd/1c1c\x1b\\",
    "colour, ended by a bell": "\x1b]11;rgb:1c1c/88dd/1c1c\x07",
    "clipboard": "\x1b]52;c;ZDg4\x07",
    "name and version": "\x1bP>|xterm(388)\x1b\\",
    "what is set": "\x1bP1$r8d\x1b\\",
    "graphics": "\x1b_Gi=8;OK\x1b\\",
    "privacy": "\x1b^8d\x1b\\",
    "start of string": "\x1bX8d\x1b\\",
    "charset": "\x1b(8",
    "colour": "\x1b[38;5;8m",
    "in 8 bits": "\x9b8^",
    "string in 8 bits": "\x9d11;8\x9c",
    "byte that is no UTF-8": "\udc9b8^",
    "huge": "\x1b[" + "8;" * 500 + "8~",
}
"""What no key of ours sends; 8 and d are keys that would answer."""

KNOWN = {
    "\x1b[A": Keys.Up, "\x1bOA": Keys.Up, "\x1b[5~": Keys.PageUp, "\x1b[1~": Keys.Home,
    "\x1b[7~": Keys.Home, "\x1b[F": Keys.End, "\x1b[Z": Keys.BackTab, "\x1b[[A": Keys.F1,
    "\x1bOP": Keys.F1, "\x1b[1;5D": Keys.ControlLeft, "\r": Keys.ControlM, "\t": Keys.ControlI,
    "\x7f": Keys.ControlH, "\x03": Keys.ControlC, "\x1a": Keys.ControlZ, "8": "8", "ä": "ä",
}  # fmt: skip


class Typing:
    """A terminal that sends pieces, with time between them."""

    def __init__(self) -> None:
        self.time = 100.0
        self.pressed: list[KeyPress] = []
        self.parser = KeyParser(self.pressed.append, lambda: self.time)

    def send(self, *pieces: str, pause: float = 0.0) -> list[Keys | str]:
        """The keys that pieces are, with pauses between them and silence at the end."""
        for piece in pieces:
            self.parser.feed(piece)
            self.wait(pause)
        self.wait(FLUSH_SECONDS)
        return self.keys()

    def wait(self, seconds: float) -> None:
        """Let time pass; the application notices a silence."""
        if seconds < FLUSH_SECONDS:
            self.time += seconds
            return
        self.time += FLUSH_SECONDS
        self.parser.flush()
        self.time += seconds - FLUSH_SECONDS

    def keys(self) -> list[Keys | str]:
        keys = [one.key for one in self.pressed]
        self.pressed.clear()
        return keys


@pytest.mark.parametrize("what", UNKNOWN)
def test_a_sequence_that_is_no_key_is_swallowed_whole(what: str) -> None:
    typing = Typing()
    assert typing.send(UNKNOWN[what]) == []
    assert typing.send("8") == ["8"], "the next key is a key again"


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.2, 0.4])
@pytest.mark.parametrize("what", UNKNOWN)
def test_it_is_swallowed_byte_by_byte_too(what: str, pause: float) -> None:
    sequence = UNKNOWN[what]
    apart = not what.startswith(("Alt+", "charset", "rxvt Shift"))
    if pause > FLUSH_SECONDS and not (apart and len(sequence) < 60):
        # ESC, a pause, a digit: that is two keys.
        return
    typing = Typing()
    keys = typing.send(*sequence, pause=pause)
    esc = [Keys.Escape] if pause > FLUSH_SECONDS and sequence[0] == "\x1b" else []
    assert keys == esc
    typing.wait(SEQUENCE_SECONDS + 1)
    assert typing.send("8") == ["8"]


@pytest.mark.parametrize("sequence", KNOWN)
def test_known_keys_are_keys_whole_and_in_pieces(sequence: str) -> None:
    assert Typing().send(sequence) == [KNOWN[sequence]]
    assert Typing().send(*sequence, pause=0.01) == [KNOWN[sequence]]
    assert Typing().send("8" + sequence + "d") == ["8", KNOWN[sequence], "d"]


def test_a_lone_escape_is_a_key_when_nothing_follows() -> None:
    typing = Typing()
    typing.parser.feed("\x1b")
    assert typing.keys() == []
    typing.wait(FLUSH_SECONDS)
    assert typing.keys() == [Keys.Escape]
    assert typing.send("8") == ["8"], "typed after it"
    assert typing.send("\x1b\x1b") == [Keys.Escape, Keys.Escape]
    assert typing.send("\x1b", "\x1b[A") == [Keys.Escape, Keys.Up]
    assert typing.send("\x1b", "\x03") == [Keys.ControlC], "leaving is always heard"


def test_the_rest_of_a_sequence_whose_escape_came_long_before() -> None:
    typing = Typing()
    assert typing.send("\x1b", pause=0.3) == [Keys.Escape]
    assert typing.send("[8^") == []
    assert typing.send("\x1b", pause=LATE_SECONDS + 1) == [Keys.Escape]
    assert typing.send("[8") == ["[", "8"]


def test_what_is_torn_off_holds_up_nothing() -> None:
    for torn in ("\x1b[", "\x1b[3;", "\x1bO", "\x1b]11;rgb", "\x1bP", "\x1b[M!"):
        typing = Typing()
        typing.send(torn)
        assert typing.send("\x03") == [Keys.ControlC], repr(torn)
        typing.send(torn)
        typing.wait(SEQUENCE_SECONDS + 0.1)
        assert typing.send("8") == ["8"], repr(torn)
        typing.send(torn)
        assert typing.send("\x1b[A") == [Keys.Up], repr(torn)


def pasted(typing: Typing, *pieces: str, pause: float = 0.0) -> list[str]:
    for piece in pieces:
        typing.parser.feed(piece)
        typing.wait(pause)
    found = [one.data for one in typing.pressed]
    assert all(one.key is Keys.BracketedPaste for one in typing.pressed)
    typing.pressed.clear()
    return found


def test_a_paste_is_text_however_it_is_cut() -> None:
    whole = "\x1b[200~8 and d\r\x1b[31mred\x1b[201~"
    text = "8 and d\r\x1b[31mred"
    typing = Typing()
    assert pasted(typing, whole) == [text]
    assert pasted(typing, *whole) == [text]
    for at in range(1, len(whole)):
        assert pasted(typing, whole[:at], whole[at:]) == [text]
    assert pasted(typing, whole[:9], whole[9:], pause=3.0) == [text]
    assert typing.send("8" + whole + "8") == ["8", Keys.BracketedPaste, "8"]


def test_a_paste_without_an_end_ends_all_the_same() -> None:
    typing = Typing()
    assert pasted(typing, "\x1b[200~8d8d") == []
    assert typing.send("\x03") == [Keys.BracketedPaste, Keys.ControlC]
    assert pasted(typing, "\x1b[200~8d8d") == []
    typing.wait(PASTE_SECONDS + 1)
    assert typing.send("8") == [Keys.BracketedPaste, "8"]


def test_a_huge_paste_is_cut_and_ends() -> None:
    typing = Typing()
    pieces = ["8" * 1024] * 500
    (text,) = pasted(typing, "\x1b[200~", *pieces, "\x1b[20", "1~")
    assert text == "8" * MOST_PASTED
    assert typing.send("d") == ["d"]


def test_noise_never_ends_the_reading_of_keys() -> None:
    chance = random.Random(5)
    parts = [*UNKNOWN.values(), *KNOWN, "\x1b", "\x1b[", "\x1b]", "\x9b", "\x1b[200~"]
    for _ in range(200):
        typing = Typing()
        for _ in range(30):
            part = chance.choice(parts)
            typing.parser.feed(part[: chance.randint(1, len(part))])
            typing.wait(chance.choice((0.0, 0.01, 0.06, 0.3)))
        typing.wait(PASTE_SECONDS + 1)
        typing.keys()
        assert typing.send("8")[-1] == "8"

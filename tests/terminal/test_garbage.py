"""What a terminal sends that is no key: nothing that comes in can end the client."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.process.serving import program
from tests.terminal.conftest import Open
from tests.terminal.terminal import Terminal

GOLDEN = Path(__file__).parent.parent / "golden" / "two-players.ra"
SEQUENCES = (
    b"\x1b[31m", b"\x1b[0m", b"\x1b[1;31m", b"\x1b[M", b"\x1b[M !!", b"\x1b[<64;85;12M",
    b"\x1b[<0;1m", b"\x1b[<0;0;0m", b"\x1b[96;14;13M", b"\x1b[;;;m", b"\x1b[1;1R", b"\x1b[9999;9R",
    b"\x1b[I", b"\x1b[O", b"\x1b[?1;2c", b"\x1b]11;rgb:0/0/0\x07", b"\x1b[200~\x1b[31m\x1b[201~",
    b"\xff\xfe\x80", b"\x00\x1f\x18", b"\x1b[1;5Z", b"\x18(\x18)\x18e", b"\x11\x1b[31m",
)  # fmt: skip
"""Colours, reports of mouse, cursor, focus and kind, pastes, and bytes that are no text."""

ENDING = b"\x03\x04q"
"""Bytes that may end the client, and rightly."""


def noise(seed: int, size: int = 400) -> bytes:
    """Bytes of chance, with many beginnings of sequences and no key that ends."""
    chance = random.Random(seed)
    parts = [
        chance.choice((b"\x1b[", b"\x1b", b"\x1b[<", b"\x1b[M", *SEQUENCES))
        if chance.random() < 0.4
        else bytes([chance.randrange(256)])
        for _ in range(size)
    ]
    return b"".join(parts).translate(None, ENDING)


def survives(terminal: Terminal, data: bytes, shown: str, *back: str) -> None:
    """After `data` the program still draws, and still leaves when it is told to."""
    terminal.write(data)
    terminal.press(*back)
    terminal.until(shown)
    assert terminal.process.poll() is None
    terminal.press("ctrl-c")
    assert terminal.ended() == 130
    assert terminal.errors == ""


def test_sequences_that_are_no_keys_at_a_table(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "2")
    terminal.until("you, host")
    for sequence in SEQUENCES:
        terminal.write(sequence)
    survives(terminal, b"", "you, host", "escape", "escape")


def test_sequences_that_are_no_keys_in_a_field(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "2")
    terminal.until("you, host")
    terminal.press("c")
    terminal.until("Say:")
    for sequence in (b"\x1b[31m", b"\x1b[0m", b"\x1b[<0;1m", b"\xff", b"\x1b[1;1R"):
        terminal.write(sequence)
    terminal.press(*"hello", "enter")
    terminal.until("Anna: hello")
    survives(terminal, b"", "Anna: hello")


@pytest.mark.parametrize("seed", range(3))
def test_noise_ends_nothing_but_as_keys_do(client: Open, seed: int) -> None:
    terminal = client("Anna", "--create", "--seats", "2")
    terminal.until("you, host")
    terminal.write(noise(seed))
    terminal.press("\x1b[201~", "escape", "escape", "ctrl-c")
    assert terminal.ended() == 130
    assert terminal.errors == ""


def test_a_colour_in_a_replay() -> None:
    with Terminal([program("ra-replay"), str(GOLDEN)]) as terminal:
        terminal.until("step 1 of")
        survives(terminal, b"\x1b[31m\x1b[0m", "step 1 of")


def test_what_is_typed_first_replaces_the_name_that_is_offered(client: Open) -> None:
    terminal = client("", environment={"USER": "Player"})
    terminal.until("> Player")
    terminal.press(*"Anna")
    terminal.until("> Anna")
    assert "Player" not in terminal.text

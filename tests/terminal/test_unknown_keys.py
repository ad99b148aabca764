"""Sequences that are no keys of ours, sent to a real screen where their digits would answer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from tests.process.serving import program
from tests.terminal.filmed import RECORD
from tests.terminal.picture import filmed, present
from tests.terminal.terminal import Terminal

SEQUENCES = (
    "\x1b[{}^", "\x1b[{};9~", "\x1b[{};24;80t", "\x1b[?62;{}c", "\x1b[?2026;{}$y",
    "\x1b[5734{}u", "\x1b[27;5;5{}~", "\x1bO{}R", "\x1b[M {}{}", "\x1b[<0;{};{}M",
    "\x1b]11;rgb:{}{}/0/0\x07", "\x1bP1$r{}m\x1b\\", "\x1b_Gi={};OK\x1b\\", "\x9b{}^",
)  # fmt: skip
"""{} is what would answer."""


@pytest.fixture(scope="module")
def bidding() -> Iterator[Terminal]:
    """A client that is asked for a bid."""
    with filmed(100) as terminal:
        terminal.until(present)
        yield terminal


def looked_at(terminal: Terminal) -> str:
    """The screen when all that was sent is read: a page is opened and closed again."""
    terminal.press("?")
    terminal.until(re.compile(r"^ Keys", re.M))
    terminal.press("?")
    return terminal.until(lambda t: not re.search(r"^ Keys", t.text, re.M))


def bid_of(terminal: Terminal) -> str:
    """The digit that would bid at once."""
    found = re.search(r"(?<=  )\d(?= )", terminal.lines()[-2])
    assert found is not None, terminal.text
    return found[0]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_no_sequence_bids(bidding: Terminal, sequence: str) -> None:
    sent = sequence.replace("{}", bid_of(bidding)).encode("latin-1")
    bidding.write(sent)
    assert "Your bid" in looked_at(bidding)
    for byte in sent:
        bidding.write(bytes([byte]))
        time.sleep(0.002)  # so that it is read in pieces; how many does not matter
    assert "Your bid" in looked_at(bidding)


def test_a_digit_with_alt_does_not_bid_and_alone_it_does(bidding: Terminal) -> None:
    digit = bid_of(bidding)
    bidding.write(b"\x1b" + digit.encode())
    assert "Your bid" in looked_at(bidding)
    bidding.press(digit)
    bidding.until("on its way")


def test_no_sequence_moves_a_replay() -> None:
    with Terminal([program("ra-replay"), str(RECORD), "--at", "20"]) as terminal:
        terminal.until("step 20 of")
        terminal.write(b"\x1be\x1b[1;2e\x1bOe\x1b[M eE\x1b]11;e\x07\x1bP1e\x1b\\\x1b[200~e")
        terminal.write(b"ee\x1b[201~")
        terminal.until("Pasted text does nothing here.", "step 20 of")
        terminal.press("right")
        terminal.until("step 21 of")
        terminal.press("escape")
        assert terminal.ended() == 0

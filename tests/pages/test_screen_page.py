"""docs/screen.md says of the screen what is so."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from client.ra.board import LEAST
from client.ra.menu import KEYS
from client.ra.screen import RaScreen
from client.screen.app import EXIT_HANGUP, EXIT_INTERRUPT, EXIT_TERMINATED

PAGE = (Path(__file__).parents[2] / "docs" / "screen.md").read_text("utf-8")


def test_the_smallest_size_is_named() -> None:
    assert f"{LEAST[0]} columns and {LEAST[1]} rows" in PAGE


def test_every_key_at_the_table_is_named() -> None:
    named = set("".join(re.findall(r"`([^` ]+)`", PAGE.split("## Keys")[1].split("##")[0])))
    assert set(KEYS) - set("2345678") <= named
    assert set(RaScreen.pages) <= named
    assert set("?lcquxyimvwbn") <= named


def test_the_exit_codes_are_those_of_signals() -> None:
    codes = (EXIT_HANGUP, EXIT_INTERRUPT, EXIT_TERMINATED)
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    assert codes == tuple(128 + number for number in numbers)
    assert ", ".join(map(str, map(int, codes))) in PAGE

"""docs/screen.md says of the screen what is so."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from client.ra.board import LEAST
from client.ra.menu import KEYS
from client.ra.screen import RaScreen
from client.raja.board import LEAST as RAJA_LEAST
from client.raja.menu import KEYS as RAJA_KEYS
from client.raja.screen import RajaScreen
from client.screen.app import EXIT_HANGUP, EXIT_INTERRUPT, EXIT_TERMINATED
from client.screen.keymap import keymap_of
from client.screen.keys_at_table import RETURN, UNDO, VOTE
from client.screen.keys_everywhere import HELP, QUIT, Key
from tests.client.seated import Seated

PAGE = (Path(__file__).parents[2] / "docs" / "screen.md").read_text("utf-8")


def test_the_smallest_size_is_named() -> None:
    assert f"{LEAST[0]} columns and {LEAST[1]} rows" in PAGE


def rows() -> list[tuple[list[str], str]]:
    """The table of keys: the keys of each row, and what it says of them."""
    table = PAGE.split("| key |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [row.strip("| ").split(" | ", 1) for row in table]
    return [(re.findall(r"`([^` ]+)`", keys), text.replace("`", "")) for keys, text in cells]


def letters() -> dict[str, Key]:
    """The keys at a table that type a sign, each with its binding."""
    bindings = keymap_of(Seated().state).bindings
    return {key: binding for binding in bindings for key in binding.keys if len(key) == 1}


def test_every_key_at_the_table_is_named() -> None:
    named = {key for keys, _ in rows() for key in keys}
    assert set(KEYS) - set("2345678") <= named
    assert set(RaScreen.pages) <= named
    assert len(letters()) > 12 and set(letters()) <= named


def test_every_key_of_raja_is_named() -> None:
    table = PAGE.split("| key in Raja |")[1].split("\n\n")[0].splitlines()[2:]
    named = {key for row in table for key in re.findall(r"`([^` ]+)`", row.split(" | ")[0])}
    assert RAJA_KEYS | set(RajaScreen.pages) <= named
    assert f"{RAJA_LEAST[0]} columns and {RAJA_LEAST[1]} rows" in PAGE


def test_the_row_of_a_key_begins_as_help_does() -> None:
    state, bindings = Seated().state, letters()
    compared = set()
    for keys, text in rows():
        if len(keys) == 1 and keys[0] in bindings and keys[0] != HELP.name:
            label = bindings[keys[0]].label
            assert text.startswith(label if isinstance(label, str) else label(state)), keys
            compared.add(keys[0])
    assert {UNDO.name, VOTE.name, RETURN.name, QUIT.name} <= compared


def test_the_exit_codes_are_those_of_signals() -> None:
    codes = (EXIT_HANGUP, EXIT_INTERRUPT, EXIT_TERMINATED)
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    assert codes == tuple(128 + number for number in numbers)
    assert ", ".join(map(str, map(int, codes))) in PAGE

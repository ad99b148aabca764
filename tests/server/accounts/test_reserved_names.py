"""The words of servers and clients are nobody's name, however they are written."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from engine.game import find_game
from server.accounts.names import clean_name
from server.accounts.reserved_names import WORDS


def disguises(word: str) -> tuple[str, ...]:
    """A word in other letters that are read or drawn like it."""
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c != " " else c for c in word)
    strange = word.translate(str.maketrans("oOlI", "00I1"))
    small = word.translate(str.maketrans("abcdegijkmnoprtuvwz", "ᴀʙᴄᴅᴇɢɪᴊᴋᴍɴᴏᴘʀᴛᴜᴠᴡᴢ"))
    spaced, marked = "  ".join(word.split()), "".join(f"{c}\u0301" for c in word)
    return word, word.upper(), word.title(), wide, strange, small, spaced, marked, f"~{word}!"


def levels() -> set[str]:
    """The levels of bots of all games that are installed."""
    games = entry_points(group="ra_online.games")
    return {level for game in games for level in find_game(game.name).bots}


def test_the_words_of_servers_and_clients_are_nobodys_name_however_they_are_written() -> None:
    asked = [*WORDS, "no one", "ra online", "Bob (watching)"]
    for word in asked:
        for name in disguises(word):
            assert clean_name(name, 40) is None, name


def test_bots_of_every_level_there_is_have_their_names_to_themselves() -> None:
    assert levels() >= {"random", "easy", "normal", "hard"}
    for level in levels():
        for word in (f"{level} bot", f"{level} bot 2", f"bot ({level})", f"a {level} bot"):
            for name in disguises(word):
                assert clean_name(name, 40) is None, name


@pytest.mark.parametrize(
    "name",
    ["Freeman", "Youssef", "Allan", "Hostetler", "Norman", "Talbot 2", "Player", "Bird watcher"],
)
def test_names_that_only_begin_or_end_like_such_words_are_fine(name: str) -> None:
    assert clean_name(name, 20) == name

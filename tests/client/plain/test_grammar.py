"""The words of the plain client: those that are offered lead somewhere."""

from __future__ import annotations

import pytest

from client.games import Unreadable
from client.plain.grammar import TypedLine, Verb, help_lines, parse_line


def test_a_solo_game_offers_nothing_that_leads_nowhere() -> None:
    words = [line.partition(" ")[0].rstrip(":") for line in help_lines(solo=True)]
    assert "move" not in words and "vote" not in words
    assert "quit: end, and with it this game" in help_lines(solo=True)
    assert len(help_lines()) == len(Verb)


@pytest.mark.parametrize("whole", [True, False])
def test_a_word_that_nothing_follows_leaves_longer_lines_to_the_game(whole: bool) -> None:
    assert parse_line("move", whole=whole) == TypedLine(Verb.MOVE, "")
    assert parse_line("say move it", whole=whole) == TypedLine(Verb.SAY, "move it")
    with pytest.raises(Unreadable, match="nothing follows 'move'"):
        parse_line("move v07 delhi", whole=whole)

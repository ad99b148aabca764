"""The words of the plain client: those that are offered lead somewhere."""

from __future__ import annotations

from client.plain.grammar import Verb, help_lines


def test_a_solo_game_offers_nothing_that_leads_nowhere() -> None:
    words = [line.partition(" ")[0].rstrip(":") for line in help_lines(solo=True)]
    assert "move" not in words and "vote" not in words
    assert "quit: end, and with it this game" in help_lines(solo=True)
    assert len(help_lines()) == len(Verb)

"""What a server refused, in words."""

from __future__ import annotations

import pytest

from client.refusal_texts import refusal_text


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"clock": "bank"}, "the server takes no such clock"),
        ({"bot": "godly"}, "the server has no bot of level godly"),
        ({"seats": "2", "taken": "3"}, "3 do not fit on 2 seats"),
        ({"seats": "9", "least": "2", "most": "5"}, "a table has 2 to 5 seats, not 9"),
    ],
)
def test_why_there_can_be_no_table(facts: dict[str, str], said: str) -> None:
    assert refusal_text("bad_options", facts) == said

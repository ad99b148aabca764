"""Why something was refused, in our own words. Knows no rule: a game adds its reasons
by `GameClient.refusal`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from client.text import cut

if TYPE_CHECKING:
    from client.games import GameClient

LONGEST = 300
"""Cells of a reason at the most."""

_TEXTS: dict[str, str] = {
    "already_started": "the match has started already",
    "bad_field": "the server could not read this",
    "bad_name": "this name cannot be used",
    "bad_options": "there is no such table: {facts}",
    "busy": "the table is busy: try again",
    "cannot_take_back": "this cannot be taken back any more",
    "empty_text": "nothing is left of this text",
    "fault": "the server made a mistake; nothing happened",
    "id_reused": "the server took this for something it was asked before",
    "no_prompt": "it is not for you to act now",
    "no_table": "there is no such table",
    "not_ended": "the match is not over yet",
    "not_host": "only the host may do that",
    "not_running": "no match is being played here",
    "not_seated": "you have no seat at this table",
    "out_of_place": "that is not possible here",
    "stale_prompt": "the table has moved on: look again",
    "store_unavailable": "the server cannot save now; nothing happened: try again",
    "table_closed": "the table is closed",
    "table_damaged": "the server cannot read this table's log",
    "table_full": "all seats are taken",
    "too_fast": "too fast: wait a moment",
    "too_few_players": "{seats} players are not enough: at least {least} are needed",
    "too_many_tables": "there are too many tables: close one of yours, or wait",
    "too_many_watchers": "too many people watch this table",
    "wrong_command": "that is not what is asked now",
}

TRY_AGAIN = frozenset({"busy", "store_unavailable", "too_fast"})
"""Codes after which the same may be tried again a little later."""


class _Facts(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"


def refusal_text(
    code: str, facts: Mapping[str, str], detail: str = "", game: GameClient | None = None
) -> str:
    """One line that says why; the server's own text only where we have none."""
    text = game.refusal(code, facts) if game is not None else None
    if text is None:
        template = _TEXTS.get(code)
        if template is not None:
            told = ", ".join(f"{name} {value}" for name, value in facts.items()) or detail
            text = template.format_map(_Facts(facts, facts=told))
        else:
            text = detail or code or "refused"
    return cut(text, LONGEST)

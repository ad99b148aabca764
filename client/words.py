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
    "bad_name": "this name cannot be used",
    "bad_options": "there is no such table: {facts}",
    "cannot_take_back": "this cannot be taken back any more",
    "id_reused": "the server took this for something it was asked before",
    "name_taken": "somebody at the table has this name, or one that looks like it",
    "no_prompt": "it is not for you to act now",
    "not_host": "only the host may do that",
    "not_over": "the match is not over yet",
    "not_running": "no match is being played here",
    "not_seated": "you have no seat at this table",
    "out_of_place": "that is not possible here",
    "stale_prompt": "the table has moved on: look again",
    "table_closed": "the table is closed",
    "table_full": "all seats are taken",
    "too_few_players": "{seats} players are not enough: at least {least} are needed",
    "wrong_command": "that is not what is asked now",
}


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

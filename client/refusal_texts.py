"""Our own texts for refusals and for the end of a connection. Does not know the rules of any
game: each adds its texts by `GameClient.refusal`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from client.text import cut

if TYPE_CHECKING:
    from client.games import GameClient

LONGEST = 300
"""The most cells of a text."""

_TEXTS: dict[str, str] = {
    "already_seated": "you have a seat at this table",
    "already_started": "the match has started already",
    "bad_field": "the server could not read this",
    "bad_name": "this name cannot be used",
    "bad_options": "there can be no such table: {facts}",
    "busy": "the table is busy: try again",
    "cannot_take_back": "this cannot be taken back any more",
    "empty_text": "nothing is left of this text",
    "fault": "the server made a mistake; nothing happened",
    "id_reused": "the server took this for something it was asked before",
    "name_taken": "somebody at this table has a name like yours: come under another (--name)",
    "no_hints": "there are no hints at this table",
    "no_move_code": "this code is used up, too old, or none",
    "no_prompt": "it is not for you to act now",
    "no_table": "there is no such table",
    "no_substitutes": "nobody else may take a seat at this table",
    "not_absent": "that seat does not keep the table waiting",
    "not_ended": "the match is not over yet",
    "not_host": "only the host may do that",
    "not_running": "no match is being played here",
    "not_seated": "you have no seat at this table",
    "not_yet_back": "your time ran out and this is still being played for you: in a moment",
    "out_of_place": "that is not possible here",
    "sat_out": "your own seat is played for: come back first",
    "stale_prompt": "the table has moved on: look again",
    "store_unavailable": "the server cannot save now; nothing happened: try again",
    "table_closed": "the table is closed",
    "table_damaged": "the server cannot read this table's log",
    "table_full": "all seats are taken",
    "table_retired": "this table ended long ago and is kept no more",
    "too_large": "that file is too large to be sent: the operator of the server has it",
    "too_fast": "too fast: wait a moment",
    "log_full": "this table has gone on for so long that nobody joins and nothing is taken back",
    "too_soon": "they may still be thinking: {seconds} s more",
    "too_few_players": "{seats} players are not enough: at least {least} are needed",
    "too_many_codes": "too many wrong codes came from your network: try again in a while",
    "too_many_tables": "there are too many tables: close one of yours, or wait",
    "too_many_watchers": "too many people watch this table",
    "wrong_command": "that is not what is asked now",
}

_NO_SUCH: dict[str, str] = {
    "bot": "the server has no bot of level {bot}",
    "clock": "the server takes no such clock",
    "game": "the server does not know the game {game}",
    "option": "the server does not know the option {option}",
    "ruleset": "the server does not know the ruleset {ruleset}",
    "taken": "{taken} do not fit on {seats} seats",
    "least": "a table has {least} to {most} seats, not {seats}",
}
"""Why no such table is possible, by the fact that the server names."""

_CLOSINGS: dict[str, str] = {
    "fault": "the server made a mistake",
    "flood": "the server closed the connection: too much was sent at once",
    "fragments": "the server closed the connection: a message in too many pieces",
    "hello_timeout": "the server closed the connection: nobody said hello in time",
    "idle": "the server closed the connection: nothing was said for very long",
    "moved": "your seat is on another device now",
    "restart": "the server restarts",
    "table_lost": "the server is reloading the table",
    "taken_over": "another client took over this session: a newer one of the same name and data "
    "folder, or --move-seat",
    "too_fast": "the server closed the connection: too much was sent at once",
    "too_slow": "the server closed the connection: we read too slowly",
    "unsure": "the server does not know yet whether that happened: asking again",
}
"""Why the server ends a connection, by the code of its `Closing`."""


def closing_text(code: str, detail: str = "") -> str:
    """One line that says why the connection ends."""
    text = _CLOSINGS.get(code) or f"the server closed the connection: {detail or code}"
    return cut(text, LONGEST)


TRY_AGAIN = frozenset({"busy", "store_unavailable", "too_fast"})
"""Codes after which the same request may be tried again a little later."""


def _no_such(facts: Mapping[str, str]) -> str | None:
    """The text that fits the facts about an impossible table."""
    for fact, said in _NO_SUCH.items():
        if fact in facts and facts.keys() >= set(re.findall(r"{(\w+)}", said)):
            return said
    return None


class _Facts(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"


def refusal_text(
    code: str, facts: Mapping[str, str], detail: str = "", game: GameClient | None = None
) -> str:
    """One line that says why; the server's own text only if we have none."""
    text = game.refusal(code, facts) if game is not None else None
    if text is None:
        template = _TEXTS.get(code)
        if code == "bad_options":
            template = _no_such(facts) or template
        if template is not None:
            told = ", ".join(f"{name} {value}" for name, value in facts.items()) or detail
            text = template.format_map(_Facts(facts, facts=told))
        else:
            text = detail or code or "refused"
    return cut(text, LONGEST)

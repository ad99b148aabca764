"""`ra-server admin close`: at the running server, or in the file where none runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.errors import Code
from server.admin.caller import NoAnswer, call
from server.admin.door import NoDoor
from server.admin.errand import NotDone, Unanswered
from server.admin.outcome import Exit, refuse, unreadable
from server.admin.owner import as_owner
from server.admin.report import clean
from server.admin.stored import close_stored
from server.standard import complain, say
from server.store.port import Refused
from server.trouble import explain

_ENDED = "it has ended already"


def close(database: Path, codes: Sequence[str], records: Path | None) -> Exit:
    """Close tables: at the running server, or else in the file, with their records saved in
    the folder `records` (None: where a server saves them). Raises StoreError, OSError."""
    outcome = _Outcome()
    try:
        caller = call(database)
    except NoDoor as why:
        complain(f"ra-server admin: the server cannot be spoken to: {why}")
        return Exit.UNUSABLE
    if caller is None:
        return _close_stored(database, codes, records, outcome)
    with closing(caller):
        for code in codes:
            try:
                answer = caller.ask({"do": "close", "code": code})
            except NoAnswer:
                outcome.tell(code, Unanswered())
                break  # it will not answer the next one either
            outcome.tell(code, _hindrance(answer))
    return outcome.exit


def _hindrance(answer: Mapping[str, Any]) -> Exception | None:
    """What kept a server from closing a table, by its answer."""
    if "trouble" not in answer:
        return None
    if answer["trouble"] == "unsure":
        return Unanswered()
    return NotDone(str(answer["trouble"]), str(answer.get("detail")))


def _close_stored(
    database: Path, codes: Sequence[str], records: Path | None, outcome: _Outcome
) -> Exit:
    try:
        with as_owner(database):
            asyncio.run(close_stored(database, codes, records, outcome.tell))
    except Refused as error:
        if error.code != "in_use":
            raise
        complain(f"ra-server admin: {explain(error)}, and does not listen to this command")
        return Exit.UNUSABLE
    return outcome.exit


class _Outcome:
    """What came of some tables that were to be closed: said of each, and the worst of it."""

    def __init__(self) -> None:
        self.exit = Exit.DONE

    def tell(self, code: str, why: Exception | None) -> None:
        """`why` it was not closed, or may not be; None: it was."""
        match why:
            case None:
                say(f"{clean(code)} is closed")
                return
            case Unanswered():
                said, end = "no answer came; it may be closed or not (see `show`)", Exit.UNSURE
            case NotDone():
                said = _ENDED if why.code == Code.TABLE_CLOSED else clean(why.detail)
                end = Exit.REFUSED
            case _:
                said, end = unreadable(why), Exit.REFUSED
        self.exit = max(self.exit, refuse(code, said, end))

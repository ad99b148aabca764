"""The examination of a whole database: its file, every stream from the chain of its bytes to the
deal behind its match, the directory compared with the log, and the sessions.

It takes one table at a time, so that memory stays bounded. A finding says where and what, but never
a secret, a token or the content of an entry. Does not know games by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, evolve, field, fields, frozen

from engine.entry import Entry
from engine.errors import BrokenLog, FutureLog, IllegalAction
from engine.stream import Stream
from engine.verify import Subject, Verdict, verify
from protocol.codec import ProtocolError
from protocol.entries import UnknownEvent, UnknownField
from server.check.inspector import Inspector
from server.games import game_services
from server.store.port import Damaged, DirectoryRow, Row
from server.tables.directory import game_of, row_of


@frozen
class CheckFinding:
    """One thing that is wrong."""

    table: str | None
    """The table's code; None for the database itself."""
    number: int | None
    """The entry's number, if the finding is about one."""
    code: str
    """A stable word; `docs/reliability.md` lists them."""
    detail: str

    def __str__(self) -> str:
        where = self.table or "database"
        number = "" if self.number is None else f" {self.number}"
        detail = "".join(c if c.isprintable() else "?" for c in self.detail[:200])
        return f"{where}{number} {self.code}: {detail}"


@define
class Examination:
    """Counts what is examined, and collects what can be rebuilt from the log."""

    inspector: Inspector
    tables: int = 0
    entries: int = 0
    sessions: int = 0
    derived: list[DirectoryRow] = field(factory=list)
    """The rows of the directory, as derived from the log, that the directory lacks or has
    differently."""

    def __str__(self) -> str:
        """What was examined, in words."""
        return ", ".join(
            (
                counted(self.tables, "table"),
                counted(self.entries, "entry", "entries"),
                counted(self.sessions, "session"),
            )
        )

    def findings(self) -> Iterator[CheckFinding]:
        """Everything that is wrong, in the order in which it is found. Raises Unavailable if the
        file cannot be read at all now."""
        try:
            yield from self._file()
            for code in self.inspector.codes():
                self.tables += 1
                yield from self._table(code)
        except Damaged as damage:
            yield CheckFinding(None, None, damage.code, "pages of the file are not readable")

    def _file(self) -> Iterator[CheckFinding]:
        try:
            for text in self.inspector.complaints():
                yield CheckFinding(None, None, "integrity", f"SQLite finds: {text}")
        except Damaged as damage:
            yield CheckFinding(None, None, damage.code, "the file is damaged in its structure")
        try:
            for name, count in self.inspector.strays().items():
                code = "stray" if name == "entries" else "directory"
                belong = "belongs" if count == 1 else "belong"
                rows = counted(count, *_ROWS[name])
                table = "open table" if name == "seats" else "table"
                yield CheckFinding(None, None, code, f"{rows} {belong} to no {table}")
            self.sessions = self.inspector.sessions()
            for what, count in self.inspector.odd_sessions().items():
                yield CheckFinding(
                    None, None, "session", f"{counted(count, 'session')} with {what}"
                )
        except Damaged as damage:
            yield CheckFinding(None, None, damage.code, "rows are not readable")

    def _table(self, code: str) -> Iterator[CheckFinding]:
        try:
            history, listed = self.inspector.both(code)
        except Damaged as damage:
            number = damage.facts.get("number")
            yield CheckFinding(
                code,
                number if isinstance(number, int) else None,
                damage.code,
                _DAMAGES.get(damage.code, "the log cannot be read"),
            )
            return
        if not history.rows:
            yield CheckFinding(code, None, "empty", "the table has no entry")
            return
        self.entries += len(history.rows)
        entries: list[Entry] = []
        wrong = _decode(code, history.rows, entries) or _fold(code, entries)
        if wrong is not None:
            yield wrong
            return
        stream = Stream.replay(entries)
        if stream.seating.code != code:
            yield CheckFinding(code, 1, "other_code", f"the log is that of {stream.seating.code}")
            return
        yield from _derivation(code, entries, stream)
        row = row_of(history.rows)
        if listed is not None and listed.seats is None:
            # a row of an earlier version; a server derives the rest when it needs it
            listed = evolve(listed, ruleset=row.ruleset, seats=row.seats, seated=row.seated)
        if row != listed:
            self.derived.append(row)
            yield CheckFinding(code, row.number, "directory", _differences(row, listed))


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things, in words: `1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


_ROWS = {
    "entries": ("entry", "entries"),
    "directory": ("row of the directory", "rows of the directory"),
    "seats": ("seat in the directory", "seats in the directory"),
}
_DAMAGES = {
    "changed": "the entry is not the one that was written",
    "missing": "the entry is missing",
    "corrupt": "pages of the file are not readable",
}
_SUBJECTS = {
    Subject.COMMITMENT: "commitment",
    Subject.DEAL: "deal",
    Subject.COMMANDS: "commands",
    Subject.RESULT: "result",
}


def _decode(code: str, rows: Sequence[Row], entries: list[Entry]) -> CheckFinding | None:
    """Fill `entries` with the decoded rows; returns what is wrong if one cannot be decoded."""
    number = 1
    try:
        services = game_services(game_of(rows))
        for row in rows:
            number = row.number
            entries.append(services.entries.decode(row.body))
    except IllegalAction as error:
        return CheckFinding(
            code, 1, "unknown_game", f"not installed here: {error.facts.get('game')}"
        )
    except (UnknownEvent, UnknownField) as error:
        return CheckFinding(code, number, "later_version", str(error))
    except (ProtocolError, BrokenLog, ValueError) as error:
        return CheckFinding(code, number, "unreadable", str(error))
    return None


def _fold(code: str, entries: Sequence[Entry]) -> CheckFinding | None:
    """A finding for the first entry that does not follow from those before it."""
    number = 1
    try:
        stream = Stream(entries[0])
        for at, entry in enumerate(entries[1:], 2):
            number = at
            stream.fold(entry)
    except FutureLog as error:
        return CheckFinding(code, number, "later_version", str(error))
    except (BrokenLog, IllegalAction) as error:
        return CheckFinding(code, number, "fold", str(error))
    return None


def _derivation(code: str, entries: Sequence[Entry], stream: Stream) -> Iterator[CheckFinding]:
    result = None if stream.match is None else stream.match.result
    for found in verify(entries, result):
        if found.verdict is Verdict.FAILS:
            word = _SUBJECTS.get(found.subject, str(found.subject))
            yield CheckFinding(code, None, word, found.detail)


def _differences(row: DirectoryRow, listed: DirectoryRow | None) -> str:
    if listed is None:
        return "the directory does not list the table"
    names: list[Any] = [attribute.name for attribute in fields(DirectoryRow) if attribute.eq]
    other = [name for name in names if getattr(row, name) != getattr(listed, name)]
    return f"the directory has another {', '.join(other)} than the log"

"""The register of tables: every code there ever was, which of them wait or are played and
who opened them, what is shown of those that are listed, and who sits where.

Knows no store and wakes no table.
"""

from __future__ import annotations

from collections import Counter

from engine.table import Phase
from protocol.messages import TableRow
from server.refusals import Denied, Refusal
from server.store.port import DirectoryRow
from server.tables.table import Table

_OPEN = (Phase.WAITING, Phase.PLAYING)


class Register:
    """The tables of one server, in memory or not."""

    def __init__(self) -> None:
        self.games: dict[str, str] = {}
        """Every code ever given, with its game's name."""
        self.creators: dict[str, bytes] = {}
        """Tables that wait or are played, with who opened them."""
        self._opened: Counter[bytes] = Counter()
        self.listed: dict[str, TableRow | None] = {}
        """Such tables that are listed, oldest first; None: not looked at since the start."""
        self._seated: dict[bytes, dict[str, TableRow]] = {}
        """By person: such tables, listed or not, where they have a seat, oldest news first;
        those that were in memory since the start."""
        self._people: dict[str, tuple[bytes, ...]] = {}
        """By code: who has a seat there."""

    def found(self, row: DirectoryRow) -> bool:
        """Note a table that is in the directory: whether it waits or is played."""
        self.games[row.code] = row.game
        if row.phase not in _OPEN:
            return False
        self.opened(row.code, row.creator)
        if row.listed:
            self.listed[row.code] = None
        return True

    def opened(self, code: str, creator: bytes) -> None:
        """Note that a table waits or is played."""
        self.creators[code] = creator
        self._opened[creator] += 1

    def changed(self, table: Table) -> None:
        """Note what a table in memory is now."""
        seating = table.stream.seating
        code = table.code
        self._unseat(code)
        if seating.ended:
            self.listed.pop(code, None)
            creator = self.creators.pop(code, None)
            if creator is not None:
                self._opened[creator] -= 1
                if not self._opened[creator]:
                    del self._opened[creator]
            return
        names = tuple(o.name for o in seating.seats if o is not None)
        row = TableRow(
            code,
            seating.game,
            seating.ruleset,
            seating.phase,
            len(seating.seats),
            len(names),
            names,
        )
        if seating.phase is Phase.WAITING and seating.host is None:
            # everybody left: nobody can start it, and it is about to be closed
            self.listed.pop(code, None)
        elif seating.listed:
            self.listed[code] = row
        people = (o.person for o in seating.seats if o is not None)
        self._people[code] = seated = tuple(p for p in people if p is not None)
        for person in seated:
            self._seated.setdefault(person, {})[code] = row

    def _unseat(self, code: str) -> None:
        for person in self._people.pop(code, ()):
            theirs = self._seated[person]
            del theirs[code]
            if not theirs:
                del self._seated[person]

    def seats_of(self, person: bytes) -> tuple[TableRow, ...]:
        """The tables that wait or are played where a person has a seat, listed or not, the
        newest news first. One that slept since the start is missing, for the directory does
        not say who sits there: nobody came to it."""
        return tuple(reversed(self._seated.get(person, {}).values()))

    def check_room(self, creator: bytes, *, of_one: int, of_all: int) -> None:
        """Raise Denied(TOO_MANY_TABLES) unless `creator` may open another table."""
        if self._opened[creator] >= of_one:
            raise Denied(Refusal.TOO_MANY_TABLES, "you have too many open tables", most=of_one)
        if len(self.creators) >= of_all:
            raise Denied(Refusal.TOO_MANY_TABLES, "the server has too many tables", most=of_all)

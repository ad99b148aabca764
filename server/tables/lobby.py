"""All tables: opening them, finding them by code, listing them.

A table is in memory while somebody attends it or something is due; else its log is
enough (`server.tables.waking`). Knows no socket and no game.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Container

from engine.deal import NONCE_BYTES, SECRET_BYTES
from engine.entry import Entry
from engine.stream import Repeat, Stream, Wish, open_stream
from engine.table import Open
from protocol.messages import Create, TableRow
from server.bots.room import BotRoom
from server.config import Settings
from server.log import Log
from server.metrics import Counters
from server.people.sessions import Person
from server.play import Play, find_play
from server.refusals import Denied, Refusal, Unsure
from server.store.port import (
    START,
    Conflict,
    DirectoryRow,
    Row,
    Store,
    StoreError,
    Unavailable,
    Unknown,
)
from server.tables.codes import clean_code, draw, guessable
from server.tables.directory import directory_row
from server.tables.due import due_of
from server.tables.house import House
from server.tables.invitations import Invitations
from server.tables.register import Register
from server.tables.table import Table
from server.tables.timers import Ticker
from server.tables.waking import Waking

_TRIES = 8


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bots: BotRoom,
        counters: Counters,
        log: Log,
        ended: Callable[[Table], None],
        ticker: Ticker | None = None,
    ) -> None:
        """`ended` is told every table that is over when it ends or wakes."""
        ticker = ticker or Ticker()
        self._settings = settings
        self._store = store
        self._ended = ended
        self._ticker = ticker
        self._register = Register()
        self._house = House(
            settings,
            store,
            bots,
            counters,
            log,
            changed=self._changed,
            asleep=self._asleep,
            ticker=ticker,
        )
        self._waking = Waking(self._house, self._register)
        self.invitations = Invitations(ticker, settings.invite_seconds)

    async def start(self, saved: Container[str]) -> None:
        """Learn of all tables; wake those where something is due, and those that are over
        and not among the `saved` ones."""
        await self._waking.start(saved)

    async def stop(self) -> None:
        """Let every table finish the wish that it carries out, and no other."""
        await self._waking.stop()

    # finding

    @property
    def tables(self) -> dict[str, Table]:
        """Those in memory, by code."""
        return self._waking.tables

    def sleeps(self, text: str) -> bool:
        """Whether a table has to be read from its log to be had."""
        return self._waking.sleeps(text)

    async def awake(self, text: str) -> Table:
        """The table of a code, in memory; raises Denied(NO_TABLE, TABLE_DAMAGED, STOPPING)
        and StoreError."""
        return await self._waking.awake(text)

    async def may_be_guess(self, text: str, person: bytes) -> bool:
        """Whether whoever says a code may have guessed it: it is none, or a short one of a
        table that neither the list shows nor `person` has to do with. Raises StoreError."""
        code = clean_code(text)
        row = None if code is None else await self._store.find(code)
        if row is None:
            return True
        if not guessable(row.code) or row.listed or row.creator == person:
            return False
        return all(seat.code != code for seat in self._register.seats_of(person))

    # opening

    async def create(self, person: Person, message: Create) -> tuple[Table, int]:
        """Open a table, or find the one that this message opened before: the table and
        the number of its opening entry.

        Raises IllegalAction, Denied, StoreError and Unsure.
        """
        command = Open(
            message.game,
            message.ruleset,
            message.options,
            message.seats,
            message.bots,
            message.listed,
            message.sit,
            person.name,
            message.nonce,
            message.clock,
            message.absence,
        )
        found = await self._store.find_created(person.public, message.id)
        if found is not None:
            return await self._again(found, person, message.id, command)
        if self._waking.stopping:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        self._check_room(person)
        play = find_play(command.game)
        # checked before chance is asked for as many nonces as there are bots
        open_count = min(len(command.bots), 256)
        for _ in range(_TRIES):
            free = (c for c in draw(listed=command.listed) if c not in self._register.games)
            code = next(free, None)
            if code is None:
                break
            entry = open_stream(
                command,
                id=message.id,
                person=person.public,
                code=code,
                secret=secrets.token_bytes(SECRET_BYTES),
                bot_nonces=tuple(secrets.token_bytes(NONCE_BYTES) for _ in range(open_count)),
                time=self._ticker.wall(),
                game=play.game,
            )
            try:
                table = await self._open(play, entry, person.public)
            except (Conflict, Unknown) as trouble:
                found = await self._find_out(person, message.id)
                if found is not None:
                    return await self._again(found, person, message.id, command)
                if isinstance(trouble, Unknown):
                    raise Unavailable(trouble.code, **trouble.facts) from None  # it did not
                continue
            return table, 1
        raise Denied(Refusal.FAULT, "no code is free")

    async def _find_out(self, person: Person, id: bytes) -> DirectoryRow | None:
        """What an append that may have happened came to; raises Unsure."""
        try:
            return await self._store.find_created(person.public, id)
        except StoreError:
            raise Unsure from None

    async def _open(self, play: Play, entry: Entry, creator: bytes) -> Table:
        stream = Stream(entry, lambda _: play.game)
        seating = stream.seating
        code = seating.code
        directory = directory_row(seating, entry, creator, entry.id, due_of(stream))
        row = Row(1, play.entries.encode(entry))
        self._register.games[code] = seating.game
        try:
            position = await self._store.append(code, START, row, directory)
        except StoreError:
            self._register.games.pop(code, None)
            raise
        self._register.opened(code, creator)
        table = Table(self._house, play, [entry], stream, position)
        self._waking.add(table)
        return table

    async def _again(
        self, found: DirectoryRow, person: Person, id: bytes, command: Open
    ) -> tuple[Table, int]:
        if found.code not in self._register.games:
            self._register.found(found)  # an opening that seemed to fail did not
        table = await self.awake(found.code)
        draft = table.stream.draft(Wish(command, id, person.public), 0)
        assert isinstance(draft, Repeat)
        return table, draft.number

    def _check_room(self, person: Person) -> None:
        settings = self._settings
        of_one, of_all = settings.tables_per_session, settings.tables
        self._register.check_room(person.public, of_one=of_one, of_all=of_all)
        if not person.creates.take():
            raise Denied(Refusal.TOO_FAST, "you open tables too fast")

    # listing

    async def listed(self, person: bytes) -> tuple[TableRow, ...]:
        """The listed tables that wait or are played, newest first; before them the others
        where `person` has a seat."""
        rows, listed, most = [], self._register.listed, self._settings.list_tables
        for code in list(listed)[: -most - 1 : -1]:
            row = listed.get(code)
            if row is None and code in listed:
                try:
                    await self.awake(code)
                except (Denied, StoreError):
                    continue
                row = listed.get(code)
            if row is not None:
                rows.append(row)
        shown = {row.code for row in rows}
        own = self._register.seats_of(person)
        return (*(row for row in own if row.code not in shown), *rows)[:most]

    def _changed(self, table: Table) -> None:
        self._register.changed(table)
        self.invitations.changed(table.stream.seating)
        if table.stream.seating.ended:
            self._ended(table)

    def _asleep(self, table: Table) -> None:
        self._waking.left(table)

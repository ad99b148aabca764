"""All tables: opening them, finding them by code, listing them.

A table is in memory while somebody attends it or something is due; else its log is
enough (`server.tables.residents`). Knows no socket and no game.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

from engine.deal import NONCE_BYTES, SECRET_BYTES
from engine.entry import Entry
from engine.stream import Repeat, Request, Stream, open_stream
from engine.table.words import Open
from protocol.messages import Create, TableRow
from server.accounts.sessions import Person
from server.age import Age
from server.bots.executor import BotExecutor
from server.config import Settings
from server.games import GameServices, game_services
from server.log import Log
from server.metrics import Counters
from server.refusals import Denied, Refusal, Unsure
from server.startup_errors import explain
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
from server.tables.context import Context
from server.tables.directory import directory_row
from server.tables.invitations import Invitations
from server.tables.quotas import Quotas
from server.tables.reaping import Yielding
from server.tables.register import Register
from server.tables.residents import Residents
from server.tables.table import Table
from server.tables.timers import Ticker

_TRIES = 8


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bots: BotExecutor,
        counters: Counters,
        log: Log,
        ended: Callable[[Table], None],
        ticker: Ticker,
        age: Age,
    ) -> None:
        """`ended` is told every table that is over when it ends or wakes."""
        self._settings = settings
        self._store = store
        self._ended = ended
        self._ticker = ticker
        self._context = Context(
            settings,
            store,
            bots,
            counters,
            log,
            changed=self._changed,
            asleep=self._asleep,
            ticker=ticker,
            age=age,
        )
        self._residents = Residents(self._context)
        self._register = Register(store, self._residents.tables, settings.list_tables)
        self._yielding = Yielding(settings, store, age, self._residents.may_close)
        self.quotas = Quotas(settings.sharing, store, ticker)
        self.invitations = Invitations(ticker, settings.invite_seconds)

    async def start(self, saved: Callable[[list[str]], Awaitable[list[str]]]) -> None:
        """Begin to look for the tables where something is due, and for those that are over
        and whose records are not saved: `saved` notes which of some are, and gives back the
        others."""
        await self._residents.start(saved, self._register.changed)

    async def stop(self) -> None:
        """Let every table finish the wish that it carries out, and no other."""
        await self._residents.stop()

    # finding

    @property
    def tables(self) -> dict[str, Table]:
        """Those in memory, by code."""
        return self._residents.tables

    async def seats_known(self) -> None:
        """Wait until the directory says who sits where, after an upgrade."""
        await self._residents.seats_known.wait()

    async def sleeps(self, text: str) -> bool:
        """Whether a table is there, but has to be read from its log. Raises StoreError."""
        return await self._residents.sleeps(text)

    async def awake(self, text: str) -> Table:
        """The table of a code, in memory; raises Denied(NO_TABLE, TABLE_RETIRED,
        TABLE_DAMAGED, STOPPING) and StoreError."""
        return await self._residents.awake(text)

    def is_known_here(self, text: str, person: bytes) -> bool | None:
        """Whether `person` may have been told a code, and did not guess it: False for what is
        no code; None if the directory has to be asked, since no table in memory has it."""
        code = clean_code(text)
        if code is None:
            return False
        table = self._residents.tables.get(code)
        if table is None:
            return None
        seating = table.stream.seating
        return not guessable(code) or seating.listed or seating.seat_of(person) is not None

    async def is_known(self, text: str, person: bytes) -> bool:
        """The same, of any table: its code cannot be guessed, or the list shows it, or
        `person` opened it or sits there. Raises StoreError."""
        code = clean_code(text)
        row = None if code is None else await self._store.find(code)
        if row is None:
            return False
        own = row.creator == person or any(one.person == person for one in row.seated)
        return own or row.listed or not guessable(row.code)

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
        if self._residents.stopping:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        # before the directory is asked how much there is: that costs more than a refusal
        if not (person.creates.take() and person.address.creates.take()):
            raise Denied(Refusal.TOO_FAST, "you open tables too fast")
        with self._register.opening(person.public):
            others = self._register.opened_by(person.public) - 1
            async with self.quotas.opening(person, sits=command.sit, others=others):
                await self._check_room()
                return await self._open_new(person, message.id, command)

    async def _open_new(self, person: Person, id: bytes, command: Open) -> tuple[Table, int]:
        play = game_services(command.game)
        # checked before chance is asked for as many nonces as there are bots
        open_count = min(len(command.bots), 256)
        for _ in range(_TRIES):
            code = await self._register.free_code(draw(listed=command.listed))
            if code is None:
                break
            entry = open_stream(
                command,
                id=id,
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
                found = await self._find_out(person, id)
                if found is not None:
                    return await self._again(found, person, id, command)
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

    async def _open(self, play: GameServices, entry: Entry, creator: bytes) -> Table:
        stream = Stream(entry, lambda _: play.game)
        seating = stream.seating
        code = seating.code
        ran = self._context.age.minute()
        directory = directory_row(seating, entry, creator, entry.id, stream.wake_after(), ran=ran)
        row = Row(1, play.entries.encode(entry))
        try:
            position = await self._store.append(code, START, row, directory)
        except Unavailable as trouble:
            context = self._context
            context.counters.store_failures += 1
            context.log.warning(
                "store_failure", table=code, code=trouble.code, why=explain(trouble)
            )
            raise
        table = Table(self._context, play, [entry], stream, position)
        self._residents.add(table)
        return table

    async def _again(
        self, found: DirectoryRow, person: Person, id: bytes, command: Open
    ) -> tuple[Table, int]:
        table = await self.awake(found.code)
        draft = table.stream.draft(Request(command, id, person.public), 0)
        assert isinstance(draft, Repeat)
        return table, draft.number

    async def _check_room(self) -> None:
        """Raise Denied(TOO_MANY_TABLES) unless there is room for one table more, or one that
        is all but dead gives way; raises StoreError."""
        most = self._settings.tables
        if await self._register.has_room(most):
            return
        code = await self._yielding.one()
        if code is None or not await self._residents.close_idle(code):
            raise Denied(Refusal.TOO_MANY_TABLES, "the server has too many tables", most=most)

    # listing

    async def listed(self, person: bytes) -> tuple[TableRow, ...]:
        """The listed tables that wait or are played, newest first; before them the others
        where `person` has a seat. Those known to be damaged are left out. Raises
        StoreError."""
        rows = await self._register.listed()
        shown = {row.code for row in rows}
        own = await self._register.seats_of(person)
        most, damaged = self._settings.list_tables, self._residents.damaged
        found = (*(row for row in own if row.code not in shown), *rows)
        return tuple([row for row in found if row.code not in damaged])[:most]

    def _changed(self, table: Table) -> None:
        self._register.changed()
        self.invitations.changed(table.stream.seating)
        if table.stream.seating.ended:
            self._ended(table)

    def _asleep(self, table: Table) -> None:
        self._residents.left(table)

"""All tables of a server: opening them, listing them, and who may know their codes.

Does not know about sockets or games.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

from engine.deal import NONCE_BYTES, SECRET_BYTES
from engine.entry import Entry
from engine.stream import Repeat, Request, Stream, open_stream
from engine.table.state import Seating
from engine.table.words import Open
from protocol.messages import Create, TableRow
from server.accounts.sessions import Session
from server.games import GameServices, game_services
from server.refusals import Denied, RefusalCode, Unsure
from server.startup_errors import explain
from server.store.port import (
    START,
    Conflict,
    DirectoryRow,
    Row,
    StoreError,
    Unavailable,
    Unknown,
)
from server.tables.codes import clean_code, draw, guessable
from server.tables.context import Context
from server.tables.directory import directory_row
from server.tables.invitations import Invitations
from server.tables.quotas import Quotas
from server.tables.reaping import Reaper
from server.tables.register import Register
from server.tables.residents import Residents
from server.tables.startup_scan import StartupScan
from server.tables.table import Table

_TRIES = 8
_MOST_BOTS = 256


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        context: Context,
        residents: Residents,
        note_saved: Callable[[list[str]], Awaitable[list[str]]],
    ) -> None:
        """`residents` are the tables in memory; `note_saved` is that of
        `server.tables.archive.Archive`."""
        settings = context.settings
        self._context = context
        self._settings = settings
        self._store = context.store
        self._residents = residents
        self._register = Register(context.store, residents.tables, settings.list_tables)
        self._reaper = Reaper(context, residents)
        self.startup_scan = StartupScan(context, residents, note_saved, self._register.changed)
        self.quotas = Quotas(settings, context.store, context.ticker)
        self.invitations = Invitations(context.ticker, settings.invite_seconds)

    async def start(self) -> None:
        """Begin to look for tables where something is due, and for those to be closed."""
        self._reaper.start()
        await self.startup_scan.start()

    async def stop(self) -> None:
        """Let every table finish the request that it is carrying out, and no other."""
        await self.startup_scan.stop()
        await self._reaper.stop()
        await self._residents.stop()

    def changed(self, seating: Seating) -> None:
        """The seats or the phase of a table have changed."""
        self._register.changed()
        self.invitations.changed(seating)

    # codes

    def is_known_here(self, text: str, person: bytes) -> bool | None:
        """Whether `person` may have been told a code, and did not guess it: False if it is
        no code; None if no table in memory has it, so that the directory has to be asked."""
        code = clean_code(text)
        if code is None:
            return False
        table = self._residents.tables.get(code)
        if table is None:
            return None
        seating = table.stream.seating
        return not guessable(code) or seating.listed or seating.seat_of(person) is not None

    async def is_known(self, text: str, person: bytes) -> bool:
        """The same for any table: its code cannot be guessed, or the list shows it, or
        `person` opened it or sits there. Raises StoreError."""
        code = clean_code(text)
        row = None if code is None else await self._store.find(code)
        if row is None:
            return False
        own = row.creator == person or any(one.person == person for one in row.seated)
        return own or row.listed or not guessable(row.code)

    # opening

    async def create(self, session: Session, message: Create) -> tuple[Table, int]:
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
            session.name,
            message.nonce,
            message.clock,
            message.absence,
        )
        found = await self._store.find_created(session.public, message.id)
        if found is not None:
            return await self._opened_before(found, session, message.id, command)
        if self._residents.stopping:
            raise Denied(RefusalCode.STOPPING, "the server is about to stop")
        # before the directory is asked how many tables there are, which costs more
        if not (session.creates.take() and session.address.creates.take()):
            raise Denied(RefusalCode.TOO_FAST, "you open tables too fast")
        with self._register.opening(session.public):
            others = self._register.opened_by(session.public) - 1
            async with self.quotas.opening(session, sits=command.sit, others=others):
                await self._check_room()
                return await self._open(session, message.id, command)

    async def _check_room(self) -> None:
        """Raise Denied(TOO_MANY_TABLES) unless there is room for one table more, or another
        one makes room; raises StoreError."""
        most = self._settings.tables
        if not (await self._register.has_room(most) or await self._reaper.make_room()):
            raise Denied(RefusalCode.TOO_MANY_TABLES, "the server has too many tables", most=most)

    async def _open(self, session: Session, id: bytes, command: Open) -> tuple[Table, int]:
        services = game_services(command.game)
        # bounded here, because `open_stream` checks the bots only once they have their nonces
        bots = min(len(command.bots), _MOST_BOTS)
        for _ in range(_TRIES):
            code = await self._register.free_code(draw(listed=command.listed))
            if code is None:
                break
            entry = open_stream(
                command,
                id=id,
                person=session.public,
                code=code,
                secret=secrets.token_bytes(SECRET_BYTES),
                bot_nonces=tuple(secrets.token_bytes(NONCE_BYTES) for _ in range(bots)),
                time=self._context.ticker.wall(),
                game=services.game,
            )
            try:
                return await self._store_new(services, entry, session.public), 1
            except (Conflict, Unknown) as why:
                found = await self._find_created(session, id)
                if found is not None:
                    return await self._opened_before(found, session, id, command)
                if isinstance(why, Unknown):  # known by now: nothing happened
                    raise Unavailable(why.code, **why.facts) from None
        raise Denied(RefusalCode.FAULT, "no code is free")

    async def _store_new(self, services: GameServices, entry: Entry, creator: bytes) -> Table:
        context = self._context
        stream = Stream(entry, lambda _: services.game)
        code = stream.seating.code
        directory = directory_row(
            stream.seating,
            entry,
            creator,
            entry.id,
            stream.wake_after(),
            ran=context.age.minute(),
        )
        row = Row(1, services.entries.encode(entry))
        try:
            position = await self._store.append(code, START, row, directory)
        except Unavailable as why:
            context.counters.store_failures += 1
            context.log.warning("store_failure", table=code, code=why.code, why=explain(why))
            raise
        return self._residents.add_new(services, entry, stream, position)

    async def _find_created(self, session: Session, id: bytes) -> DirectoryRow | None:
        """What became of an append that may have happened; raises Unsure."""
        try:
            return await self._store.find_created(session.public, id)
        except StoreError:
            raise Unsure from None

    async def _opened_before(
        self, found: DirectoryRow, session: Session, id: bytes, command: Open
    ) -> tuple[Table, int]:
        table = await self._residents.get(found.code)
        draft = table.stream.draft(Request(command, id, session.public), 0)
        assert isinstance(draft, Repeat)
        return table, draft.number

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

"""The server: wires its parts, starts them, and stops them in order.

Knows which parts there are and what each is given; decides nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from server.accounts.sessions import Sessions
from server.admin.requests import AdminRequests
from server.admin.socket import AdminListener, socket_path
from server.age import Age
from server.bots.executor import BotExecutor
from server.games import game_services, installed
from server.log import Log, SafeLog, open_log
from server.metrics import Counters, Exporter
from server.net.endpoint import Endpoint
from server.net.flush_scheduler import FlushScheduler
from server.net.listening import ListenAddress
from server.net.server_parts import ServerParts
from server.settings import Settings
from server.startup_errors import NotStarted, explain, reason_of
from server.store.port import Store, StoreError, StoreRefused
from server.store.private_files import make_folder
from server.store.quick_check import QuickCheck
from server.tables.archive import Archive
from server.tables.context import Context
from server.tables.lobby import Lobby
from server.tables.reaping import longest_alone
from server.tables.residents import Residents
from server.tables.retirement import Retirement
from server.tables.table import Table
from server.tables.timers import PULSE_SECONDS, Ticker
from server.upkeep import Upkeep
from server.usage import version

_QUICK_CHECK_SECONDS = 5.0
"""How long a started server checks its database's file, beside its work."""


class App:
    """One running server."""

    def __init__(
        self, settings: Settings, store: Store, log: Log, ticker: Ticker | None = None
    ) -> None:
        self.settings = settings
        self.store = store
        self.log = log = SafeLog.around(log)
        self.counters = Counters()
        self.name = f"ra-online/{version()}"
        self.ticker = ticker or Ticker()
        self.age = Age(store, self.ticker)
        self.sessions = Sessions(settings, store, self.age)
        self.bots = BotExecutor(settings)
        self.archive = Archive(store, settings.record_folder(), self.name, log)
        context = Context(settings, store, self.bots, self.counters, log, self.ticker, self.age)
        self.residents = Residents(
            context, self._table_changed, remember_ms=longest_alone(settings)
        )
        self.lobby = Lobby(context, self.residents, self.archive.note_saved)
        tables = self.residents.tables
        self.retirement = Retirement(settings, store, self.age, self.archive, tables, log)
        sweeps = (self.sessions.forget_old, self.retirement.sweep)
        self.upkeep = Upkeep(self.age, sweeps, self._fault)
        self.endpoint = Endpoint(
            ServerParts(
                name=self.name,
                settings=settings,
                counters=self.counters,
                log=log,
                flush_scheduler=FlushScheduler(log, self.counters),
                sessions=self.sessions,
                residents=self.residents,
                lobby=self.lobby,
                archive=self.archive,
            ),
            self._fault,
        )
        self.stuck = False
        """Whether the disk did not answer in time, so that a thread has to be left behind."""
        self._heartbeat: asyncio.Task[None] | None = None
        """Present from the moment when the server listens."""
        self._pulse: asyncio.Task[None] | None = None
        self._exporter: Exporter | None = None
        self.quick_check: QuickCheck | None = None
        """A check of the database's file, to be made once the server has started."""
        self.checking: asyncio.Task[None] | None = None
        """That check, once it has begun."""
        self.admin: AdminListener | None = None
        """Answers `ra-server admin`."""

    async def start(self) -> None:
        """Start all parts and listen; raises NotStarted if an address or the folder of records
        cannot be used, and StoreError if the store cannot be read."""
        settings = self.settings
        for game in installed():
            try:
                game_services(game)  # loaded now, not when the first table is opened
            except Exception as error:
                self.log.error("game_broken", game=game, error=error)
        await self.age.start()
        await self.sessions.forget_some()  # so that a failing store is noticed now
        await self.archive.prepare()
        await self.lobby.start()
        await self.endpoint.open()
        if settings.metrics_port is not None:
            self._exporter = self._export(settings.metrics_port)
        self._heartbeat = asyncio.create_task(self.endpoint.beat())
        # a sweep before that could forget people who have a seat
        self.upkeep.begin(self.lobby.startup_scan.seats_known.wait)
        if self.admin is not None:
            await self.admin.open()
        self._pulse = asyncio.create_task(self._watch_time())
        if self.quick_check is not None:
            self.checking = asyncio.create_task(self._check(self.quick_check))
        self.log.info("listening", port=self.port)

    @property
    def addresses(self) -> tuple[ListenAddress, ...]:
        """Where the server listens, once it has started; all have the same port."""
        return self.endpoint.addresses

    @property
    def port(self) -> int:
        """The port on which the server listens, once it has started."""
        return self.addresses[0].port

    def _export(self, port: int) -> Exporter:
        gauges = {
            "connections": lambda: len(self.endpoint.connections),
            "sessions": lambda: self.sessions.connected,
            "tables": lambda: len(self.residents.tables),
            "bot_questions_waiting": lambda: self.bots.processes.waiting,
        }
        try:
            return Exporter(port, self.counters, gauges, self.log)
        except OSError as error:
            what = f"cannot show figures on 127.0.0.1:{port} (--metrics-port)"
            raise NotStarted(f"{what}: {reason_of(error)}") from None

    def _table_changed(self, table: Table) -> None:
        """A table has come into memory, or its seats or phase have changed."""
        seating = table.stream.seating
        self.lobby.changed(seating)
        if seating.ended:
            self.archive.save(table)

    async def _watch_time(self) -> None:
        """Read the clock often enough to notice when the whole process was halted."""
        logged = 0
        while True:
            self.ticker.now()
            halted = self.ticker.halted
            if halted != logged:
                self.log.warning("halted", milliseconds=halted - logged)
            logged = halted
            await asyncio.sleep(PULSE_SECONDS)

    async def _check(self, quick_check: QuickCheck) -> None:
        """Log that the database is damaged, if a quick check shows it."""
        if await asyncio.to_thread(quick_check.damaged):
            self.log.error("database_damaged", see="ra-server check")

    def _fault(self, event: str, error: BaseException | None) -> None:
        self.counters.faults += 1
        self.log.error(event, error=error)

    def loop_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count and log what was raised in a callback of the loop, or in a task that nobody
        waits for. Only the error's class and place are logged, because the loop's own words may
        contain what peers sent."""
        self._fault("loop_fault", context.get("exception"))

    async def stop(self) -> None:
        """Drain: entries under way are stored and sent, everybody is told to come back, and
        within `drain_seconds` everything is closed. The store is closed whatever goes wrong."""
        started = self._heartbeat is not None
        try:
            if started:
                self.log.info("stopping")
            await self._end_tasks()
            self.endpoint.stop_listening()
            await self._drain()
            await self._step(self.endpoint.cut_off)
            await self._step(self.bots.stop)
            if self.admin is not None:
                await self._step(self.admin.close)
            if self._exporter is not None:
                await self._step(partial(asyncio.to_thread, self._exporter.close))
        finally:
            closed = await self._close_store()
            checking = self.checking
            self.stuck = not closed or (checking is not None and not checking.done())
        if started:
            self.log.info("stopped")

    async def _step(self, step: Callable[[], Awaitable[object]]) -> None:
        """Take one step of stopping; a failure must not prevent the other steps."""
        try:
            await step()
        except Exception as error:
            self._log_failure(error)

    def _log_failure(self, error: BaseException) -> None:
        """Log what went wrong while the server stops. A failing store is not our fault."""
        if not isinstance(error, StoreError):
            self._fault("stop_fault", error)
            return
        self.counters.store_failures += 1
        self.log.warning("store_failure", code=error.code, why=explain(error))

    async def _end_tasks(self) -> None:
        await self.upkeep.end()
        tasks = [task for task in (self._heartbeat, self._pulse) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.quick_check is not None:
            self.quick_check.end()  # `_drain` waits for it

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._step(self._finish_tables)
                await self._step(self.endpoint.disconnect_all)
                await self._step(self.archive.close)
                await self._step(self.age.keep)
                if self.checking is not None:
                    # the store must be the last to have the database open
                    await asyncio.wait([self.checking])
        except TimeoutError:
            self.log.warning("drain_timeout", connections=len(self.endpoint.connections))

    async def _close_store(self) -> bool:
        """Let the store finish; return whether it did in time."""
        closing = asyncio.ensure_future(self.store.close())
        done, _ = await asyncio.wait([closing], timeout=self.settings.store_close_seconds)
        if not done:
            self.log.error("store_stuck")
            return False
        if (error := closing.exception()) is not None:
            self._log_failure(error)
        return True

    async def _finish_tables(self) -> None:
        """Let the tables finish, for half of the time there is: a store that does not answer
        must not keep the server from saying goodbye."""
        try:
            async with asyncio.timeout(self.settings.drain_seconds / 2):
                await self.lobby.stop()
        except TimeoutError:
            self.log.warning("tables_unfinished")


def open_store(settings: Settings) -> Store:
    """The store that the settings name; raises server.store.port.StoreRefused."""
    if settings.memory:
        from server.store.memory import MemoryStore

        return MemoryStore()
    from server.store.sqlite import SqliteStore

    path = settings.database()
    if not path.name:
        raise StoreRefused("cannot_open", reason="no file name")
    try:
        make_folder(path.parent)
    except OSError as error:
        raise StoreRefused("cannot_open", reason=reason_of(error)) from None
    busy_ms = int(settings.store_lock_seconds * 1000)
    return SqliteStore(path, busy_ms=busy_ms, queue=settings.store_queue)


@asynccontextmanager
async def serve(
    settings: Settings,
    store: Store | None = None,
    ticker: Ticker | None = None,
    log: Log | None = None,
) -> AsyncIterator[App]:
    """A running server, which listens on `app.port` and is drained on leaving. `ticker` replaces
    the machine's clocks for the tables; `log` is a log that is open already, and is left open.

    Raises NotStarted, StoreError and StoreRefused.
    """
    used_log = log or open_log(settings.log)
    try:
        app = App(settings, store or open_store(settings), used_log, ticker)
        if store is None and not settings.memory:
            app.quick_check = QuickCheck(settings.database(), _QUICK_CHECK_SECONDS)
            answer = AdminRequests(app.residents, app.log).answer
            app.admin = AdminListener(socket_path(settings.database()), answer, app.log)
        async with _serving(app):
            yield app
    finally:
        if log is None:
            used_log.close()


@asynccontextmanager
async def _serving(app: App) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(app.loop_fault)
    try:
        await app.start()
        yield
    finally:
        try:
            await app.stop()
        finally:
            loop.set_exception_handler(before)

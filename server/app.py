"""The server: its parts, wired; started, and drained in good order.

Knows which parts there are and what each is given; decides nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from server.accounts.sessions import Sessions
from server.admin.requests import Requests
from server.admin.socket import Listener, socket_path
from server.age import Age
from server.bots.executor import BotExecutor
from server.config import Settings
from server.games import game_services, installed
from server.log import Log, SafeLog, open_log
from server.metrics import Counters, Exporter
from server.net.endpoint import Endpoint
from server.net.listening import ListenAddress
from server.net.outbox import FlushScheduler
from server.net.services import Services
from server.startup_errors import NotStarted, explain, reason_of
from server.store.port import Store, StoreError, StoreRefused
from server.store.private_files import make_folder
from server.store.quick_check import QuickCheck
from server.tables.archive import Archive
from server.tables.context import Context
from server.tables.lobby import Lobby
from server.tables.residents import Residents
from server.tables.retirement import Retirement
from server.tables.table import Table
from server.tables.timers import PULSE_SECONDS, Ticker
from server.upkeep import Upkeep
from server.usage import version

_QUICK_CHECK_SECONDS = 5.0
"""How long a started server looks at its database's file, beside its work."""


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
        self.residents = Residents(context, self._table_changed)
        self.lobby = Lobby(context, self.residents, self.archive.note_saved)
        tables = self.residents.tables
        self.retirement = Retirement(settings, store, self.age, self.archive, tables, log)
        sweeps = (self.sessions.forget_old, self.retirement.sweep)
        self.upkeep = Upkeep(self.age, sweeps, self._fault)
        self.endpoint = Endpoint(
            Services(
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
        """Whether the disk did not answer in time: a thread has to be left behind."""
        self._heart: asyncio.Task[None] | None = None
        self._pulse: asyncio.Task[None] | None = None
        self._exporter: Exporter | None = None
        self.quick_check: QuickCheck | None = None
        """A look at its database to be taken once the server is started."""
        self.checking: asyncio.Task[None] | None = None
        """That look, once it has begun."""
        self.admin: Listener | None = None
        """Where `ra-server admin` is answered."""

    async def start(self) -> None:
        """Bring every table back and listen; raises NotStarted if an address or the folder
        of records cannot be had, StoreError if the store cannot be read."""
        settings = self.settings
        for game in installed():
            try:
                game_services(game)  # loaded now, not when the first table is opened
            except Exception as error:
                self.log.error("game_broken", game=game, error=error)
        await self.age.start()
        await self.sessions.forget_some()  # a store that fails is found out now
        await self.archive.prepare()
        await self.lobby.start()
        await self.endpoint.open()
        if settings.metrics_port is not None:
            self._exporter = self._export(settings.metrics_port)
        self._heart = asyncio.create_task(self.endpoint.beat())
        self.upkeep.begin(
            self.lobby.startup_scan.seats_known.wait
        )  # nobody who has a seat is forgotten
        if self.admin is not None:
            await self.admin.open()
        self._pulse = asyncio.create_task(self._watch_time())
        if self.quick_check is not None:
            self.checking = asyncio.create_task(self._look(self.quick_check))
        self.log.info("listening", port=self.port)

    @property
    def addresses(self) -> tuple[ListenAddress, ...]:
        """Where it listens, once it is started; all have the same port."""
        return self.endpoint.addresses

    @property
    def port(self) -> int:
        """The port that it listens on, once it is started."""
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
        """The seats or the phase of a table have changed, or it has come into memory."""
        seating = table.stream.seating
        self.lobby.changed(seating)
        if seating.ended:
            self.archive.save(table)

    async def _watch_time(self) -> None:
        """Look at the time often enough for a halt of the whole process to be noticed."""
        told = 0
        while True:
            self.ticker.now()
            halted = self.ticker.halted
            if halted != told:
                self.log.warning("halted", milliseconds=halted - told)
            told = halted
            await asyncio.sleep(PULSE_SECONDS)

    async def _look(self, quick_check: QuickCheck) -> None:
        """Say in the log that the database is damaged, if the quick check shows it."""
        if await asyncio.to_thread(quick_check.damaged):
            self.log.error("database_damaged", see="ra-server check")

    def _fault(self, event: str, error: BaseException | None) -> None:
        self.counters.faults += 1
        self.log.error(event, error=error)

    def loop_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What arose in a callback of the loop, or in a task that nobody waited for. The
        loop's own words may hold what peers sent: only the error's class and place are
        told."""
        self._fault("loop_fault", context.get("exception"))

    async def stop(self) -> None:
        """Drain: what is being stored is stored and told, everybody is told to come
        back, and within `drain_seconds` all is closed. Whatever goes wrong, the store is."""
        started = self._heart is not None
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
            self.stuck = not closed or (self.checking is not None and not self.checking.done())
        if started:
            self.log.info("stopped")

    async def _step(self, step: Callable[[], Awaitable[object]]) -> None:
        """One step of the end; what goes wrong in it hinders no other step."""
        try:
            await step()
        except Exception as error:
            self._hindered(error)

    def _hindered(self, error: BaseException) -> None:
        """Something went wrong while the server stops: a store that fails is no fault of
        ours."""
        if not isinstance(error, StoreError):
            self._fault("stop_fault", error)
            return
        self.counters.store_failures += 1
        self.log.warning("store_failure", code=error.code, why=explain(error))

    async def _end_tasks(self) -> None:
        await self.upkeep.end()
        every = (self._heart, self._pulse)
        tasks = [task for task in every if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.quick_check is not None:
            self.quick_check.end()  # waited for while the rest is drained

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._step(self._finish_tables)
                await self._step(self.endpoint.disconnect_all)
                await self._step(self.archive.close)
                await self._step(self.age.keep)
                if self.checking is not None:
                    # the store is to be the last that has the database open
                    await asyncio.wait([self.checking])
        except TimeoutError:
            self.log.warning("drain_timeout", connections=len(self.endpoint.connections))

    async def _close_store(self) -> bool:
        """Let the store finish: whether it did in time."""
        closing = asyncio.ensure_future(self.store.close())
        done, _ = await asyncio.wait([closing], timeout=self.settings.store_close_seconds)
        if not done:
            self.log.error("store_stuck")
            return False
        if (error := closing.exception()) is not None:
            self._hindered(error)
        return True

    async def _finish_tables(self) -> None:
        """Let what is being stored be stored, for half of the time there is: a store that
        does not answer must not keep the others from being told."""
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
    """A running server: `app.port` is where it listens; drained on leaving. `ticker` is
    the time that tables go by, if not the machine's; `log` one that is open, and left open.

    Raises NotStarted, and what the store refuses to be opened with.
    """
    said = log or open_log(settings.log)
    try:
        app = App(settings, store or open_store(settings), said, ticker)
        if store is None and not settings.memory:
            app.quick_check = QuickCheck(settings.database(), _QUICK_CHECK_SECONDS)
            answer = Requests(app.residents, app.log).answer
            app.admin = Listener(socket_path(settings.database()), answer, app.log)
        async with _serving(app):
            yield app
    finally:
        if log is None:
            said.close()


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

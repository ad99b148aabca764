"""The server: its parts, wired; started, and drained in good order.

Knows which parts there are and what each is given; decides nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as serve_sockets
from websockets.typing import Origin, Subprotocol

from protocol.messages import SUBPROTOCOL
from protocol.session import CloseCode
from server.admin.requests import Requests
from server.admin.socket import Listener, socket_path
from server.age import Age
from server.bots.room import BotRoom
from server.config import Settings
from server.edge.connection import Connection
from server.edge.gate import Gate, spare
from server.edge.listening import BACKLOG, Place, listen, place_of
from server.edge.post import Post
from server.edge.sockets import Socket, library_log
from server.log import Log, Unfailing, open_log
from server.metrics import Counters, Exporter
from server.people.sessions import Sessions
from server.play import find_play, installed
from server.refusals import Goodbye
from server.store.glance import Glance
from server.store.port import Refused, Store
from server.store.private import make_folder
from server.tables.archive import Archive
from server.tables.lobby import Lobby
from server.tables.retirement import Retirement
from server.tables.timers import PULSE_SECONDS, Ticker
from server.trouble import NotStarted, reason_of
from server.upkeep import Upkeep
from server.usage import version

if TYPE_CHECKING:
    from socket import socket

    from websockets.http11 import Request, Response

_CHUNK = 64
"""Heartbeats sent before others get their turn."""
_CLOSE_SECONDS = 1.0
"""Time for aborted sockets to be gone."""
_GLANCE_SECONDS = 5.0
"""How long a started server looks at its database's file, beside its work."""


class App:
    """One running server."""

    def __init__(
        self, settings: Settings, store: Store, log: Log, ticker: Ticker | None = None
    ) -> None:
        self.settings = settings
        self.store = store
        self.log = log = Unfailing.around(log)
        self.counters = Counters()
        self.post = Post(log, self.counters)
        self.name = f"ra-online/{version()}"
        self.ticker = ticker or Ticker()
        self.age = Age(store, self.ticker)
        self.sessions = Sessions(settings, store, self.age)
        self.bots = BotRoom(settings)
        self.archive = Archive(store, settings.record_folder(), self.name, log)
        self.lobby = Lobby(
            settings, store, self.bots, self.counters, log, self.archive.save, self.ticker, self.age
        )
        tables = self.lobby.tables
        self.retirement = Retirement(settings, store, self.age, self.archive, tables, log)
        sweeps = (self.sessions.forget_old, self.retirement.sweep)
        self.upkeep = Upkeep(self.age, sweeps, self._fault)
        self.gate = Gate(settings)
        self.connections: set[Connection] = set()
        self._sockets: WeakSet[Socket] = WeakSet()
        """Every socket, from before its handshake on."""
        self.stuck = False
        """Whether the disk did not answer in time: a thread has to be left behind."""
        self.places: tuple[Place, ...] = ()
        """Where it listens, once it is started; all have the same port."""
        self._servers: list[Server] = []
        self._heart: asyncio.Task[None] | None = None
        self._pulse: asyncio.Task[None] | None = None
        self._exporter: Exporter | None = None
        self.glance: Glance | None = None
        """A look at its database to be taken once the server is started."""
        self.glancing: asyncio.Task[None] | None = None
        """That look, once it has begun."""
        self.admin: Listener | None = None
        """Where `ra-server admin` is answered."""

    async def start(self) -> None:
        """Bring every table back and listen; raises NotStarted if an address or the folder
        of records is not to be had, StoreError if the store cannot be read."""
        settings = self.settings
        for game in installed():
            try:
                find_play(game)  # loaded now, not when the first table is opened
            except Exception as error:
                self.log.error("game_broken", game=game, error=error)
        await self.age.start()
        await self.sessions.forget_some()  # a store that cannot is found out now
        await self.archive.prepare()
        await self.lobby.start(self.archive.note_saved)
        sockets = await asyncio.to_thread(listen, settings.host, settings.port)
        self.places = tuple(map(place_of, sockets))
        self._servers = [await self._listen(one) for one in sockets]
        if settings.metrics_port is not None:
            self._exporter = self._export(settings.metrics_port)
        self._heart = asyncio.create_task(self._beat())
        self.upkeep.begin(self.lobby.seats_known)  # whoever has a seat is remembered
        if self.admin is not None:
            await self.admin.open()
        self._pulse = asyncio.create_task(self._watch_time())
        if self.glance is not None:
            self.glancing = asyncio.create_task(self._look(self.glance))
        self.log.info("listening", port=self.port)

    @property
    def port(self) -> int:
        """The port that it listens on, once it is started."""
        return self.places[0].port

    async def _listen(self, listening: socket) -> Server:
        settings = self.settings
        server = await serve_sockets(
            self._serve,
            sock=listening,
            backlog=spare(settings),  # so many are taken at once, before they are counted
            origins=[None, *[Origin(origin) for origin in settings.origins]],
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression="deflate" if settings.compression else None,
            process_request=self._admit,
            server_header=None,
            open_timeout=settings.open_seconds,
            ping_interval=settings.ping_seconds,
            ping_timeout=settings.ping_seconds,
            close_timeout=settings.close_seconds,
            max_size=settings.message_bytes,
            # Beyond the outbox, so that the library never waits for a peer to read: its
            # ping and its close would wait for ever, without looking at their times.
            write_limit=2 * settings.outbox_bytes,
            logger=library_log(),
            create_connection=cast("type[ServerConnection]", self._accept),
        )
        listening.listen(BACKLOG)  # who waits to be taken costs us no file
        return server

    def _export(self, port: int) -> Exporter:
        gauges = {
            "connections": lambda: len(self.connections),
            "sessions": lambda: self.sessions.connected,
            "tables": lambda: len(self.lobby.tables),
            "bot_questions_waiting": lambda: self.bots.workers.waiting,
        }
        try:
            return Exporter(port, self.counters, gauges, self.log)
        except OSError as error:
            what = f"cannot show figures on 127.0.0.1:{port} (--metrics-port)"
            raise NotStarted(f"{what}: {reason_of(error)}") from None

    def _accept(self, *arguments: Any, **options: Any) -> Socket:
        socket = Socket(*arguments, gate=self.gate, settings=self.settings, **options)
        self._sockets.add(socket)
        return socket

    async def _serve(self, socket: ServerConnection) -> None:
        assert isinstance(socket, Socket)
        connection = Connection(self, socket)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)

    def _admit(self, socket: ServerConnection, request: Request) -> Response | None:
        assert isinstance(socket, Socket) and socket.address is not None
        if self.gate.full(socket.address):
            status, text = HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n"
        elif self.gate.crowded(socket.address):
            status, text = HTTPStatus.TOO_MANY_REQUESTS, "too many connections from there\n"
        else:
            return None
        self.counters.dropped += 1
        return socket.respond(status, text)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.settings.heartbeat_seconds)
            now = monotonic()
            for count, connection in enumerate(tuple(self.connections)):
                try:
                    connection.check_idle(now)
                    connection.heartbeat()
                except Exception as error:  # one connection's fault is no other's
                    self._fault("heartbeat_fault", error)
                if count % _CHUNK == _CHUNK - 1:
                    await asyncio.sleep(0)

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

    async def _look(self, glance: Glance) -> None:
        """Say in the log that the database is damaged, if a glance shows it."""
        if await asyncio.to_thread(glance.damaged):
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
            for server in self._servers:
                server.close(close_connections=False)
            await self._drain()
            await self._step(self._cut_off)
            await self._step(self.bots.stop)
            if self.admin is not None:
                await self._step(self.admin.close)
            if self._exporter is not None:
                await self._step(partial(asyncio.to_thread, self._exporter.close))
        finally:
            closed = await self._close_store()
            self.stuck = not closed or (self.glancing is not None and not self.glancing.done())
        if started:
            self.log.info("stopped")

    async def _step(self, step: Callable[[], Awaitable[object]]) -> None:
        """One step of the end: what goes wrong in it keeps no other from being taken."""
        try:
            await step()
        except Exception as error:
            self._fault("stop_fault", error)

    async def _end_tasks(self) -> None:
        await self.upkeep.end()
        every = (self._heart, self._pulse)
        tasks = [task for task in every if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.glance is not None:
            self.glance.end()  # waited for while the rest is drained

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._step(self._finish_tables)
                await self._step(self._say_goodbye)
                await self._step(self.archive.close)
                await self._step(self.age.keep)
                if self.glancing is not None:
                    # the store is to be the last that has the database open
                    await asyncio.wait([self.glancing])
        except TimeoutError:
            self.log.warning("drain_timeout", connections=len(self.connections))

    async def _cut_off(self) -> None:
        """Close what is open still, however it goes."""
        for one in tuple(self._sockets):
            if (transport := getattr(one, "transport", None)) is not None:
                transport.abort()  # also those that are still shaking hands
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                for server in self._servers:
                    await server.wait_closed()

    async def _close_store(self) -> bool:
        """Let the store finish: whether it did in time."""
        closing = asyncio.ensure_future(self.store.close())
        done, _ = await asyncio.wait([closing], timeout=self.settings.store_close_seconds)
        if not done:
            self.log.error("store_stuck")
            return False
        if (error := closing.exception()) is not None:
            self._fault("stop_fault", error)
        return True

    async def _finish_tables(self) -> None:
        """Let what is being stored be stored, for half of the time there is: a store that
        does not answer must not keep the others from being told."""
        try:
            async with asyncio.timeout(self.settings.drain_seconds / 2):
                await self.lobby.stop()
        except TimeoutError:
            self.log.warning("tables_unfinished")

    async def _say_goodbye(self) -> None:
        retry = max(int(self.settings.retry_seconds * 1000), 1)
        connections = tuple(self.connections)
        for connection in connections:
            try:
                connection.end(CloseCode.RESTART, Goodbye.RESTART, "the server restarts", retry)
            except Exception as error:  # the others are told all the same
                self._fault("stop_fault", error)
        await asyncio.gather(
            *[connection.closed() for connection in connections], return_exceptions=True
        )


def open_store(settings: Settings) -> Store:
    """The store that the settings name; raises server.store.port.Refused."""
    if settings.memory:
        from server.store.memory import MemoryStore

        return MemoryStore()
    from server.store.sqlite import SqliteStore

    path = settings.database()
    if not path.name:
        raise Refused("cannot_open", reason="no file name")
    try:
        make_folder(path.parent)
    except OSError as error:
        raise Refused("cannot_open", reason=reason_of(error)) from None
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
            app.glance = Glance(settings.database(), _GLANCE_SECONDS)
            answer = Requests(app.lobby, app.log).answer
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

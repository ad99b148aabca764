"""The settings of a server, as one frozen value. docs/settings.md is the same table in
words, and a test keeps the two equal.

`server.values` says what texts of values mean, `server.sharing` has the shares of what all use.
Knows no other part of the server, and not where values come from.
"""

# ruff: noqa: RUF009
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from attrs import Attribute, Factory, frozen

from server import values
from server.folders import data_folder
from server.sharing import Sharing
from server.values import setting


@frozen(kw_only=True)
class Settings:
    """Everything about a server that can be set. Times are in seconds."""

    # where it listens, and what it keeps

    host: tuple[str, ...] = setting(
        ("127.0.0.1",),
        "Addresses to listen on, several by commas: `::` for all of this machine, `0.0.0.0` for "
        "all that are IPv4, `localhost` for those that only this machine reaches",
        kind=values.hosts,
    )
    port: int = setting(8765, "TCP port; 0 takes a free one, which is printed", least=0, most=65535)
    db: Path | None = setting(
        None, "The database file (default: in the user's data folder)", kind=values.place
    )
    memory: bool = setting(False, "Keep everything in memory: nothing outlives the process")
    records: Path | None = setting(
        None,
        "Folder where the record of each finished match is saved "
        "(default: `records` beside the database)",
        kind=values.place,
    )
    retire_days: float | None = setting(
        None,
        "Days after its end after which a finished table leaves the database; its record stays "
        "(default: never)",
        breaks="`table_retired`",
        kind=float,
        least=0,
    )
    record_days: float | None = setting(
        None,
        "Days after that after which its record is deleted too, and its code may be given "
        "again (default: never)",
        breaks="`no_table`",
        kind=float,
        least=0,
    )
    log: str = setting("plain", "Log lines on stderr: off, plain or json", kind=values.log_form)
    metrics_port: int | None = setting(
        None, "Port on 127.0.0.1 with figures for Prometheus", kind=int, least=1, most=65535
    )
    origins: tuple[str, ...] = setting(
        (),
        "Web origins that may connect; programs, which send none, always may",
        breaks="HTTP 403",
        kind=values.origins,
    )

    # connections

    connections: int = setting(2000, "Connections at once", breaks="HTTP 503", least=1)
    connections_per_address: int = setting(
        200, "Connections at once from one address", breaks="HTTP 429", least=1
    )
    connects_per_address: int = setting(
        3000, "Connections opened in a minute from one address", breaks="HTTP 429", least=1
    )
    open_seconds: float = setting(
        8.0, "Time for the WebSocket handshake", breaks="the socket is closed", least=0.05
    )
    hello_seconds: float = setting(
        8.0, "Time to say Hello", breaks="1008 `hello_timeout`", least=0.05
    )
    hello_tries: int = setting(
        10,
        "Hellos that one connection may say until one is granted",
        breaks="1008 `flood`",
        least=1,
    )
    message_bytes: int = setting(
        16384, "Bytes in one message from a client", breaks="1009", least=1024, most=16384
    )
    message_fragments: int = setting(
        64, "Fragments of one message", breaks="1008 `fragments`", least=1
    )
    control_rate: float = setting(
        10.0,
        "Pings and pongs per second on one connection; ten seconds' worth at once",
        breaks="1008 `flood`",
        least=0.1,
    )
    compression: bool = setting(False, "Compress messages for clients that offer it")
    outbox_bytes: int = setting(
        1 << 20,
        "Bytes waiting for a client that does not read",
        breaks="1013 `too_slow`",
        least=4096,
    )
    message_rate: float = setting(
        100.0, "Messages per second of one session", breaks="`too_fast`", least=0.1
    )
    message_burst: int = setting(
        200, "Messages at once beyond that rate", breaks="`too_fast`", least=1
    )
    flood_messages: int = setting(
        300,
        "Messages of one connection refused as `too_fast`, beyond those granted meanwhile",
        breaks="1008 `flood`",
        least=1,
    )
    address_rate: float = setting(
        1000.0,
        "Messages per second from one address; five seconds' worth at once",
        breaks="`too_fast`",
        least=0.2,
    )
    chat_rate: float = setting(
        1.0, "Lines of chat per second of one session", breaks="`too_fast`", least=0.01
    )
    chat_burst: int = setting(
        8, "Lines of chat at once beyond that rate", breaks="`too_fast`", least=1
    )
    file_rate: float = setting(
        0.5,
        "Records, transcripts and long absences told per second of one session",
        breaks="`too_fast`; of an absence nothing is told",
        least=0.01,
    )
    file_burst: int = setting(
        10,
        "Such files and absences at once beyond that rate",
        breaks="`too_fast`; of an absence nothing is told",
        least=1,
    )
    heartbeat_seconds: float = setting(10.0, "Time between heartbeats", least=0.05, most=25)
    ping_seconds: float = setting(
        20.0, "Time between pings, and to answer one", breaks="1011", least=0.05
    )
    idle_seconds: float = setting(
        3600.0,
        "Time in which a connection that attends no table must say something",
        breaks="1008 `idle`",
        least=0.05,
    )
    close_seconds: float = setting(
        2.0, "Time for a client to answer a close", breaks="the socket is closed", least=0.05
    )

    # people

    name_cells: int = setting(20, "Cells of a name; the rest is cut", least=1, most=80)
    chat_cells: int = setting(300, "Cells of a line of chat; the rest is cut", least=1, most=2000)
    session_days: float = setting(
        180.0, "Days until an unused session is forgotten", breaks="a new session", least=1
    )
    new_sessions: int = setting(
        3000, "New sessions in a minute, of all clients", breaks="`too_fast`", least=1
    )
    new_sessions_per_address: int = setting(
        120, "New sessions in a minute from one address", breaks="`too_fast`", least=1
    )
    move_seconds: float = setting(
        300.0,
        "Time for which a code carries a session to another device",
        breaks="`no_move_code`",
        least=0.05,
    )
    move_tries: int = setting(
        10, "Wrong ones in a minute from one address", breaks="`too_fast`", least=1
    )
    move_tries_of_all: int = setting(
        3000, "Wrong ones in a minute, of all clients", breaks="`too_fast`", least=1
    )

    # tables

    tables: int = setting(
        10_000, "Tables that wait or are played", breaks="`too_many_tables`", least=1
    )
    create_rate: float = setting(
        1.0, "Tables opened or joined per second by one session", breaks="`too_fast`", least=0.01
    )
    create_burst: int = setting(
        60, "Tables opened or joined at once beyond that rate", breaks="`too_fast`", least=1
    )
    wake_rate: float = setting(
        1.0,
        "Tables read from their logs per second for one session",
        breaks="`too_fast`",
        least=0.01,
    )
    wake_burst: int = setting(
        60, "Tables read from their logs at once beyond that rate", breaks="`too_fast`", least=1
    )
    watchers: int = setting(100, "Spectators at one table", breaks="`too_many_watchers`", least=0)
    vote_seconds: float = setting(
        120.0,
        "Time a seat has to answer before the others may vote it absent, if its owner is gone",
        breaks="`too_soon`",
        least=0,
    )
    silent_seconds: float = setting(
        600.0,
        "The same, if its owner is connected and silent",
        breaks="`too_soon`",
        least=0,
    )
    invite_seconds: float = setting(
        86400.0,
        "Time an invitation to the seat of somebody absent is good for",
        breaks="`no_table`",
        least=1,
    )
    host_seconds: float = setting(
        60.0,
        "Time the host of a waiting table may be away before another takes over",
        breaks="another is the host",
        least=0,
    )
    waiting_seconds: float = setting(
        3600.0,
        "Time a waiting table may stand with nobody there",
        breaks="the table is closed",
        least=1,
    )
    abandoned_days: float = setting(
        30.0,
        "Days without an action, and with nobody there, of a game without a clock",
        breaks="the table is closed, its log kept",
        least=0.001,
    )
    inbox: int = setting(256, "Wishes waiting at one table", breaks="`busy`", least=1)
    list_tables: int = setting(
        200, "Tables in the answer to ListTables; the newest are shown", least=1, most=1000
    )
    table_entries: int = setting(
        20_000,
        "Entries of one table after which nobody joins it and nothing is taken back",
        breaks="`log_full`",
        least=1,
        most=100_000,  # a record of more than twice as many is not read (protocol/chain.py)
    )
    recent_entries: int = setting(
        32,
        "Entries of a table kept in memory for quick resuming; whoever comes with nothing is told "
        "these, but no more than `--resume-entries`",
        least=0,
        most=4096,
    )
    resume_entries: int = setting(
        500,
        "Entries told in a snapshot after resuming; beyond, the snapshot tells none. Also "
        "the most that are told to whoever comes with nothing",
        least=0,
        most=4096,
    )
    sleep_seconds: float = setting(
        30.0, "Time until a table that nobody attends leaves memory", least=0.05
    )
    bot_seconds: float = setting(
        10.0,
        "Time for a bot to choose; half of it may pass before a thinking one begins, if somebody "
        "is at the table, and it is told to come to an end after half of what is left",
        breaks="the default action is played; a quick bot chooses for one that could not begin",
        least=0.01,
        most=3600,
    )
    bot_workers: int | None = setting(
        None,
        "Processes in which bots think, started when they are needed (default: one less than "
        "the cores, at least one)",
        kind=int,
        least=1,
        most=64,
    )
    bot_questions: int = setting(
        1000,
        "Questions to thinking bots that wait at once",
        breaks="a quick bot chooses instead",
        least=1,
    )
    bot_budget: tuple[tuple[str, int], ...] = setting(
        (),
        "Games that a level plays on in thought for one decision, as `hard=1500`, several "
        "by commas (default: the level's own number)",
        kind=values.budgets,
    )
    bot_seed: str | None = setting(
        None,
        "What the bots' chance is made from: the same seed, table code and entries, the same "
        "choices; who knows it can foresee them (default: by chance at each start)",
        kind=str,
    )
    bot_threads: int = setting(2, "Threads in which quick bots choose", least=1, most=64)
    hints: bool = setting(
        False, "Tell those who play alone against bots what the best bot would do"
    )

    # the store

    store_queue: int = setting(
        4096, "Changes waiting for the disk", breaks="`store_unavailable`", least=1
    )
    store_lock_seconds: float = setting(
        0.4,
        "Time to wait while another program has the database locked; all tables wait",
        breaks="`store_unavailable`",
        least=0,
        most=60,
    )

    # the end

    drain_seconds: float = setting(
        3.0, "Time to finish when asked to stop", breaks="1006", least=0.1
    )
    store_close_seconds: float = setting(
        5.0,
        "Time for the store to finish after that",
        breaks="exit code 1, by force",
        least=0.05,
    )
    retry_seconds: float = setting(
        1.0, "Time a client should wait after a restart's notice", least=0
    )

    sharing: Sharing = Factory(Sharing)
    """What one session, or one address, may have of what all use."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """Settings with the values `given` by name, and defaults for the rest; raises
        ValueError, TypeError."""
        shared = {one.name for one in attrs.fields(Sharing)} & given.keys()
        own = {name: value for name, value in given.items() if name not in shared}
        return cls(**own, sharing=Sharing(**{name: given[name] for name in shared}))

    def database(self) -> Path:
        """Where the database is; raises NoHome if none is named and the user has no home."""
        if self.db is not None:
            return self.db
        return data_folder() / "tables.sqlite3"

    def record_folder(self) -> Path | None:
        """Where records are saved; None: nowhere (in memory, unless a folder is named)."""
        if self.records is not None or self.memory:
            return self.records
        return self.database().parent / "records"


def every_setting() -> tuple[Attribute[Any], ...]:
    """All that can be set, in the order of the page."""
    own = [one for one in attrs.fields(Settings) if one.name != "sharing"]
    return (*own, *attrs.fields(Sharing))

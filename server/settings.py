"""The settings of a server, as one frozen value. docs/settings.md shows the same table, and a
test keeps the two equal.

`server.values` says what the texts of values mean. Does not know where values come from, nor any
other part of the server.
"""

# ruff: noqa: RUF009
from __future__ import annotations

from pathlib import Path

from attrs import frozen

from server import values
from server.folders import data_folder
from server.values import setting


@frozen(kw_only=True)
class Settings:
    """Everything about a server that can be set. Times are in seconds unless a name says
    otherwise."""

    # where it listens, and what it keeps

    host: tuple[str, ...] = setting(
        ("127.0.0.1",),
        "Addresses to listen on, separated by commas: `::` for all of this machine, "
        "`0.0.0.0` for all IPv4 ones, `localhost` for those that only this machine reaches",
        kind=values.hosts,
    )
    port: int = setting(8765, "TCP port; 0 takes a free one, which is printed", least=0, most=65535)
    db: Path | None = setting(
        None, "The database file (default: in the user's data folder)", kind=values.place
    )
    memory: bool = setting(False, "Keep everything in memory: it is lost when the process ends")
    records: Path | None = setting(
        None,
        "Folder where the record of each finished match is saved "
        "(default: `records` beside the database)",
        kind=values.place,
    )
    retire_days: float | None = setting(
        None,
        "Days after its end until a finished table leaves the database; its record stays "
        "(default: never)",
        breaks="`table_retired`",
        kind=float,
        least=0,
    )
    record_days: float | None = setting(
        None,
        "Days after `--retire-days` until the record of a table is deleted too, and its code may "
        "be used again "
        "(default: never)",
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
        "Hellos that one connection may send until one is accepted",
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
        200, "Messages at once beyond `--message-rate`", breaks="`too_fast`", least=1
    )
    flood_messages: int = setting(
        300,
        "Messages of one connection refused as `too_fast`, beyond those accepted meanwhile",
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
        8, "Lines of chat at once beyond `--chat-rate`", breaks="`too_fast`", least=1
    )
    file_rate: float = setting(
        0.5,
        "Costly requests per second of one session: records, transcripts, hints, move codes, and "
        "reports of long absences",
        breaks="`too_fast`; no report of an absence is sent",
        least=0.01,
    )
    file_burst: int = setting(
        10,
        "Costly requests at once beyond `--file-rate`",
        breaks="`too_fast`; no report of an absence is sent",
        least=1,
    )
    heartbeat_seconds: float = setting(10.0, "Time between heartbeats", least=0.05, most=25)
    ping_seconds: float = setting(
        20.0, "Time between pings, and to answer one", breaks="1011", least=0.05
    )
    idle_seconds: float = setting(
        3600.0,
        "Time within which a connection that attends no table must send something",
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
        "Time for which a code can move a session to another device",
        breaks="`no_move_code`",
        least=0.05,
    )
    move_tries: int = setting(
        10, "Wrong move codes in a minute from one address", breaks="`too_fast`", least=1
    )
    move_tries_of_all: int = setting(
        3000, "Wrong move codes in a minute, of all clients", breaks="`too_fast`", least=1
    )

    # tables

    tables: int = setting(
        10_000, "Tables that wait or are played", breaks="`too_many_tables`", least=1
    )
    create_rate: float = setting(
        1.0,
        "Tables opened or joined, and invitations made, per second by one session",
        breaks="`too_fast`",
        least=0.01,
    )
    create_burst: int = setting(
        60,
        "Tables opened or joined, and invitations made, at once beyond `--create-rate`",
        breaks="`too_fast`",
        least=1,
    )
    wake_rate: float = setting(
        1.0,
        "Tables read from their logs per second for one session",
        breaks="`too_fast`",
        least=0.01,
    )
    wake_burst: int = setting(
        60,
        "Tables read from their logs at once beyond `--wake-rate`",
        breaks="`too_fast`",
        least=1,
    )
    watchers: int = setting(100, "Spectators at one table", breaks="`too_many_watchers`", least=0)
    vote_seconds: float = setting(
        120.0,
        "Time for a seat to answer before the others may vote it absent, if its owner is gone",
        breaks="`too_soon`",
        least=0,
    )
    silent_seconds: float = setting(
        600.0,
        "Time for a seat to answer before the others may vote it absent, if its owner is "
        "connected and silent",
        breaks="`too_soon`",
        least=0,
    )
    invite_seconds: float = setting(
        86400.0,
        "Time for which an invitation to the seat of somebody absent is valid",
        breaks="`no_table`",
        least=1,
    )
    host_seconds: float = setting(
        60.0,
        "Time for which the host of a waiting table may be away before somebody else takes over",
        breaks="somebody else becomes host",
        least=0,
    )
    waiting_seconds: float = setting(
        3600.0,
        "Time for which a waiting table may stand with nobody there",
        breaks="the table is closed",
        least=1,
    )
    abandoned_days: float = setting(
        30.0,
        "Days for which a game without a clock may stand with no action and nobody there",
        breaks="the table is closed, its log kept",
        least=0.001,
    )
    inbox: int = setting(256, "Requests waiting at one table", breaks="`busy`", least=1)
    list_tables: int = setting(
        200, "Tables in the answer to ListTables; the newest are shown", least=1, most=1000
    )
    table_entries: int = setting(
        20_000,
        "Entries of one table after which nobody can join it and nothing can be taken back",
        breaks="`log_full`",
        least=1,
        most=100_000,  # a record of more than twice as many is not read (protocol/chain.py)
    )
    recent_entries: int = setting(
        32,
        "Entries of a table kept in memory for quick resuming; newcomers are told these, "
        "but no more than `--resume-entries`",
        least=0,
        most=4096,
    )
    resume_entries: int = setting(
        500,
        "Entries told in a snapshot after resuming; if there are more, it tells none. Also "
        "the most that newcomers are told",
        least=0,
        most=4096,
    )
    sleep_seconds: float = setting(
        30.0, "Time until a table that nobody attends leaves memory", least=0.05
    )
    bot_seconds: float = setting(
        10.0,
        "Time for a bot to choose. Up to half of it may pass before a thinking bot begins, "
        "if somebody is at the table; the bot is told to finish after half of what is left",
        breaks="the default action is played; a quick bot chooses for a bot that could not begin",
        least=0.01,
        most=3600,
    )
    bot_workers: int | None = setting(
        None,
        "Processes in which bots think, started when needed (default: one less than there "
        "are cores, at least one)",
        kind=int,
        least=1,
        most=64,
    )
    bot_questions: int = setting(
        1000,
        "Questions to thinking bots that may wait at once",
        breaks="a quick bot chooses instead",
        least=1,
    )
    bot_budget: tuple[tuple[str, int], ...] = setting(
        (),
        "Games that a level plays out in thought for one decision, as `hard=1500`, "
        "separated by commas (default: the level's own number)",
        kind=values.budgets,
    )
    bot_seed: str | None = setting(
        None,
        "Seed of the bots' random choices: they are the same for the same seed, table code "
        "and entries, and anybody who knows the seed can foresee them (default: a new one "
        "at each start)",
        kind=str,
    )
    bot_threads: int = setting(2, "Threads in which quick bots choose", least=1, most=64)
    hints: bool = setting(
        False, "Tell people who play alone against bots what the best bot would do"
    )

    # the store

    store_queue: int = setting(
        4096, "Changes waiting for the disk", breaks="`store_unavailable`", least=1
    )
    store_lock_seconds: float = setting(
        0.4,
        "Time to wait while another program has the database locked; all tables wait meanwhile",
        breaks="`store_unavailable`",
        least=0,
        most=60,
    )

    # stopping

    drain_seconds: float = setting(
        3.0, "Time to finish after being asked to stop", breaks="1006", least=0.1
    )
    store_close_seconds: float = setting(
        5.0,
        "Time for the store to finish after `--drain-seconds`",
        breaks="exit code 1, by force",
        least=0.05,
    )
    retry_seconds: float = setting(
        1.0, "Time for which a client should wait after the notice of a restart", least=0
    )

    # what one session, or one address, may have of tables, seats and guesses; rates of one session
    # are above, with what they limit; so are `connections_per_address`, `connects_per_address`,
    # `address_rate`, `new_sessions_per_address` and `move_tries`

    tables_per_session: int = setting(
        20,
        "Open tables (they wait or are played) that one session opened",
        breaks="`too_many_tables`",
        least=1,
    )
    tables_per_new_session: int = setting(
        8,
        "Open tables that a session younger than `--new-session-seconds` opened",
        breaks="`too_many_tables`",
        least=1,
    )
    tables_per_address: int = setting(
        100,
        "Open tables that all sessions from one address opened together",
        breaks="`too_many_tables`",
        least=1,
    )
    seats_per_session: int = setting(
        50, "Open tables where one session has a seat", breaks="`too_many_tables`", least=1
    )
    seats_per_new_session: int = setting(
        12,
        "Open tables where a session younger than `--new-session-seconds` has a seat",
        breaks="`too_many_tables`",
        least=1,
    )
    seats_per_address: int = setting(
        200,
        "Seats at open tables that all sessions from one address have together",
        breaks="`too_many_tables`",
        least=1,
    )
    new_session_seconds: float = setting(
        3600.0, "Time after which a session is no longer new", least=0
    )
    give_way_seconds: float = setting(
        3600.0,
        "When there are `--tables` already: how long nobody was at a table, and nothing happened "
        "there, before it may be closed for a new one; 72 times as long if several people play",
        breaks="the table is closed, its log kept",
        least=1,
    )
    watchers_per_address: int = setting(
        40, "Spectators at one table from one address", breaks="`too_many_watchers`", least=0
    )
    people_per_address: int = setting(
        8,
        "How many sessions' rates one address has of chat, costly requests (`--file-rate`), "
        "tables opened or joined, invitations, and tables read from their logs",
        breaks="`too_fast`",
        least=1,
    )
    wrong_code_rate: float = setting(
        0.02,
        "Wrong codes of tables, records and invitations per second from one address",
        breaks="`too_many_codes`, and a wait before the next message is read",
        least=0.0001,
    )
    wrong_codes: int = setting(
        30,
        "Wrong codes of tables, records and invitations at once beyond `--wrong-code-rate`",
        breaks="`too_many_codes`",
        least=1,
    )

    def database(self) -> Path:
        """The path of the database; raises NoHome if none is set and the user has no home."""
        if self.db is not None:
            return self.db
        return data_folder() / "tables.sqlite3"

    def record_folder(self) -> Path | None:
        """The folder for records; None: they are not saved (in memory, unless one is set)."""
        if self.records is not None or self.memory:
            return self.records
        return self.database().parent / "records"

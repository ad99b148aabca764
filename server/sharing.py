"""The settings that say how much of what all use one session, or one address, may have.

Knows no other part of the server, except what a setting is made of (`server.values`).
"""

from __future__ import annotations

from attrs import frozen

from server.values import setting


@frozen(kw_only=True)
class Sharing:
    """The shares of what all use. Times are in seconds."""

    tables_per_session: int = setting(
        20,
        "Tables that wait or are played, opened by one session",
        breaks="`too_many_tables`",
        least=1,
    )
    tables_per_new_session: int = setting(
        8,
        "Such tables opened by a session younger than `--new-session-seconds`",
        breaks="`too_many_tables`",
        least=1,
    )
    tables_per_address: int = setting(
        100,
        "Such tables opened by the sessions of one address",
        breaks="`too_many_tables`",
        least=1,
    )
    seats_per_session: int = setting(
        50, "Such tables that one session sits at", breaks="`too_many_tables`", least=1
    )
    seats_per_new_session: int = setting(
        12,
        "Such tables that a session younger than `--new-session-seconds` sits at",
        breaks="`too_many_tables`",
        least=1,
    )
    seats_per_address: int = setting(
        200,
        "Seats at such tables of the sessions of one address",
        breaks="`too_many_tables`",
        least=1,
    )
    new_session_seconds: float = setting(
        3600.0, "Time after which a session is not new any more", least=0
    )
    give_way_seconds: float = setting(
        3600.0,
        "Time nobody was at a table, and nothing happened there, before it may give way to a new "
        "one because there are as many as `--tables`; 72 times as long where several people play",
        breaks="the table is closed, its log kept",
        least=1,
    )
    watchers_per_address: int = setting(
        40, "Spectators at one table from one address", breaks="`too_many_watchers`", least=0
    )
    people_per_address: int = setting(
        8,
        "Sessions' worth of chat, files, tables opened or joined, and tables read from their "
        "logs that one address may ask for",
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
        30, "Such codes at once beyond that rate", breaks="`too_many_codes`", least=1
    )

"""The tables of the SQLite store, as the steps from each version of the schema to the next: a new
database takes all of them, an older one those that it lacks.

A step is never changed once it is released; a change of the schema is another step. Does not know
what the rows mean.
"""

from __future__ import annotations

_FIRST = """
CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE
);
CREATE TABLE entries (
    stream INTEGER NOT NULL REFERENCES streams (id),
    number INTEGER NOT NULL CHECK (number > 0),
    body BLOB NOT NULL,
    chain BLOB NOT NULL,
    UNIQUE (stream, number)
);
CREATE TABLE directory (
    stream INTEGER PRIMARY KEY REFERENCES streams (id),
    game TEXT NOT NULL,
    phase INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    number INTEGER NOT NULL,
    deadline INTEGER,
    creator BLOB NOT NULL,
    create_id BLOB,
    updated INTEGER NOT NULL,
    UNIQUE (creator, create_id)
);
CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY,
    public BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
"""

_SECOND = """
ALTER TABLE directory ADD COLUMN ruleset TEXT;
ALTER TABLE directory ADD COLUMN seats INTEGER;
ALTER TABLE directory ADD COLUMN ran INTEGER NOT NULL DEFAULT 0;
ALTER TABLE directory ADD COLUMN saved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
CREATE TABLE seats (
    stream INTEGER NOT NULL REFERENCES streams (id),
    seat INTEGER NOT NULL,
    person BLOB,
    name TEXT NOT NULL,
    PRIMARY KEY (stream, seat)
) WITHOUT ROWID;
CREATE TABLE retired (
    code TEXT PRIMARY KEY,
    stream INTEGER,
    ran INTEGER NOT NULL,
    record TEXT
) WITHOUT ROWID;
CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ran INTEGER NOT NULL
);
INSERT INTO clock VALUES (1, 0);
DROP INDEX IF EXISTS sessions_by_seen;
CREATE INDEX sessions_by_used ON sessions (used);
CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
CREATE INDEX retired_by_ran ON retired (ran);
CREATE INDEX retired_unfinished ON retired (stream) WHERE stream IS NOT NULL;
CREATE INDEX directory_by_ran ON directory (phase, ran);
CREATE INDEX directory_open ON directory (stream) WHERE phase < 3;
CREATE INDEX directory_open_by_creator ON directory (creator) WHERE phase < 3;
CREATE INDEX directory_open_listed ON directory (stream) WHERE phase < 3 AND listed;
CREATE INDEX directory_open_unseated ON directory (stream) WHERE phase < 3 AND seats IS NULL;
CREATE INDEX directory_unsaved ON directory (stream) WHERE phase >= 3 AND NOT saved;
"""
"""No index holds what every entry changes (`number`, `deadline`, `updated`), so that an append uses
only the key. Tables in phases from 3 on have ended (`server.store.port.ENDED`)."""

STEPS = (_FIRST, _SECOND)
"""The first step makes version 1 from an empty database, each other one the next version."""

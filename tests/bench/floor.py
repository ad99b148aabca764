"""The floor that the load benchmark measures the server against: the least that a
durable table server in Python can do.

Bare asyncio `websockets`, plain dicts, deltas of about 20 bytes to three clients, one
SQLite row for each move with group commit; no engine, no checks, no sessions.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import msgpack
from websockets.asyncio.server import ServerConnection, serve

Move = tuple[int, int, bytes, asyncio.Future[None]]
"""Table, number, the message, and who waits for it to be on disk."""


def write(path: Path, moves: SimpleQueue[Move], loop: asyncio.AbstractEventLoop) -> None:
    """The writing thread: all moves that wait are one transaction."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute(
        "CREATE TABLE moves (id INTEGER PRIMARY KEY, tbl INTEGER, number INTEGER, body BLOB)"
    )
    while True:
        batch = [moves.get()]
        while not moves.empty():
            batch.append(moves.get())
        rows = [move[:3] for move in batch]
        database.execute("BEGIN")
        database.executemany("INSERT INTO moves (tbl, number, body) VALUES (?, ?, ?)", rows)
        database.execute("COMMIT")
        loop.call_soon_threadsafe(committed, batch)


def committed(batch: list[Move]) -> None:
    for move in batch:
        move[3].set_result(None)


async def main(path: Path) -> None:
    loop = asyncio.get_running_loop()
    moves: SimpleQueue[Move] = SimpleQueue()
    tables: dict[int, dict[str, Any]] = {}

    async def handler(connection: ServerConnection) -> None:
        first = await connection.recv()
        name, seat = msgpack.unpackb(first)
        fresh = {"number": 0, "score": [0, 0, 0], "peers": {}}
        table = tables.setdefault(name, fresh)
        table["peers"][seat] = connection
        await connection.send(msgpack.packb([4, 0]))
        async for data in connection:
            assert isinstance(data, bytes)
            _, _, _, command = msgpack.unpackb(data)
            number = table["number"] = table["number"] + 1
            table["score"][seat] += command[0]
            stored = loop.create_future()
            moves.put((name, number, data, stored))
            await stored
            delta = [5, number, [[[33, seat]], [5, [seat * 4, table["score"][seat]]]], None]
            message = msgpack.packb(delta)
            for peer in table["peers"].values():
                await peer.send(message)

    threading.Thread(target=write, args=(path, moves, loop), daemon=True).start()
    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        print(f"port {next(iter(server.sockets)).getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", type=Path, required=True)
    asyncio.run(main(parser.parse_args().db))

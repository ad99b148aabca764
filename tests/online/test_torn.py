"""Files that a disk has torn: a server over them starts, and refuses what it cannot read,
or says in one line why it does not; it never falls over."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from protocol.messages import (
    VERSION,
    Hello,
    ListTables,
    Refused,
    Snapshot,
    Tables,
    Watch,
    Welcome,
)
from server.store.port import StoreError
from tests.server.peer import QUIET, peer, server
from tests.server.test_check import CODES, fill

PAGE = 2048
SEED = 11


def torn(whole: bytes, rng: random.Random) -> Iterator[bytes]:
    """The file with damage of each kind to each page."""
    for at in range(0, len(whole), PAGE):
        page = bytearray(whole[at : at + PAGE])
        for _ in range(8):
            page[rng.randrange(len(page))] = rng.randrange(256)
        for instead in (bytes(page), bytes(PAGE), rng.randbytes(PAGE)):
            yield whole[:at] + instead + whole[at + PAGE :]
        if at:
            yield whole[:at]


async def test_a_server_over_a_torn_file_starts_or_says_why_not(tmp_path: Path) -> None:
    path = tmp_path / "whole.db"
    await fill(path)
    rng = random.Random(SEED)
    files = list(torn(path.read_bytes(), rng))
    answers = {"ok": 0, "table_damaged": 0, "no_table": 0, "refused": 0}
    for n, data in enumerate(rng.sample(files, 20)):
        path = tmp_path / f"{n}.db"
        path.write_bytes(data)
        settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
        try:
            async with server(settings) as app, peer(app, None) as ann:
                hello = Hello(VERSION, "tests/1", (), "en", "Ann", None)
                if isinstance(await ann.ask(hello, (Welcome, Refused)), Refused):
                    answers["refused"] += 1  # no session can be kept
                    continue
                for code in CODES:
                    answer = await ann.ask(Watch(code, 0), (Snapshot, Refused))
                    answers[answer.code if isinstance(answer, Refused) else "ok"] += 1
                await ann.ask(ListTables(), Tables)
                assert app.counters.faults == 0
        except StoreError:
            answers["refused"] += 1
    assert answers["ok"] > 3 and answers["table_damaged"] > 3 and answers["refused"], answers

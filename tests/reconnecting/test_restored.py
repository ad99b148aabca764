"""C27: whoever saw moves that a server put back to an earlier state does not have is told, once:
by the plain client, on the screen and in the log of the game."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from client.dial.address import parse_address
from client.join.session_keeper import SessionKeeper
from client.join.session_store import SessionStore
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.state.events import Attended, Departed, Forgotten, Greeted, RequestRefused, Rewound
from engine.deal import Chance
from engine.game import Setup
from protocol.messages import Snapshot
from server.app import App
from server.settings import Settings
from tests.client.joined import RESUMED, Joined
from tests.client.online import Online
from tests.client.seated import Seated
from tests.client.state.test_restored import of_kind
from tests.client.typed_runs import run, typist
from tests.games import open_table, seed
from tests.process.serving import server_process
from tests.server.peer import server

# the conversation


def test_the_screen_tells_it_and_the_log_keeps_it() -> None:
    seated = Seated()
    joined = seated.joined
    old, number = joined.views(), joined.played.stream.number
    moves = joined.played.moves(Chance(seed(3)))
    for _ in range(6):
        joined.step(next(moves))
    seen = joined.played.stream.number
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Snapshot(number, 0, *old, ()))
    words = f"steps {number + 1} to {seen} are gone"
    assert words in " ".join(seated.screen(100).split())
    assert [words in line.text for line in seated.state.timeline.log].count(True) == 1
    assert seated.state.behind == 0
    # What comes in the place of what is gone is told, although its numbers are not new.
    before = len(seated.state.timeline.log)
    fresh = open_table("ra", Setup("standard", 3), number=5)
    again = Joined(fresh, 0, joined.conversation)
    again.public, again.private = again.views()
    for entry, _ in zip(fresh.moves(Chance(seed(4))), range(3), strict=False):
        again.step(entry)
    assert seated.state.conversation.model.scene is not None
    assert seated.state.conversation.model.scene.number == number + 3
    seated.state.tick(1e6)
    assert len(seated.state.timeline.log) > before


# whole servers, put back


@asynccontextmanager
async def running(folder: Path, port: int = 0) -> AsyncIterator[App]:
    settings = Settings(port=port, db=folder / "ra.db", log="off", retry_seconds=0.01)
    async with server(settings) as app:
        yield app


async def stepped(client: Online, count: int) -> None:
    goal = client.scene.number + count
    while client.scene.number < goal:
        await client.until(lambda: client.scene.mine and not client.conversation.requests.commands)
        client.answer()
        await client.until(lambda: not client.conversation.requests.commands)


async def test_a_server_restored_from_a_backup_of_a_running_game(tmp_path: Path) -> None:
    database, backup = tmp_path / "ra.db", tmp_path / "backup"
    async with running(tmp_path) as app:
        port = app.port
        client = Online(port)
        client.running = asyncio.create_task(client.link.run())
        client.conversation.requests.create("ra", "standard", 2, bots=("random",))
        await client.until(lambda: client.conversation.model.scene and client.scene.mine)
    shutil.copy(database, backup)
    old = client.scene.number
    async with running(tmp_path, port):
        await client.until(lambda: client.conversation.online)
        await stepped(client, 5)
        await client.until(lambda: client.scene.mine)
    seen = client.scene.number
    assert not of_kind(client.changes, Rewound), "a restart takes nothing back"
    shutil.copy(backup, database)
    async with running(tmp_path, port):
        told = await client.heard(Rewound)
        assert (told.seen, told.now) == (seen, old)
        await stepped(client, 4)
    async with running(tmp_path, port):
        before = len(client.changes)
        await client.heard(Attended, before)
        assert len(of_kind(client.changes, Rewound)) == 1
        client.link.stop()
        await client.running


async def test_a_backup_without_the_table_and_without_the_session(tmp_path: Path) -> None:
    database, empty, known = (tmp_path / name for name in ("ra.db", "empty", "known"))
    async with running(tmp_path) as app:
        port = app.port
    shutil.copy(database, empty)
    tokens: list[bytes] = []
    conversation = Conversation(
        Identity("test", "Anna"), keep_token=lambda token, _: tokens.append(token)
    )
    async with running(tmp_path, port):
        client = Online(port, conversation=conversation)
        client.running = asyncio.create_task(client.link.run())
        await client.until(lambda: client.conversation.online)
    shutil.copy(database, known)
    async with running(tmp_path, port):
        await client.until(lambda: client.conversation.online)
        client.conversation.requests.create("ra", "standard", 2, bots=("random",))
        await client.until(lambda: client.conversation.model.scene and client.scene.mine)
        code = client.scene.table.code
    shutil.copy(known, database)
    async with running(tmp_path, port):
        refused = await client.heard(RequestRefused)
        assert refused.text.startswith(f"table {code} is not on the server any more")
        assert await client.heard(Departed) == Departed(code)
        assert not of_kind(client.changes, Forgotten)
    shutil.copy(empty, database)
    async with running(tmp_path, port):
        assert await client.heard(Forgotten) == Forgotten("Anna")
        assert len(tokens) == 2
        client.link.stop()
        await client.running
    again = Online(port, conversation=Conversation(Identity("test", "Anna", tokens[0])))
    async with running(tmp_path, port):
        again.running = asyncio.create_task(again.link.run())
        assert await again.heard(Forgotten) == Forgotten("Anna"), "a new program knew it too"
        again.link.stop()
        await again.running


async def test_who_is_new_or_comes_by_a_code_was_never_forgotten(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        first = Online(app.port)
        first.running = asyncio.create_task(first.link.run())
        await first.heard(Greeted)
        first.conversation.requests.get_move_code()
        from client.state.events import MoveCodeCame

        code = (await first.heard(MoveCodeCame)).code
        identity = Identity("test", "", code.encode(), carried=True)
        second = Online(app.port, conversation=Conversation(identity))
        second.running = asyncio.create_task(second.link.run())
        await second.heard(Greeted)
        for client in (first, second):
            assert not of_kind(client.changes, Forgotten)
            client.link.stop()
        await asyncio.gather(first.running, second.running, return_exceptions=True)


def test_a_session_that_the_server_has_forgotten_is_kept_still(tmp_path: Path) -> None:
    """It may only have been put back for a while."""
    storage = SessionStore(tmp_path, parse_address("example.org"))
    for token in (b"first", b"second"):
        SessionKeeper(storage, "Anna", print).keep(token, "Anna")
    kept, before = storage.load("Anna"), storage.load("Anna (before)")
    assert kept is not None and before is not None
    assert (kept.token, before.token) == (b"second", b"first")


async def test_the_plain_client_tells_it(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    async with server_process(tmp_path / "server", "--retry-seconds", "0") as serving:
        where = f"127.0.0.1:{serving.port}"
        async with typist(tmp_path, where, "--plain", "--name", "Anna") as anna:
            await anna.line("^link: connected")
            await anna.type("create seats=2 bots=random", "^your ")
            await serving.terminate()
            shutil.copy(serving.database, tmp_path / "backup")
            await serving.start()
            await anna.line("^table: ")
            choice = await anna.type("choices", "^choice: (.+)")
            assert choice is not None
            await anna.type(choice[1], "^ok ")
            await anna.line("^your ")
            await serving.terminate()
            shutil.copy(tmp_path / "backup", serving.database)
            await serving.start()
            await anna.line("^restored: The server was put back to an earlier state: step")
            await anna.line("^your ")
            choice = await anna.type("choices", "^choice: (.+)")
            assert choice is not None
            await anna.type(choice[1], "^ok ")
            await anna.line("^your ")
            assert await anna.end() == 0
            assert sum(line.startswith("restored:") for line in anna.lines) == 1
            code = next(line.split()[1] for line in anna.lines if line.startswith("table: "))
        await serving.terminate()
        shutil.copy(tmp_path / "backup", serving.database)
        await serving.start()
        for told in (1, 0):
            done = await run(tmp_path, where, code, "--plain", "--name", "Anna", typed="quit\n")
            assert sum(line.startswith("restored:") for line in done.out) == told

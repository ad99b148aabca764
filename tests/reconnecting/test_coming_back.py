"""A client that was killed and started again knows what has happened at its table."""

from __future__ import annotations

from attrs import evolve

from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.plain.printer import Printer
from client.screen.timeline import Timeline
from client.state.events import Attended, Stepped
from tests.client.online import Online, online
from tests.server.peer import QUIET, server


async def test_after_a_kill_the_log_is_not_empty() -> None:
    """What a new process is told of its table is, word for word, what the one before it was
    told last; and the table told once more tells nothing twice."""
    tokens: list[bytes] = []
    async with server(evolve(QUIET, recent_entries=12)) as app:
        conversation = Conversation(
            Identity("test", "Anna"), keep_token=lambda token, _: tokens.append(token)
        )
        async with online(app.port, "Anna", conversation) as anna:
            opener = Opener(anna.conversation, Opening())
            anna.conversation.listeners.insert(0, opener)
            opener.open(NewTable("ra", "standard", 2, bots=("random",)))
            await anna.until(lambda: anna.conversation.model.scene and anna.scene.mine)
            while anna.scene.number < 40 and not anna.scene.over:
                await anna.until(
                    lambda: anna.scene.mine and not anna.conversation.requests.commands
                )
                anna.answer()
                await anna.until(lambda: not anna.conversation.requests.commands)
            await anna.until(lambda: anna.scene.mine)
            before, code = told(anna), anna.scene.table.code
        again = Conversation(Identity("test", "Anna", tokens[-1]))
        async with online(app.port, "Anna", again) as anna:
            anna.conversation.requests.watch(code)
            attended = await anna.heard(Attended)
            assert len(attended.missed) == 12
            known = told(anna)
            assert known and before[-len(known) :] == known
            assert [number for number, _ in anna.conversation.model.log] == [
                n for n, _ in attended.missed
            ]
            story = Timeline(anna.conversation.model)
            story.hear(attended)
            assert [f"#{line.number} {line.text}" for line in story.log] == known
            count = len(anna.changes)
            anna.conversation.requests.watch(code)
            assert (await anna.heard(Attended, count)).missed == ()


def told(client: Online) -> list[str]:
    """The lines about what happened at the table."""
    printer = Printer(client.conversation.model)
    news = [change for change in client.changes if isinstance(change, Attended | Stepped)]
    lines = [line for change in news for line in printer.tell(change)]
    return [line for line in lines if line.startswith("#")]

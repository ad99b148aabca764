"""B05: the link is lost between an action and its answer, and the action is sent again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.entry import Command
from protocol.messages import Accepted, Act, Refused, Snapshot, Watch
from tests.process.player import RA, WIRE, Player, connected, fresh_id, three_players
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored
from tests.server.peer import Peer


async def answer(peer: Peer, id: bytes) -> Accepted | Refused:
    """What comes for the command `id`."""
    while True:
        message = await peer.receive()
        if isinstance(message, Accepted | Refused) and message.id == id:
            return message


async def resend(player: Player, server: ServerProcess, act: Act) -> Accepted | Refused:
    """Come back as `player` and send `act` again."""
    async with connected(server, "", player.token) as peer:
        await peer.watch(player.code)
        await peer.send(act)
        return await answer(peer, act.id)


async def asked(players: Sequence[Player], server: ServerProcess) -> tuple[Player, int, Any]:
    """The player whose prompt is open, its token, and the prompt."""
    async with connected(server, "Onlooker") as peer:
        snapshot = await peer.ask(Watch(players[0].code, 0), Snapshot)
        ((seat, token, prompt),) = snapshot.public[2]
        return players[seat], token, WIRE.prompt.unpack(prompt)


def choices(prompt: Any) -> list[Any]:
    made: list[Command] = list(RA.choices(prompt))
    return [WIRE.command.pack(command) for command in made]


async def test_b05_an_action_without_answer_is_sent_again_and_happens_once(
    tmp_path: Path,
) -> None:
    """B05: cut before the answer, resume, send again; kill -9, restart, send again."""
    async with server_process(tmp_path) as server:
        players = await three_players(server, 5)
        code = players[0].code
        actor, token, prompt = await asked(players, server)
        ways = choices(prompt)
        act = Act(fresh_id(), token, ways[0])
        async with connected(server, "Onlooker") as onlooker:
            number = (await onlooker.watch(code)).number + 1
            async with connected(server, "", actor.token) as peer:
                await peer.watch(code)
                await peer.send(act)
                # Stored and told to others, while its sender hears nothing, and never will.
                while onlooker.number < number:
                    await onlooker.receive()
                peer.socket.transport.abort()
        assert await resend(actor, server, act) == Accepted(act.id, number)
        await server.kill()
        await server.start()
        assert await resend(actor, server, act) == Accepted(act.id, number)
        assert await resend(actor, server, act) == Accepted(act.id, number)

        other = await resend(actor, server, Act(act.id, token, ways[1]))
        assert isinstance(other, Refused) and other.code == "id_reused"

        # Somebody else's id is somebody else's.
        next_actor, next_token, next_prompt = await asked(players, server)
        assert next_actor is not actor
        same_id = Act(act.id, next_token, choices(next_prompt)[0])
        assert await resend(next_actor, server, same_id) == Accepted(act.id, number + 1)
        assert await resend(actor, server, act) == Accepted(act.id, number)

        entries = stored(server.database, code)
        assert [entry.number for entry in entries if entry.id == act.id] == [number, number + 1]
        assert len(entries) == number + 1


async def test_b05_what_never_arrived_is_done_when_it_is_sent_again(tmp_path: Path) -> None:
    """B05: the other half: an action that was lost on its way is not lost for good."""
    async with server_process(tmp_path) as server:
        players = await three_players(server, 6)
        actor, token, prompt = await asked(players, server)
        act = Act(fresh_id(), token, choices(prompt)[0])
        before = len(stored(server.database, actor.code))
        await server.kill()
        await server.start()
        assert await resend(actor, server, act) == Accepted(act.id, before + 1)


async def test_b05_opening_a_table_twice_gives_one_table(tmp_path: Path) -> None:
    """B05, for tables: the same id of the same person, also after kill -9."""
    async with server_process(tmp_path) as server:
        id, codes, token = fresh_id(), set(), None
        for _ in range(3):
            async with connected(server, "Ann" if token is None else "", token) as peer:
                token = peer.token
                for _ in range(2):
                    codes.add(await peer.create(id=id, nonce=bytes(16)))
            await server.kill()
            await server.start()
        assert len(codes) == 1

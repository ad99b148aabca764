"""A client written from docs/protocol.md alone: it imports `websockets`, `msgpack` and
the standard library, nothing of this project, and reads with msgpack's defaults.

    python raw_client.py HOST:PORT

Two people and a bot play a whole game of Raja and one of Ra, watched by a third; on the way
they do all that the page describes. Prints one JSON object; any surprise is an exception.
"""

# mypy: ignore-errors
# It stands for a client in another language: no types of ours, and none of its own.
import asyncio
import json
import os
import random
import sys
from itertools import count

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

HELLO, CREATE, LIST, JOIN, WATCH, LEAVE, START, CLOSE, ACT, SAY, BEAT = range(1, 12)
GET_TRANSCRIPT, GET_RECORD, VOTE, RETURN, INVITE, GET_MOVE_CODE, ASK_HINT = range(12, 19)
(WELCOME, TOO_OLD, TABLES, SNAPSHOT, UPDATE, ACCEPTED, PRESENCE, SAID, REFUSED, HEARTBEAT,
 TRANSCRIPT, RECORD, LEFT, CLOSING, INVITATION, MOVE_CODE, HINT) = range(1, 18)  # fmt: skip
TURN, BID, DISCARD = 32, 33, 34
CHARACTER, REPLACEMENT, FOUND, CHOOSE, RAJA_TURN = 32, 33, 34, 35, 36
OVER = 3
BANK, SUBSTITUTE = 1, 3

heard = set()
"""Tags of all messages received, by anybody."""


def changed(tree, delta):
    """The tree that a delta makes of a tree (Views and deltas)."""
    if delta and delta[0] == 3:
        return delta[1]
    items = list(tree) if delta else tree
    for key, argument in zip(delta[::2], delta[1::2], strict=True):
        index, operation = divmod(key, 4)
        if operation == 0:
            items[index] = argument
        elif operation == 1:
            items[index] = changed(items[index], argument)
        else:
            items[index : index + argument[0]] = argument[1:]
    return items


class Client:
    """One connection after another of one session."""

    def __init__(self, address, name):
        self.address, self.name = address, name
        self.token = None
        self.ids = count(1)
        self.code = None
        self.number = 0
        self.seat = self.public = self.private = self.host = None
        self.snapshots = 0
        self.said = []

    async def connect(self, version=2):
        self.socket = await connect(
            f"ws://{self.address}/", subprotocols=["ra.v1"], compression=None
        )
        assert self.socket.subprotocol == "ra.v1"
        await self.say(HELLO, version, "raw 1", [], "en", self.name, self.token)
        answer = await self.hear(WELCOME if version else TOO_OLD)
        assert not version or answer[0] == version, "the version that both speak"
        return answer

    async def say(self, *message):
        await self.socket.send(msgpack.packb(message))

    async def command(self, tag, *fields):
        """Say a command with a fresh id; the id."""
        id = next(self.ids).to_bytes(4, "big") + os.urandom(4)
        await self.say(tag, id, *fields)
        return id

    async def hear(self, *tags):
        """Messages, until one has one of the tags: that one's fields."""
        async with asyncio.timeout(20):
            return await self._hear(tags)

    async def _hear(self, tags):
        while True:
            data = await self.socket.recv()
            assert type(data) is bytes, "all messages are binary"
            tag, *fields = message = msgpack.unpackb(data)
            assert msgpack.packb(message) == data, "and in the shortest form"
            heard.add(tag)
            self.note(tag, fields)
            if tag in tags:
                return fields

    def note(self, tag, fields):
        if tag == WELCOME:
            self.token = fields[3] or self.token
        elif tag == SNAPSHOT:
            self.number, self.seat, self.public, self.private, self.since, elapsed = fields[:6]
            (self.host,) = fields[6:] or (None,)  # not there before version 2
            assert elapsed == 0 or self.public[4] is not None, "no clock, no time"
            self.code = self.public[0][0]
            self.snapshots += 1
        elif tag == UPDATE:
            number, (_, delta), private = fields
            assert number == self.number + 1, "updates have no gaps"
            self.number = number
            self.public = changed(self.public, delta)
            if private is not None:
                self.private = changed(self.private, private[1])
        elif tag == HEARTBEAT:
            assert fields[0] == (self.number if self.code else 0)
        elif tag == SAID:
            self.said.append(fields)
        elif tag == LEFT:
            self.code = None

    @property
    def over(self):
        return self.public[0][5] == OVER

    def prompt(self):
        """The token and the content of our open prompt, if we are asked."""
        for seat, token, prompt in [*self.public[2], *self.private[1]]:
            if seat == self.seat:
                return token, prompt
        return None

    async def play(self, moves):
        """Answer prompts until `moves` are made or the match is over; the last answer
        given and the number of its entry."""
        last = None
        while moves and not self.over:
            prompt = self.prompt()
            if prompt is None:
                await self.hear(UPDATE, SNAPSHOT)
                continue
            token, content = prompt
            answer = (token, CHOOSE_BY_GAME[self.public[0][1]](content))
            id = await self.command(ACT, *answer)
            accepted, number = await self.hear(ACCEPTED)
            assert (accepted, number) == (id, self.number)
            last, moves = (id, answer, number), moves - 1
        return last


def choose_in_ra(prompt):
    """Any answer to a prompt of Ra."""
    kind, *rest = prompt
    if kind == TURN:
        draw, gods, takeable = rest
        if gods and random.random() < 0.5:
            return [34, takeable[:1]]
        return [32] if draw and random.random() < 0.8 else [33]
    if kind == BID:
        suns, may_pass = rest
        if suns and (not may_pass or random.random() < 0.4):
            return [35, random.choice(suns)]
        return [36]
    assert kind == DISCARD
    _, owed, held = rest
    tiles = [tile for tile, number in held for _ in range(number)]
    return [37, random.sample(tiles, owed)]


def choose_in_raja(prompt):
    """Any answer to a prompt of Raja; in a turn the sooner to build."""
    kind, *rest = prompt
    if kind in (CHARACTER, REPLACEMENT):
        return [32, random.choice(rest[0])]
    if kind == FOUND:
        return [33, random.choice(rest[0])]
    if kind == CHOOSE:
        chits = [action for action in range(9) if action not in (3, 6)]
        chit = random.choice(chits) if rest[0] else None
        return [34, [random.randrange(9), random.randrange(9)], chit]
    assert kind == RAJA_TURN
    (roads, gold, quarry, space, city, house, city_house, move, own, palace, sites, governor, give,
     take) = rest  # fmt: skip
    can = [[40, action, site] for action in palace for site in sites]
    can += [[38, action, place] for action in house for place in space]
    can += [[38, action, city] for action in city_house]
    can += [[36]] * gold + [[37]] * quarry
    if can:
        return random.choice(can)
    can += [[41, coat] for coat in governor]
    can += [[42, one, other] for one in give for other in take]
    can += [[39, action, a, b] for action in move for a in own for b in space if a != b]
    can += [[35, place] for place, fare in roads if fare < 2]
    return random.choice(can) if can and random.random() < 0.7 else [43]


CHOOSE_BY_GAME = {"ra": choose_in_ra, "raja": choose_in_raja}


async def closed(client):
    """The code that the server closes with."""
    try:
        while True:
            await client.hear()
    except ConnectionClosed as end:
        return end.rcvd.code


async def edges(address):
    """What ends a connection, and only that one."""
    old = Client(address, "Old")
    oldest, newest, _ = await old.connect(version=0)
    assert oldest <= newest
    assert await closed(old) == 4001
    for data, code in (("text", 1003), (b"\xc1", 1002), (b"\x81\x01\x02", 1002)):
        odd = Client(address, "Odd")
        await odd.connect()
        await odd.socket.send(data)
        await odd.hear(CLOSING)
        assert await closed(odd) == code


async def hosted(address):
    """A host without a seat comes back, knows that it is the host, and starts the match."""
    host, guest, old = [Client(address, name) for name in ("Hana", "Gus", "Olaf")]
    await host.connect()
    await guest.connect()
    await old.connect(version=1)
    await host.command(
        CREATE, "ra", "standard", [], 3, ["easy", "easy"], False, False, bytes(16), [0, 0, 0], 1
    )
    await host.hear(ACCEPTED)
    await host.hear(SNAPSHOT)
    code = host.code
    await host.socket.close()
    await host.connect()
    for one, told in ((host, True), (guest, False), (old, None)):
        await one.say(WATCH, code, 0)
        await one.hear(SNAPSHOT)
        assert (one.seat, one.public[0][7], one.host) == (None, None, told)
    await refused(guest, "not_host", START, b"start")
    await host.command(START)
    while host.public[1] is None:
        await host.hear(UPDATE)
    for one in (host, guest, old):
        await one.socket.close()


async def refused(client, codes, *message):
    await client.say(*message)
    id, code, facts, detail = await client.hear(REFUSED)
    assert code in codes.split(), (code, facts, detail)
    return id


async def absent(address):
    """Somebody does not act: time runs out, and another takes the seat by invitation."""
    players = ada, bob, eve = [Client(address, name) for name in ("Ada", "Bob", "Eve")]
    for one in players:
        await one.connect()
    await ada.command(
        CREATE,
        "ra",
        "standard",
        [],
        2,
        [],
        False,
        True,
        os.urandom(16),
        [BANK, 3000, 0],
        SUBSTITUTE,
    )
    await ada.hear(SNAPSHOT)
    await bob.command(JOIN, ada.code, os.urandom(16))
    while not bob.public or not any(out is not None for out in bob.public[0][14]):
        await bob.hear(SNAPSHOT, UPDATE)
    clocks, out = bob.public[4], bob.public[0][14]
    seat = out.index("")
    assert (clocks[seat], clocks[1 - seat]) == (0, 3000)
    asking = bob if bob.seat != seat else ada
    await asking.command(INVITE, seat)
    invited, code = await asking.hear(INVITATION)
    assert invited == seat
    await eve.command(JOIN, code, os.urandom(16))
    await eve.hear(SNAPSHOT)
    assert eve.seat == seat
    assert eve.public[4][seat] == 3000
    await moved(asking)
    await hinted(eve)


async def moved(client):
    """A session is carried to another device."""
    await client.say(GET_MOVE_CODE)
    code, _ = await client.hear(MOVE_CODE)
    other = Client(client.address, client.name)
    other.token = code.encode("ascii")
    await other.connect()
    assert other.token not in (code.encode("ascii"), client.token), "a token of its own"
    await other.say(WATCH, client.code, 0)
    await other.hear(SNAPSHOT)
    assert (await client.hear(CLOSING))[0] == "moved"
    assert await closed(client) == 4002
    assert other.seat == client.seat
    await other.socket.close()


async def hinted(client):
    """Ask for a hint, alone against a bot, and play it."""
    await client.command(
        CREATE, "ra", "standard", [], 2, ["easy"], False, True, os.urandom(16), [0, 0, 0], 1
    )
    await client.hear(SNAPSHOT)
    while client.prompt() is None:
        await client.hear(UPDATE, SNAPSHOT)
    id = await client.command(ASK_HINT)
    heard_of, token, command, _ = await client.hear(HINT)
    assert (heard_of, token) == (id, client.prompt()[0])
    await client.command(ACT, token, command)
    await client.hear(ACCEPTED)
    await client.socket.close()


async def raja(address):
    """Two people and a bot play Raja, watched by a third: who builds most palaces wins."""
    ada, bob, eve = everybody = [Client(address, name) for name in ("Ada", "Bob", "Eve")]
    for one in everybody:
        await one.connect()
    game = ["raja", "yogi", [], 3, ["random"], False, True]
    await ada.command(CREATE, *game, os.urandom(16), [0, 0, 0], 1)
    await ada.hear(SNAPSHOT)
    await eve.say(WATCH, ada.code, 0)
    await eve.hear(SNAPSHOT)
    await bob.command(JOIN, ada.code, os.urandom(16))
    await bob.hear(SNAPSHOT)
    while ada.private is None:
        await ada.hear(SNAPSHOT, UPDATE)

    async def watched():
        while not eve.over:
            await eve.hear(UPDATE)
            for player in eve.public[1][9] if eve.public[1] else []:
                gold, chosen, actions, acted = player[5:]
                assert chosen or not (actions or acted)
                assert eve.over or gold is None

    await asyncio.gather(ada.play(10**6), bob.play(10**6), watched())
    for one in (ada, bob):
        while not one.over:
            await one.hear(UPDATE)
    assert ada.public == bob.public == eve.public
    players, (winner,) = ada.public[1][9], ada.public[1][13]
    assert ada.private[0][0] == players[ada.seat][5], "gold is shown at the end"
    for one in everybody:
        await one.socket.close()
    return {"palaces left": [player[4] for player in players], "winner": winner}


async def main(address):
    await edges(address)
    second = await raja(address)
    await absent(address)
    await hosted(address)
    ada, bob, eve = (Client(address, name) for name in ("Ada", "Bob", "Eve"))
    for one in (ada, bob, eve):
        await one.connect()

    game = ["ra", "standard", [], 3, ["easy"], True, True]
    create = [CREATE, os.urandom(8), *game, os.urandom(16), [0, 0, 0], 1]
    await ada.say(*create)
    await ada.hear(SNAPSHOT)
    assert (ada.seat, ada.private) == (0, None)
    assert await refused(ada, "no_table", JOIN, b"join", "NONE-99", bytes(16)) == b"join"
    await refused(ada, "no_table", WATCH, "NONE-99", 0)
    await refused(eve, "out_of_place", ACT, b"act", 1, [32])

    await bob.say(LIST)
    (rows,) = await bob.hear(TABLES)
    assert [ada.code, "ra", "standard", 1, 3, 2, ["Ada", "easy bot 3"]] in rows
    await bob.command(JOIN, ada.code, os.urandom(16))
    await bob.hear(SNAPSHOT)
    await eve.say(WATCH, ada.code, 0)
    await eve.hear(SNAPSHOT)
    assert (eve.seat, eve.private) == (None, None)
    while ada.private is None:
        await ada.hear(SNAPSHOT, UPDATE)

    await ada.say(SAY, "Good luck!")
    for one in (ada, bob, eve):
        if not one.said:
            await one.hear(SAID)
        assert one.said == [[0, "Ada", "Good luck!"]]
    await refused(eve, "not_seated", ACT, b"act", 1, [32])

    async def bobs_game():
        id, answer, number = await bob.play(5)
        await bob.socket.close()
        await bob.connect()
        await bob.say(WATCH, ada.code, bob.number)
        await bob.hear(SNAPSHOT)
        assert [one[0] for one in bob.since] == list(range(number + 1, bob.number + 1))
        await bob.say(ACT, id, *answer)
        assert (await bob.hear(ACCEPTED)) == [id, number], "the original answer"
        await refused(bob, "id_reused", ACT, id, answer[0], [36] if answer[1] != [36] else [33])
        await bob.play(10**6)

    async def adas_game():
        await ada.play(3)
        await refused(ada, "stale_prompt no_prompt", ACT, b"late", 10**6, [32])
        await ada.say(BEAT)
        await ada.hear(HEARTBEAT)
        await ada.play(10**6)

    async def eves_view():
        while not eve.over:
            await eve.hear(UPDATE)

    await asyncio.gather(adas_game(), bobs_game(), eves_view())
    for one in (ada, bob, eve):
        while not one.over:
            await one.hear(UPDATE)
        followed = one.public, one.private
        await one.say(WATCH, one.code, 0)
        await one.hear(SNAPSHOT)
        assert (one.public, one.private) == followed, "what was followed is what is"
    assert ada.public == bob.public == eve.public

    code = ada.code
    await ada.say(GET_TRANSCRIPT)
    assert (await ada.hear(TRANSCRIPT))[0] == code
    await ada.say(GET_RECORD, code)
    assert (await ada.hear(RECORD))[0] == code
    await ada.hear(PRESENCE) if PRESENCE not in heard else None
    await ada.command(LEAVE)
    assert await ada.hear(LEFT) == [code]
    board = ada.public[1]
    print(json.dumps({
        "heard": sorted(heard),
        "entries": ada.number,
        "points": [player[3][0] for player in board[9]],
        "winners": board[11],
        "raja": second,
    }))  # fmt: skip
    for one in (ada, bob, eve):
        await one.socket.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

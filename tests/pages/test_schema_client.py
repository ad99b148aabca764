"""A client that knows the protocol from docs/protocol.schema.json alone: it finds every field
by its name there, takes rulesets, seats and bots from there, and holds every message to it."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.delta import apply
from tests.patience import PATIENCE
from tests.protocol import page
from tests.protocol.test_schema import fits
from tests.server.peer import QUIET, server

SCHEMA: dict[str, Any] = json.loads(page.SCHEMA.read_text("utf-8"))
GAMES: dict[str, Any] = SCHEMA["games"]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return schema


def member(union: dict[str, Any], name: str) -> dict[str, Any]:
    """The definition of one class of a union."""
    return next(one for one in map(resolved, union["oneOf"]) if one["title"] == name)


def tag(definition: dict[str, Any]) -> int:
    found: int = definition["prefixItems"][0]["const"]
    return found


def place(definition: dict[str, Any], name: str) -> int:
    """Where a field of a class stands."""
    return [item.get("title") for item in definition["prefixItems"]].index(name)


def part(tree: Any, definition: dict[str, Any], name: str) -> tuple[Any, dict[str, Any]]:
    """A field of a tree, and what it is."""
    at = place(definition, name)
    kind = definition["prefixItems"][at]
    kind = next((one for one in kind.get("anyOf", ()) if one.get("type") != "null"), kind)
    return tree[at], resolved(kind)


def message(union: dict[str, Any], title: str, /, **fields: Any) -> tuple[Any, ...]:
    """A message, its fields by name."""
    definition = member(union, title)
    names = [item["title"] for item in definition["prefixItems"][1:]]
    made = (tag(definition), *(fields.pop(name) for name in names))
    assert not fields, "no other field is there"
    return made


def value(definition: dict[str, Any], name: str) -> int:
    """The value of an enum that has the name."""
    found: int = definition["enum"][definition["x-names"].index(name)]
    return found


def answer_of_ra(words: dict[str, Any], kind: dict[str, Any], prompt: Any) -> tuple[Any, ...]:
    """Draw while that is allowed, else invoke Ra; bid nothing, or the highest sun where something
    has to be bid; give up the first tiles."""
    command = words["command"]
    if kind["title"] == "TurnPrompt":
        return message(command, "Draw" if prompt[place(kind, "draw")] else "InvokeRa")
    if kind["title"] == "DiscardPrompt":
        held = [tile for tile, count in prompt[place(kind, "held")] for _ in range(count)]
        return message(command, "Discard", give=tuple(held[: prompt[place(kind, "count")]]))
    if prompt[place(kind, "may_pass")]:
        return message(command, "Pass")
    return message(command, "Bid", sun=prompt[place(kind, "suns")][-1])


def answer_of_raja(words: dict[str, Any], kind: dict[str, Any], prompt: Any) -> tuple[Any, ...]:
    """Take and found the first there is; choose to build a house and to take gold; build it where
    that is allowed first, take the gold, and end the turn."""
    command = words["command"]
    chosen = resolved(member(command, "BuildHouse")["prefixItems"][1])
    house, gold = value(chosen, "HOUSE"), value(chosen, "GOLD")
    if kind["title"] in ("CharacterPrompt", "ReplacementPrompt"):
        return message(command, "TakeCharacter", character=prompt[place(kind, "take")][0])
    if kind["title"] == "FoundPrompt":
        return message(command, "FoundHouse", village=prompt[place(kind, "villages")][0])
    if kind["title"] == "ChoosePrompt":
        return message(command, "ChooseActions", actions=(gold, house), chit=None)
    if house in prompt[place(kind, "house")]:
        space = prompt[place(kind, "space")]
        return message(command, "BuildHouse", action=house, place=space[0])
    return message(command, "TakeGold" if prompt[place(kind, "gold")] else "EndTurn")


ANSWERS = {"ra": answer_of_ra, "raja": answer_of_raja}


class Client:
    """Speaks by the schema."""

    def __init__(self, socket: ClientConnection, game: str) -> None:
        self._socket = socket
        self._words = GAMES[game]
        self._answer = ANSWERS[game]
        self.public: Any = None
        self.private: Any = None
        self.seat: int | None = None

    async def say(self, title: str, /, **fields: Any) -> None:
        said = message(SCHEMA["from_client"], title, **fields)
        assert fits(said, SCHEMA["from_client"]), said
        await self._socket.send(msgpack.packb(said))

    async def hear(self, name: str) -> Any:
        """The next message of that name; views are kept."""
        while True:
            data = await self._socket.recv()
            heard = msgpack.unpackb(data, use_list=False)
            assert fits(heard, SCHEMA["from_server"]), heard
            kind = next(
                one for one in map(resolved, SCHEMA["from_server"]["oneOf"]) if tag(one) == heard[0]
            )
            assert kind["title"] not in ("Refused", "Closing"), heard
            self._keep(kind["title"], heard, kind)
            if kind["title"] == name:
                return heard

    def _keep(self, title: str, heard: Any, kind: dict[str, Any]) -> None:
        if title == "Snapshot":
            self.public, self.private = (heard[place(kind, name)] for name in ("public", "private"))
            self.seat = heard[place(kind, "seat")]
        elif title == "Update":
            self.public = apply(self.public, heard[place(kind, "public")][1])
            own = heard[place(kind, "private")]
            if own is not None:
                self.private = apply(self.private, own[1])
        if title in ("Snapshot", "Update"):
            assert fits(self.public, SCHEMA["public_view"])
            if self.board is not None:
                assert fits(self.board, self._words["public"])
            if self.private is not None:
                view = resolved(SCHEMA["private_view"])
                assert fits(self.private, view)
                assert fits(part(self.private, view, "match")[0], self._words["private"])

    @property
    def board(self) -> Any:
        return part(self.public, resolved(SCHEMA["public_view"]), "match")[0]

    @property
    def over(self) -> bool:
        table, kind = part(self.public, resolved(SCHEMA["public_view"]), "table")
        phase, names = part(table, kind, "phase")
        return bool(names["x-names"][names["enum"].index(phase)] == "OVER")

    def asked(self) -> tuple[int, Any] | None:
        """The token and the content of our prompt."""
        for tree, view in ((self.public, "public_view"), (self.private, "private_view")):
            if tree is None:
                continue
            prompts, kind = part(tree, resolved(SCHEMA[view]), "prompts")
            asked = resolved(kind["items"])
            for prompt in prompts:
                if part(prompt, asked, "seat")[0] == self.seat:
                    return part(prompt, asked, "token")[0], part(prompt, asked, "prompt")[0]
        return None

    async def act(self) -> None:
        """Answer our prompt."""
        found = self.asked()
        assert found is not None
        token, prompt = found
        union = self._words["prompt"]
        assert fits(prompt, union)
        kind = next(one for one in map(resolved, union["oneOf"]) if tag(one) == prompt[0])
        command = self._answer(self._words, kind, prompt)
        assert fits(command, self._words["command"])
        await self.say("Act", id=os.urandom(8), token=token, command=command)
        await self.hear("Accepted")


def connected(port: int) -> connect:
    subprotocols = [Subprotocol(SCHEMA["subprotocol"])]
    return connect(f"ws://127.0.0.1:{port}/", subprotocols=subprotocols, compression=None)


TABLES = [(game, ruleset) for game, words in GAMES.items() for ruleset in words["rulesets"]]


@pytest.mark.parametrize(("game", "ruleset"), TABLES)
async def test_every_ruleset_is_opened_and_a_game_is_played_by_the_schema(
    game: str, ruleset: str
) -> None:
    """The first ruleset to the end; of the others the first moves, with all options."""
    words = GAMES[game]
    whole = ruleset == next(iter(words["rulesets"]))
    seats = words["rulesets"][ruleset]["minSeats"]
    async with server(QUIET) as app, connected(app.port) as socket:
        client = Client(socket, game)
        async with asyncio.timeout(PATIENCE):
            await client.say(
                "Hello",
                version=SCHEMA["version"],
                client="schema 1",
                capabilities=(),
                locale="en",
                name="Ada",
                token=None,
            )
            await client.hear("Welcome")
            await client.say(
                "Create",
                id=os.urandom(8),
                game=game,
                ruleset=ruleset,
                options=() if whole else tuple(words["options"]),
                seats=seats,
                bots=(words["bots"][0],) * (seats - 1),
                listed=True,
                sit=True,
                nonce=os.urandom(16),
                clock=(0, 0, 0),
                absence=1,
            )
            await client.hear("Accepted")
            await client.hear("Snapshot")
            moves = 10**6 if whole else 5
            while moves and not client.over:
                if client.asked() is None:
                    await client.hear("Update")
                else:
                    await client.act()
                    moves -= 1
    assert client.over or not whole

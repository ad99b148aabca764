"""The protocol as JSON Schema, made from the message classes.

    python -m protocol.schema [GAME ...]

prints the messages of both directions and, for each installed game named, its rulesets
with the numbers of seats they allow, its options, its bots and its words.
Arrays of msgpack are arrays of JSON here; `bin` marks bytes, which JSON does not have,
and lengths of text count characters, of `bin` bytes; `x-since` is the version that added a
field, which a peer of an older one neither sends nor is sent. docs/protocol.schema.json holds
what it prints for the games of this software.

Each class has one definition in `$defs`. A message is `client.Hello` or `server.Welcome`; a word
of a game has the game's name before it (`GAME.Draw`), so that games may use the same words; all
else is of every game and has its bare name (`TableView`). Where two classes would still have one
name, the second is `NAME-2`. Knows no game by name.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args, get_origin

from engine.game import Game, find_game
from engine.table.words import COMMANDS, HAPPENINGS
from protocol.codec import MAX_DEPTH
from protocol.messages import (
    FROM_CLIENT,
    FROM_SERVER,
    MAX_FROM_CLIENT,
    MAX_FROM_SERVER,
    OLDEST_VERSION,
    SUBPROTOCOL,
    VERSION,
)
from protocol.session import SAID_BY_CLIENT, SAID_BY_SERVER, CloseCode, Grammar, State
from protocol.shapes import INT, is_class, is_enum, many, optional, split, wire_fields
from protocol.views import PrivateView, PublicView

Schema = dict[str, Any]
TAKE_BACK = 6
"""The one command of the kernel that is sent within a match."""


def schema(games: Iterable[Game[Any]]) -> Schema:
    """The schema of the protocol with what `games` add to it, by name."""
    made = _Definitions()
    document: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ra Online, the protocol between server and client",
        "version": VERSION,
        "oldest_version": OLDEST_VERSION,
        "subprotocol": SUBPROTOCOL,
        "max_bytes": {"from_client": MAX_FROM_CLIENT, "from_server": MAX_FROM_SERVER},
        "max_depth": MAX_DEPTH,
        "from_client": made.union("client", FROM_CLIENT),
        "from_server": made.union("server", FROM_SERVER),
        "public_view": made.shape(PublicView),
        "private_view": made.shape(PrivateView),
        "said_by_client": _grammar(SAID_BY_CLIENT),
        "said_by_server": _grammar(SAID_BY_SERVER),
        "close_codes": {code.name: code.value for code in CloseCode},
        "games": {game.name: _game(made, game) for game in games},
    }
    document["$defs"] = dict(sorted(made.definitions.items()))
    return document


def _grammar(said: Grammar) -> Schema:
    """By state: the messages that may be sent in it, each with the state that follows."""
    found: Schema = {state.value: {} for state in State}
    for (before, kind), after in said.items():
        found[before.value][kind.__name__] = after.value
    return found


def _game(made: _Definitions, game: Game[Any]) -> Schema:
    """What a table of the game may be, and the words of the game."""
    name, words = game.name, game.vocabulary
    rulesets = {
        ruleset: {"minSeats": seats[0], "maxSeats": seats[-1]}
        for ruleset, seats in game.rulesets.items()
    }
    return {
        "rules": game.rules,
        "rulesets": rulesets,
        "options": list(game.options),
        "bots": list(game.bots),
        "command": made.words(name, {TAKE_BACK: COMMANDS[TAKE_BACK]}, words.commands),
        "prompt": made.words(name, {}, words.prompts),
        "happening": made.words(name, HAPPENINGS, words.happenings),
        "public": made.shape(words.public, name),
        "private": made.shape(words.private, name),
    }


class _Definitions:
    """Collects one definition for each class."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._named: dict[str, tuple[type, int | None]] = {}
        """What has each name: a class, with its tag if it has one."""

    def union(self, where: str, members: Mapping[int, type]) -> Schema:
        """One of the classes, each with its tag; they are named within `where`, their parts are
        of every game."""
        return {"oneOf": [self._define(where, kind, tag, "") for tag, kind in members.items()]}

    def words(self, game: str, shared: Mapping[int, type], own: Mapping[int, type]) -> Schema:
        """One of the words that every game shares, or of the game's own, each with its tag; they
        are named within the game."""
        members = [*self.union(game, shared)["oneOf"]]
        members += [self._define(game, kind, tag, game) for tag, kind in own.items()]
        return {"oneOf": members}

    def shape(self, kind: Any, where: str = "") -> Schema:
        """What a field of this annotation may be. Its classes are named within `where`, a game;
        empty: they are of every game."""
        kind, limit = split(kind)
        some, each = optional(kind), many(kind)
        if some is not None:
            return {"anyOf": [self.shape(some, where), {"type": "null"}]}
        if each is not None:
            bounds = {"minItems": limit[0], "maxItems": limit[-1]}
            return {"type": "array", "items": self.shape(each, where), **bounds}
        if get_origin(kind) is tuple:
            return _array([self.shape(arg, where) for arg in get_args(kind)])
        if is_enum(kind):
            return self._enum(where, kind)
        if is_class(kind):
            return self._define(where, kind, None, where)
        return _leaf(kind, limit)

    def _define(self, where: str, kind: type, tag: int | None, parts: str) -> Schema:
        name = self._name(where, kind, tag)
        if name not in self.definitions:
            self.definitions[name] = {}
            notes = field_notes(kind)
            items: list[Schema] = [] if tag is None else [{"const": tag}]
            for field in wire_fields(kind):
                item = {"title": field.name, **self.shape(field.kind, parts)}
                if field.name in notes:
                    item["description"] = notes[field.name]
                if field.since > 1:
                    item["x-since"] = field.since
                items.append(item)
            more = getattr(kind, "open_ended", False)
            note = {"description": class_note(kind)} if class_note(kind) else {}
            added = sum(field.added for field in wire_fields(kind))
            array = _array(items, more, len(items) - added)
            self.definitions[name] = {"title": kind.__name__, **note, **array}
        return {"$ref": f"#/$defs/{name}"}

    def _enum(self, where: str, kind: Any) -> Schema:
        name = self._name(where, kind, None)
        self.definitions[name] = {
            "title": kind.__name__,
            "enum": [member.value for member in kind],
            "x-names": [member.name for member in kind],
        }
        return {"$ref": f"#/$defs/{name}"}

    def _name(self, where: str, kind: type, tag: int | None) -> str:
        """The name of a class's definition: always the same one, and that of no other class."""
        bare = kind.__name__
        if self._named.get(bare) == (kind, tag):
            return bare
        wanted = f"{where}.{bare}" if where else bare
        name, count = wanted, 1
        while self._named.setdefault(name, (kind, tag)) != (kind, tag):
            count += 1
            name = f"{wanted}-{count}"
        return name


def _array(items: list[Schema], more: bool = False, least: int | None = None) -> Schema:
    """An array of `items`, of which the first `least` are always there; with `more`, it may hold
    more than these."""
    bounds: Schema = {"minItems": len(items) if least is None else least}
    if not more:
        bounds = {"items": False, **bounds}
    return {"type": "array", **({"prefixItems": items} if items else {}), **bounds}


def _leaf(kind: Any, limit: range) -> Schema:
    if kind is int:
        bounds = {"minimum": limit[0], "maximum": limit[-1]}
        return {"type": "integer", **({"format": "int64"} if limit == INT else bounds)}
    if kind is bool:
        return {"type": "boolean"}
    if kind in (str, bytes):
        bounds = {"minLength": limit[0], "maxLength": limit[-1]}
        return {"type": "string", **({"format": "bin"} if kind is bytes else {}), **bounds}
    return {"format": "tree"}


@cache
def field_notes(kind: type) -> dict[str, str]:
    """The text under each field of an attrs class or member of an enum, from its source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    (definition,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    notes: dict[str, str] = {}
    for field, note in zip(definition.body, definition.body[1:], strict=False):
        match field, note:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=text)),
            ):
                notes[name] = " ".join(str(text).split())
    return notes


def class_note(kind: type) -> str:
    """The docstring of a class in one line; empty if it has none of its own."""
    return " ".join((kind.__dict__.get("__doc__") or "").split())


def dump(games: Iterable[Game[Any]]) -> str:
    """The schema as text."""
    return json.dumps(schema(games), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints the protocol as JSON Schema.")
    parser.add_argument("games", nargs="*", help="installed games whose words are included")
    games = parser.parse_args().games
    print(dump(map(find_game, games)), end="")


if __name__ == "__main__":
    main()

"""The protocol as JSON Schema, made from the message classes.

    python -m protocol.schema [GAME ...]

prints the messages of both directions and, for each installed game named, its rulesets
with the numbers of seats they allow, its options, its bots and its words.
Arrays of msgpack are arrays of JSON here; `bin` marks bytes, which JSON does not have,
and lengths of text count characters, of `bin` bytes; `x-since` is the version that added a
field, which a peer of an older one neither sends nor is sent. docs/protocol.schema.json holds
what it prints for the games of this software. Knows no game by name.
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
        "command": made.union(name, {TAKE_BACK: COMMANDS[TAKE_BACK], **words.commands}),
        "prompt": made.union(name, words.prompts),
        "happening": made.union(name, {**HAPPENINGS, **words.happenings}),
        "public": made.shape(words.public),
        "private": made.shape(words.private),
    }


class _Definitions:
    """Collects one definition for each class."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def union(self, where: str, members: Mapping[int, type]) -> Schema:
        """One of the classes, each with its tag; named within `where`."""
        return {
            "oneOf": [self._define(f"{where}.{kind.__name__}", kind, tag)
                      for tag, kind in members.items()]
        }  # fmt: skip

    def shape(self, kind: Any) -> Schema:
        """What a field of this annotation may be."""
        kind, limit = split(kind)
        some, each = optional(kind), many(kind)
        if some is not None:
            return {"anyOf": [self.shape(some), {"type": "null"}]}
        if each is not None:
            bounds = {"minItems": limit[0], "maxItems": limit[-1]}
            return {"type": "array", "items": self.shape(each), **bounds}
        if get_origin(kind) is tuple:
            return _array([self.shape(arg) for arg in get_args(kind)])
        if is_enum(kind):
            return self._enum(kind)
        if is_class(kind):
            return self._define(kind.__name__, kind, None)
        return _leaf(kind, limit)

    def _define(self, name: str, kind: type, tag: int | None) -> Schema:
        if name not in self.definitions:
            self.definitions[name] = {}
            notes = field_notes(kind)
            items: list[Schema] = [] if tag is None else [{"const": tag}]
            for field in wire_fields(kind):
                item = {"title": field.name, **self.shape(field.kind)}
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

    def _enum(self, kind: Any) -> Schema:
        self.definitions[kind.__name__] = {
            "title": kind.__name__,
            "enum": [member.value for member in kind],
            "x-names": [member.name for member in kind],
        }
        return {"$ref": f"#/$defs/{kind.__name__}"}


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

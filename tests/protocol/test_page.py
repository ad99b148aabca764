"""The protocol page and the schema say what the code does."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import find_game
from engine.table import COMMANDS, EVENTS, HAPPENINGS
from protocol import schema
from protocol.codec import ProtocolError
from protocol.delta import apply, diff
from protocol.messages import (
    CLIENT_CODEC,
    FROM_CLIENT,
    FROM_SERVER,
    SERVER_CODEC,
    Snapshot,
    Update,
)
from protocol.project import PRIVATE, PUBLIC
from protocol.schema import class_note, field_notes
from protocol.shapes import places
from protocol.views import PublicView, TableView
from protocol.wire import Wire
from tests.games import NAMES
from tests.protocol import examples, page
from tests.protocol.test_delta import changed

TEXT = page.PAGE.read_text("utf-8")
SCHEMA: dict[str, Any] = json.loads(page.SCHEMA.read_text("utf-8"))
WIRE = Wire(page.WORDS)


def test_the_generated_parts_are_fresh() -> None:
    record = page.RECORD_PAGE.read_text("utf-8")
    for text in (TEXT, record):
        assert page.renewed(text) == text, "run python -m tests.protocol.page"
    assert all(f"<!-- begin {name} -->" in TEXT + record for name in page.parts())


def test_the_schema_is_fresh(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["schema", "ra"])
    schema.main()
    assert capsys.readouterr().out == page.SCHEMA.read_text("utf-8"), (
        "run python -m tests.protocol.page"
    )


def test_the_schema_of_the_protocol_alone_names_no_game() -> None:
    alone = json.loads(schema.dump({}))
    assert alone["games"] == {}
    assert alone["from_client"] == SCHEMA["from_client"]


def test_the_bytes_on_the_page_are_one_message_of_every_kind() -> None:
    at = TEXT.index("## Messages from the server")
    for text, codec, union, values in (
        (TEXT[:at], CLIENT_CODEC, FROM_CLIENT, examples.CLIENT),
        (TEXT[at:], SERVER_CODEC, FROM_SERVER, examples.SERVER),
    ):
        read = [codec.decode(data) for data in page.bytes_shown(text)]
        assert read == list(values)
        assert [type(message) for message in read] == list(union.values())


def test_the_examples_fit_together() -> None:
    snapshot = next(message for message in examples.SERVER if type(message) is Snapshot)
    update = next(message for message in examples.SERVER if type(message) is Update)
    now = apply(snapshot.public, update.public[1])
    assert now == examples.NEXT
    assert diff(snapshot.public, now) == update.public[1]
    board = WIRE.public.unpack(PUBLIC.unpack(now).match)
    assert board.track == (4,)
    WIRE.private.unpack(PRIVATE.unpack(snapshot.private).match)
    for happening in (*update.public[0], *snapshot.since[0].public):
        WIRE.happening.unpack(happening)


# the schema, read by a reader of its own: it takes what the codecs take


def fits(tree: Any, schema: dict[str, Any]) -> bool:
    """Whether a tree is what a schema says."""
    if "$ref" in schema:
        return fits(tree, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return any(fits(tree, one) for one in schema[word])
    if "const" in schema:
        return type(tree) is int and tree == schema["const"]
    if "enum" in schema:
        return type(tree) is not bool and bool(tree in schema["enum"])
    kind = schema.get("type")
    if kind is None:
        return bool(schema["format"] == "tree")
    if kind == "array":
        return type(tree) is tuple and fits_array(tree, schema)
    if kind == "integer":
        least, most = schema.get("minimum", -(1 << 63)), schema.get("maximum", (1 << 63) - 1)
        return type(tree) is int and least <= tree <= most
    if kind == "string":
        wanted = bytes if schema.get("format") == "bin" else str
        return type(tree) is wanted and schema["minLength"] <= len(tree) <= schema["maxLength"]
    return type(tree) is {"boolean": bool, "null": type(None)}[kind]


def fits_array(tree: tuple[Any, ...], schema: dict[str, Any]) -> bool:
    first = schema.get("prefixItems", [])
    rest, items = tree[len(first) :], schema.get("items", True)
    if not schema["minItems"] <= len(tree) <= schema.get("maxItems", len(tree)):
        return False
    if items is False and rest:
        return False
    if not all(fits(item, one) for item, one in zip(tree, first, strict=False)):
        return False
    return isinstance(items, bool) or all(fits(item, items) for item in rest)


def takes(unpack: Any, tree: Any) -> bool:
    try:
        unpack(tree)
    except ProtocolError:
        return False
    return True


READERS = [
    (SCHEMA["from_client"], CLIENT_CODEC, [CLIENT_CODEC.pack(m) for m in examples.CLIENT]),
    (SCHEMA["from_server"], SERVER_CODEC, [SERVER_CODEC.pack(m) for m in examples.SERVER]),
    (SCHEMA["public_view"], PUBLIC, [examples.PUBLIC, examples.NEXT]),
    (SCHEMA["private_view"], PRIVATE, [examples.PRIVATE]),
    (SCHEMA["games"]["ra"]["public"], WIRE.public, [examples.BOARD, examples.DRAWN]),
    (SCHEMA["games"]["ra"]["private"], WIRE.private, [examples.PRIVATE[0]]),
    (SCHEMA["games"]["ra"]["command"], WIRE.command, [(6, 1), (32,), (34, (1, 2)), (35, 9)]),
    (SCHEMA["games"]["ra"]["prompt"], WIRE.prompt, [(32, True, 1, (4,)), (33, (2, 9), False)]),
    (SCHEMA["games"]["ra"]["happening"], WIRE.happening, [(33, 0, 4), (37, 0, 9, 1, (4, 4))]),
]


@pytest.mark.parametrize(("wanted", "codec", "trees"), READERS)
def test_the_schema_takes_the_examples(wanted: Any, codec: Any, trees: Any) -> None:
    for tree in trees:
        assert fits(tree, wanted)
        assert takes(codec.unpack, tree)


@given(st.data(), st.sampled_from(READERS))
def test_the_schema_takes_exactly_what_the_codecs_take(data: st.DataObject, reader: Any) -> None:
    wanted, codec, trees = reader
    tree = data.draw(changed(data.draw(st.sampled_from(trees))))
    assert fits(tree, wanted) == takes(codec.unpack, tree)


def test_every_seat_of_a_table_is_said_to_be_one_of_the_table_or_of_the_match() -> None:
    kinds: list[type] = [*HAPPENINGS.values(), *EVENTS.values(), *COMMANDS.values()]
    for kind in kinds:
        notes = field_notes(kind)
        for place in places(kind):
            if place.name in ("seat", "by"):
                said = notes.get(place.name, class_note(kind))
                assert ("match seat" in said) != ("table seat" in said), (kind, place.name)


def test_every_message_with_an_id_is_spoken_of_where_ids_are_explained() -> None:
    section = TEXT.split("### Commands\n")[1].split("\n### ")[0]
    for kind in FROM_CLIENT.values():
        if "id" in attrs.fields_dict(kind):
            assert f"`{kind.__name__}`" in section, kind


def test_messages_name_no_game() -> None:
    """Their notes and classes hold for any game: none is named, nor any of its bots."""
    named = {*NAMES, *(level for name in NAMES for level in find_game(name).bots)}
    kinds: list[type] = [*FROM_CLIENT.values(), *FROM_SERVER.values(), PublicView, TableView]
    for kind in kinds:
        for note in (class_note(kind), *field_notes(kind).values()):
            assert not named & set(re.findall(r"`(\w+)`", note)), (kind, note)

"""The protocol page and the schema say what the code does."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import LEAST_SPAN, MOST_INCREMENT, MOST_SPAN, Clock
from engine.entry import Happening
from engine.errors import IllegalAction
from engine.game import Setup, find_game
from engine.ra.words.commands import Pass as RaPass
from engine.ra.words.pieces import SUN_SETS
from engine.raja.words.commands import ChooseActions
from engine.raja.words.pieces import Action
from engine.table.words import COMMANDS, EVENTS, HAPPENINGS, SeatTaken
from protocol import schema
from protocol.codec import ProtocolError
from protocol.delta import apply, diff
from protocol.messages import (
    CLIENT_CODEC,
    FROM_CLIENT,
    FROM_SERVER,
    SERVER_CODEC,
    VERSION,
    Act,
    Create,
    Hello,
    Hint,
    JoinTable,
    Snapshot,
    TooOld,
    Update,
    Watch,
    Welcome,
)
from protocol.project import PRIVATE, PUBLIC
from protocol.schema import class_note, field_notes
from protocol.session import SAID_BY_CLIENT, SAID_BY_SERVER
from protocol.shapes import wire_fields
from protocol.views import PublicView, TableView
from protocol.wire import Wire
from tests.games import NAMES, open_table
from tests.miniature.game import Miniature
from tests.protocol import examples, page
from tests.protocol.conversation import held_again
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
    monkeypatch.setattr(sys, "argv", ["schema", "ra", "raja"])
    schema.main()
    assert capsys.readouterr().out == page.SCHEMA.read_text("utf-8"), (
        "run python -m tests.protocol.page"
    )


def test_the_schema_of_the_protocol_alone_names_no_game() -> None:
    alone = json.loads(schema.dump([]))
    assert alone["games"] == {}
    assert alone["from_client"] == SCHEMA["from_client"]


def names_within(schema: Any) -> set[str]:
    """The definitions that a part of the schema refers to, directly or not."""
    found: set[str] = set()

    def look(part: Any) -> None:
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name and name not in found:
                found.add(name)
                look(SCHEMA["$defs"][name])
            for value in part.values():
                look(value)
        elif isinstance(part, list):
            for value in part:
                look(value)

    look(schema)
    return found


def test_each_game_has_its_words_under_its_name() -> None:
    """Both games have a `Board`; what is of every game is there once, under its bare name."""
    general = {key: part for key, part in SCHEMA.items() if key not in ("games", "$defs")}
    shared = names_within(general)
    within = {name: names_within(told) for name, told in SCHEMA["games"].items()}
    assert set(within) == {chapter.game.name for chapter in page.CHAPTERS}
    for name, found in within.items():
        own = {one for one in found if one.startswith(f"{name}.")}
        assert {f"{name}.Board", f"{name}.Player", f"{name}.Hidden"} <= own
        assert not [one for one in found - own if "." in one], "no word of another game"
        vocabulary = {kind.__name__ for kind in find_game(name).vocabulary.commands.values()}
        assert not vocabulary & found
    assert not [one for one in shared if one.split(".")[0] in within]
    assert shared.union(*within.values()) == set(SCHEMA["$defs"])


def test_the_words_of_a_game_do_not_depend_on_the_games_beside_it() -> None:
    together = json.loads(schema.dump(map(find_game, NAMES)))
    for name in NAMES:
        alone = json.loads(schema.dump([find_game(name)]))
        assert alone["games"][name] == together["games"][name]
        for key, told in alone["$defs"].items():
            assert together["$defs"][key] == told


def test_two_words_of_one_game_may_have_one_name() -> None:
    """A command and a happening called `Pass`: each has a definition of its own."""

    @attrs.frozen
    class Pass(Happening):
        seat: int

    class Passing(Miniature):
        """The miniature, with the word twice."""

        name = "passing"
        vocabulary = attrs.evolve(
            Miniature.vocabulary, commands={32: RaPass}, happenings={33: Pass}
        )

    told = json.loads(schema.dump([Passing()]))
    first = {"$ref": "#/$defs/passing.Pass"}
    second = {"$ref": "#/$defs/passing.Pass-2"}
    assert first in told["games"]["passing"]["command"]["oneOf"]
    assert second in told["games"]["passing"]["happening"]["oneOf"]
    assert told["$defs"]["passing.Pass"]["prefixItems"] == [{"const": 32}]
    assert [item.get("title") for item in told["$defs"]["passing.Pass-2"]["prefixItems"]] == [
        None, "seat",
    ]  # fmt: skip


def test_the_bytes_on_the_page_are_one_message_of_every_kind() -> None:
    for name, codec, union, values in (
        ("from-client", CLIENT_CODEC, FROM_CLIENT, examples.CLIENT),
        ("from-server", SERVER_CODEC, FROM_SERVER, examples.SERVER),
    ):
        read = [codec.decode(data) for data in page.bytes_shown(page.part_of(TEXT, name))]
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
    hint = next(message for message in examples.SERVER if type(message) is Hint)
    WIRE.command.unpack(hint.command)


def test_the_examples_are_of_a_game_that_can_be() -> None:
    """The snapshot is of the table that the example of `Create` opens: no two players hold the
    same suns, and nobody's nonce is told."""
    (create,) = [message for message in examples.CLIENT if type(message) is Create]
    (snapshot,) = [message for message in examples.SERVER if type(message) is Snapshot]
    view = PUBLIC.unpack(snapshot.public)
    table, board = view.table, WIRE.public.unpack(view.match)
    assert (table.game, table.ruleset, len(table.seats)) == ("ra", create.ruleset, create.seats)
    assert (table.clock, table.absence) == (create.clock, create.absence)
    suns = [set(player.up) for player in board.players]
    assert sorted(map(sorted, suns)) == sorted(map(sorted, SUN_SETS[create.seats]))
    happened = [WIRE.happening.unpack(tree) for tree in snapshot.since[0].public]
    taken = [one for one in happened if isinstance(one, SeatTaken)]
    assert [one.nonce for one in taken] == [b"", b""]


def test_one_version_is_spoken_of() -> None:
    assert f", version {VERSION}. " in TEXT[:300]
    (hello,) = [message for message in examples.CLIENT if type(message) is Hello]
    (welcome,) = [message for message in examples.SERVER if type(message) is Welcome]
    (too_old,) = [message for message in examples.SERVER if type(message) is TooOld]
    assert (hello.version, welcome.version, too_old.newest) == (VERSION,) * 3
    assert SCHEMA["version"] == VERSION


@pytest.mark.parametrize("chapter", page.CHAPTERS, ids=lambda chapter: chapter.game.name)
def test_what_a_table_may_be_stands_on_the_page_and_in_the_schema(chapter: page.Chapter) -> None:
    game = chapter.game
    section = page.part_of(TEXT, f"{game.name}-setup")
    told = SCHEMA["games"][game.name]
    assert list(told["rulesets"]) == list(game.rulesets)
    for name, seats in game.rulesets.items():
        numbers = f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else f"{seats[0]}"
        assert f"| `{name}` | {numbers} |" in section
        assert told["rulesets"][name] == {"minSeats": seats[0], "maxSeats": seats[-1]}
        for count in range(8):
            setup = Setup(name, count)
            if count in seats:
                game.check(setup)
            else:
                with pytest.raises(IllegalAction):
                    game.check(setup)
    assert told["options"] == list(game.options)
    assert told["bots"] == list(game.bots)
    assert list(chapter.options) == list(game.options)
    for name in (*game.options, *game.bots):
        assert f"`{name}`" in section
    assert f"The words of the game `{game.name}`, rules number {game.rules}." in TEXT
    assert told["rules"] == game.rules


def test_the_page_and_the_schema_have_every_game_of_this_software() -> None:
    ours = {chapter.game.name for chapter in page.CHAPTERS}
    assert ours == set(NAMES) - {"miniature"}
    assert f"`python -m protocol.schema {' '.join(SCHEMA['games'])}` prints it" in TEXT


def test_the_times_that_a_clock_may_have_are_said() -> None:
    notes = field_notes(Clock)
    assert f"{LEAST_SPAN} to {MOST_SPAN} " in notes["span"]
    assert f"at most {MOST_INCREMENT} " in notes["increment"]


def test_the_schema_says_who_may_say_what_when() -> None:
    for side, grammar in (("client", SAID_BY_CLIENT), ("server", SAID_BY_SERVER)):
        told = SCHEMA[f"said_by_{side}"]
        for (before, kind), after in grammar.items():
            assert told[before][kind.__name__] == after
        assert sum(map(len, told.values())) == len(grammar)


# the worked conversation, said again


def test_the_conversation_is_what_a_server_says() -> None:
    """The clients' bytes, read from the page, are said to a server: it answers with the
    server's bytes on the page, every one of them."""
    steps = page.worked_steps(page.part_of(TEXT, "conversation"))
    wanted = [step.data for step in steps if not step.says and step.data]
    assert asyncio.run(held_again(steps)) == wanted
    said = {type(CLIENT_CODEC.decode(step.data)) for step in steps if step.says}
    assert said >= {Hello, Create, JoinTable, Act, Watch}
    assert len(steps) == len(page.conversation())


# the secret choice


def test_the_secret_choice_is_told_to_its_seat_alone() -> None:
    """The frames on the page, read as clients read them: what was chosen is in the chooser's
    private view at once, and in the public one when the turn begins."""
    wire = Wire(find_game("raja").vocabulary)
    steps = page.worked_steps(page.part_of(TEXT, "secret-choice"))
    heard = {
        who: [SERVER_CODEC.decode(step.data) for step in steps if step.who == who and not step.says]
        for who in ("Ada", "Bob")
    }
    snapshot = heard["Ada"][0]
    assert isinstance(snapshot, Snapshot)
    public, private = snapshot.public, snapshot.private
    shown = []
    for one in heard["Ada"][1:]:
        if isinstance(one, Update):
            public = apply(public, one.public[1])
            private = private if one.private is None else apply(private, one.private[1])
            board = wire.public.unpack(PUBLIC.unpack(public).match)
            own = wire.private.unpack(PRIVATE.unpack(private).match)
            asked = PRIVATE.unpack(private).prompts
            shown.append((own.actions, board.players[0].actions, [one.seat for one in asked]))
            for tree in [wire.prompt.unpack(one.prompt) for one in asked]:
                assert tree.house or tree.give
    chosen = (Action.HOUSE, Action.SWAP)
    assert shown == [(chosen, (), []), (chosen, chosen, [0]), (chosen, chosen, [0])]
    told = [one for one in heard["Bob"] if isinstance(one, Update)]
    assert told[0].private is None
    assert [one.public for one in told] == [
        one.public for one in heard["Ada"] if isinstance(one, Update)
    ]
    (first, second, third) = [step for step in steps if step.says]
    choice = CLIENT_CODEC.decode(first.data)
    assert isinstance(choice, Act)
    assert wire.command.unpack(choice.command) == ChooseActions(chosen)
    for said in (second, third):
        assert isinstance(CLIENT_CODEC.decode(said.data), Act)


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


RAJA = Wire(find_game("raja").vocabulary)
_MATCH = open_table("raja", Setup("yogi", 3)).stream.match
assert _MATCH is not None
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
    (
        SCHEMA["games"]["raja"]["public"],
        RAJA.public,
        [RAJA.public.pack(_MATCH.game.public(_MATCH.state))],
    ),
    (SCHEMA["games"]["raja"]["private"], RAJA.private, [(15, (), 0), (3, (0, 8, 2), 4)]),
    (
        SCHEMA["games"]["raja"]["command"],
        RAJA.command,
        [(6, 1), (34, (0, 0), None), (34, (2, 3), 8), (39, 9, 8, 11), (43,)],
    ),
    (
        SCHEMA["games"]["raja"]["prompt"],
        RAJA.prompt,
        [
            (32, (1, 2)),
            (35, True),
            (
                36,
                ((0, 2),),
                True,
                False,
                (8,),
                0,
                (2,),
                (),
                (4,),
                (9,),
                (5,),
                (0, 1),
                (),
                (1,),
                (2,),
            ),
        ],
    ),
    (
        SCHEMA["games"]["raja"]["happening"],
        RAJA.happening,
        [(38, (0, 1)), (41, 0, 2, 0, (0, 1), False), (48, 0, 1, 2, None)],
    ),
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
        for field in wire_fields(kind):
            if field.name in ("seat", "by"):
                said = notes.get(field.name, class_note(kind))
                assert ("match seat" in said) != ("table seat" in said), (kind, field.name)


def test_every_message_with_an_id_is_spoken_of_where_ids_are_explained() -> None:
    section = TEXT.split("### Commands\n")[1].split("\n### ")[0]
    for kind in FROM_CLIENT.values():
        if "id" in attrs.fields_dict(kind):
            assert f"`{kind.__name__}`" in section, kind


def test_what_answers_it_is_said_of_every_message() -> None:
    section = TEXT.split("### What answers what\n")[1].split("\nThis is all")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    asked = [name for said, _ in rows for name in re.findall(r"`(\w+)`", said)]
    assert asked and sorted(asked) == sorted(kind.__name__ for kind in FROM_CLIENT.values())
    answers = {kind.__name__ for kind in FROM_SERVER.values()} | {"Hello"}
    for _, answer in rows:
        assert set(re.findall(r"`(\w+)`", answer)) <= answers


def test_messages_name_no_game() -> None:
    """Their notes and classes hold for any game: none is named, nor any of its bots."""
    named = {*NAMES, *(level for name in NAMES for level in find_game(name).bots)}
    kinds: list[type] = [*FROM_CLIENT.values(), *FROM_SERVER.values(), PublicView, TableView]
    for kind in kinds:
        for note in (class_note(kind), *field_notes(kind).values()):
            assert not named & set(re.findall(r"`(\w+)`", note)), (kind, note)

"""The generated parts of docs/protocol.md and docs/record.md, renewed by
`python -m tests.protocol.page`.

A part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; what is around the
parts is written by hand. A test keeps the page and what this prints equal.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

from attrs import frozen

from client.games import find_client
from engine.clock import Clock
from engine.entry import Entry, Sealed
from engine.errors import Code
from engine.game import Game, find_game
from engine.ra.words.refusals import RaRefusal
from engine.raja.words.map import ROADS
from engine.raja.words.pieces import ACTIONS, CHITS, PARTS
from engine.raja.words.refusals import RajaRefusal
from engine.table.words import COMMANDS, EVENTS, HAPPENINGS
from protocol.codec import Codec
from protocol.messages import CLIENT_CODEC, FROM_CLIENT, FROM_SERVER, SERVER_CODEC
from protocol.schema import TAKE_BACK, class_note, dump, field_notes
from protocol.session import SAID_BY_CLIENT, SAID_BY_SERVER, CloseCode, Grammar, State
from protocol.shapes import INT, is_class, is_enum, many, optional, split, wire_fields
from protocol.views import PrivateView, PromptView, PublicView, SeatView, TableView
from server.refusals import DisconnectReason, RefusalCode
from tests.protocol import examples, secret_choice
from tests.protocol.conversation import Step, held

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "protocol.md"
RECORD_PAGE = DOCS / "record.md"
SCHEMA = DOCS / "protocol.schema.json"
_PART = re.compile(r"<!-- begin ([a-z-]+) -->\n(.*?)<!-- end \1 -->", re.DOTALL)
_FRAME = re.compile(r"(\w+) `([<>])` `\w+`: ")
_BROKEN = re.compile(r"(\w+)'s connection breaks")
_EXAMPLE = re.compile(r"(?:^    [0-9a-f]{2}(?: [0-9a-f]{2})*\n)+", re.MULTILINE)


def shape(kind: Any) -> str:
    """An annotation, in the words of the page."""
    kind, limit = split(kind)
    some, each = optional(kind), many(kind)
    if some is not None:
        return f"{shape(some)}, or nil"
    if each is not None:
        return f"array 0..{limit[-1]} of ({shape(each)})"
    if get_origin(kind) is tuple:
        return "[" + "; ".join(shape(arg) for arg in get_args(kind)) + "]"
    if is_enum(kind) or is_class(kind):
        return f"`{kind.__name__}`"
    if kind is int:
        return "int" if limit == INT else f"int {_span(limit)}"
    if kind in (str, bytes):
        return f"{'text' if kind is str else 'bin'} {_span(limit)}"
    return "boolean" if kind is bool else "tree"


def _span(limit: range) -> str:
    if limit[0] == limit[-1]:
        return str(limit[0])
    last = {(1 << 63) - 1: "2^63-1", (1 << 32) - 1: "2^32-1", (1 << 22) - 1: "2^22-1"}
    return f"{limit[0]}..{last.get(limit[-1], limit[-1])}"


def nil(note: str) -> str:
    """A note from the source, in the words of the page."""
    return re.sub(r"\bNone\b", "nil", note)


def fields(kind: type) -> Iterable[str]:
    """The table of a class's fields."""
    notes = field_notes(kind)
    if not wire_fields(kind):
        yield "No fields."
        return
    yield "| field | type | |"
    yield "|---|---|---|"
    for field in wire_fields(kind):
        note = nil(notes.get(field.name, "")).replace("|", "\\|")
        if field.added:
            where = "from older servers" if getattr(kind, "open_ended", False) else "in older logs"
            note = f"{note} Missing {where}: {shown(field.default)}.".strip()
        if field.since > 1:
            note = f"{note} Since version {field.since}.".strip()
        yield f"| `{field.name}` | {shape(field.kind)} | {note} |"


def definition(kind: type, tag: int | None, level: int = 3) -> Iterable[str]:
    """A heading, what the class says of itself, and its fields."""
    title = f"`{kind.__name__}`" if tag is None else f"{tag} `{kind.__name__}`"
    yield f"{'#' * level} {title}"
    yield ""
    if class_note(kind):
        yield nil(class_note(kind))
        yield ""
    yield from fields(kind)
    yield ""


def enum(kind: type[Enum]) -> Iterable[str]:
    """The values of an enum."""
    values = ", ".join(f"{member.value} {member.name}" for member in kind)
    yield f"**`{kind.__name__}`**: {values}."
    yield ""


def codes(kind: type[StrEnum]) -> Iterable[str]:
    """The table of a kind of refusal."""
    notes = field_notes(kind)
    yield "| code | |"
    yield "|---|---|"
    for member in kind:
        yield f"| `{member.value}` | {notes.get(member.name, '')} |"


def hex_lines(data: bytes) -> Iterable[str]:
    """Bytes as an indented block."""
    for at in range(0, len(data), 24):
        yield "    " + data[at : at + 24].hex(" ")


def shown(tree: Any) -> str:
    """A tree in the notation of the page: JSON, with h'..' for bytes."""
    if type(tree) is tuple:
        return "[" + ", ".join(map(shown, tree)) + "]"
    if type(tree) is bytes:
        return f"h'{tree.hex()}'"
    if type(tree) is str:
        return f'"{tree}"'
    return {None: "nil", True: "true", False: "false"}[tree] if type(tree) is not int else str(tree)


def messages(union: Mapping[int, type], codec: Any, values: Iterable[Any]) -> Iterable[str]:
    """Every message of a direction with its example."""
    by_class = {type(value): value for value in values}
    for tag, kind in union.items():
        yield from definition(kind, tag)
        value = by_class[kind]
        yield f"Example: `{shown(codec.pack(value))}`"
        yield ""
        yield from hex_lines(codec.encode(value))
        yield ""


def grammar(said: Grammar) -> Iterable[str]:
    """A table of the session: what may be said in which state, and what follows."""
    yield "| state | message | next state |"
    yield "|---|---|---|"
    for state in State:
        afters: dict[State, list[str]] = {}
        for (before, kind), after in said.items():
            if before is state:
                afters.setdefault(after, []).append(f"`{kind.__name__}`")
        for after, names in afters.items():
            yield f"| {state.value} | {', '.join(names)} | {after.value} |"


def enums_of(kinds: Iterable[type]) -> list[type[Enum]]:
    """The enums that fields of the classes, and of classes within them, have."""
    found: dict[type[Enum], None] = {}

    def look(kind: Any) -> None:
        kind = split(kind)[0]
        if is_enum(kind):
            found[kind] = None
        elif is_class(kind):
            for field in wire_fields(kind):
                look(field.kind)
        else:
            for arg in get_args(kind):
                look(arg)

    for kind in kinds:
        look(kind)
    return list(found)


def parts_of(kinds: Iterable[type]) -> list[type]:
    """The classes within fields of the classes, that have no tag of their own."""
    found: dict[type, None] = {}

    def look(kind: Any) -> None:
        kind = split(kind)[0]
        if is_class(kind):
            for field in wire_fields(kind):
                inside(field.kind)

    def inside(kind: Any) -> None:
        kind = split(kind)[0]
        if is_class(kind):
            look(kind)
            found[kind] = None
        else:
            for arg in get_args(kind):
                inside(arg)

    for kind in kinds:
        look(kind)
    return list(found)


def _union(union: Mapping[int, type]) -> Iterable[str]:
    for tag, kind in union.items():
        yield from definition(kind, tag, 4)


def _parts(kinds: Iterable[type], level: int = 4) -> Iterable[str]:
    for kind in kinds:
        yield from definition(kind, None, level)


def _enums(kinds: Iterable[type]) -> Iterable[str]:
    for kind in enums_of(kinds):
        yield from enum(kind)


@frozen
class Chapter:
    """What the page says of one game, besides what is written by hand."""

    game: Game[Any]
    refusals: type[StrEnum]
    options: Mapping[str, str]
    """What each option does, in a line."""

    def setup(self) -> Iterable[str]:
        """What a table of the game may be: rulesets, options, bots."""
        yield "| `ruleset` | `seats` | |"
        yield "|---|---|---|"
        for number, (name, seats) in enumerate(self.game.rulesets.items()):
            first = "" if number else "what a client offers first"
            yield f"| `{name}` | {_numbers(seats)} | {first} |"
        yield ""
        yield "| name in `options` | |"
        yield "|---|---|"
        for name in self.game.options:
            yield f"| `{name}` | {self.options[name]} |"
        yield ""
        levels = ", ".join(f"`{level}`" for level in self.game.bots)
        yield f"Levels of `bots`, the weakest first: {levels}."
        yield ""

    def parts(self) -> dict[str, Iterable[str]]:
        """The game's parts of the page, by name."""
        name, words = self.game.name, self.game.vocabulary
        views = [words.public, words.private]
        happened = parts_of(words.happenings.values())
        asked = parts_of(words.prompts.values())
        unions = [*words.commands.values(), *words.prompts.values(), *words.happenings.values()]
        seen = [kind for kind in parts_of(views) if kind not in (*views, *happened, *asked)]
        return {
            f"{name}-setup": self.setup(),
            f"{name}-enums": _enums([*unions, *views]),
            f"{name}-commands": _union(words.commands),
            f"{name}-prompts": [*_union(words.prompts), *_parts(asked)],
            f"{name}-happenings": [*_union(words.happenings), *_parts(happened)],
            f"{name}-views": _parts([*views, *seen]),
            f"{name}-codes": codes(self.refusals),
        }


def _numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


CHAPTERS = (
    Chapter(find_game("ra"), RaRefusal, find_client("ra").options),
    Chapter(find_game("raja"), RajaRefusal, find_client("raja").options),
)
"""The games of this software, in the page's order."""
WORDS = CHAPTERS[0].game.vocabulary
"""Those of Ra, of which the examples are."""


@cache
def conversation() -> tuple[Step, ...]:
    """The worked conversation, held with a server now."""
    return tuple(asyncio.run(held()))


def worked(steps: Iterable[Step]) -> Iterable[str]:
    """A conversation, frame by frame."""
    for step in steps:
        if step.remark:
            yield from (step.remark, "")
        if step.data:
            codec: Codec[Any] = CLIENT_CODEC if step.says else SERVER_CODEC
            value = codec.decode(step.data)
            sign = ">" if step.says else "<"
            yield f"{step.who} `{sign}` `{type(value).__name__}`: `{shown(codec.pack(value))}`"
            yield from ("", *hex_lines(step.data), "")


def worked_steps(text: str) -> list[Step]:
    """The frames of the conversation in the text of a page; without those remarks that are
    no frame's end."""
    steps: list[Step] = []
    for part in re.split(r"\n\n(?!    )", text.strip()):
        found = _FRAME.match(part)
        if found is not None:
            data = bytes.fromhex(part.split("\n\n", 1)[1])
            steps.append(Step(found[1], found[2] == ">", data))
        elif (broken := _BROKEN.match(part)) is not None:
            steps.append(Step(broken[1], False, b""))
    return steps


def roads() -> Iterable[str]:
    """The table of the map of Raja."""
    yield from ("| from | villages on the way | to |", "|---|---|---|")
    for road in ROADS:
        one, other = (place.name for place in road.ends)
        yield f"| {one} | {', '.join(village.name for village in road.villages)} | {other} |"


def actions() -> Iterable[str]:
    """The table of the actions of Raja."""
    yield from ("| action | its parts | may be a chit |", "|---|---|---|")
    for action in ACTIONS:
        needed = ", ".join(part.name for part in PARTS[action])
        yield f"| {action.name} | {needed} | {'yes' if action in CHITS else 'no'} |"


def _logged(kind: type, name: str) -> str:
    """The row of a class in the log."""
    shown_fields = []
    for field in wire_fields(kind):
        later = f"* ({shown(field.default)})" if field.added else ""
        shown_fields.append(f"`{field.name}`{later} {shape(field.kind)}")
    row = "; ".join(shown_fields).replace("|", "\\|")
    return f"| {name} | {row} |"


def log() -> Iterable[str]:
    """The tables of what a log is made of, but for the game's words."""
    for kind in (Entry, Sealed):
        yield from definition(kind, None)
    unions: dict[str, Mapping[int, type]] = {"event": EVENTS, "command": COMMANDS}
    for title, union in unions.items():
        yield from (f"| {title} | fields |", "|---|---|")
        for tag, member in union.items():
            yield _logged(member, f"{tag} `{member.__name__}`")
        yield ""


def parts() -> dict[str, str]:
    """All generated parts, by name."""
    client, server = FROM_CLIENT.values(), FROM_SERVER.values()
    made: dict[str, Iterable[str]] = {
        "said-by-client": grammar(SAID_BY_CLIENT),
        "said-by-server": grammar(SAID_BY_SERVER),
        "from-client": messages(FROM_CLIENT, CLIENT_CODEC, examples.CLIENT),
        "from-server": messages(FROM_SERVER, SERVER_CODEC, examples.SERVER),
        "message-parts": [*_parts(parts_of([*client, *server])), *_enums([*client, *server])],
        "views": [
            *_parts([PublicView, PrivateView, TableView, SeatView, PromptView, Clock]),
            *_enums([PublicView]),
        ],
        "table-happenings": [*_union(HAPPENINGS), *_enums(HAPPENINGS.values())],
        "take-back": definition(COMMANDS[TAKE_BACK], TAKE_BACK, 4),
        "conversation": worked(conversation()),
        "raja-map": roads(),
        "raja-actions": actions(),
        "secret-choice": worked(secret_choice.steps()),
        "delta-example": [
            f"old `{shown(examples.PUBLIC[1][:9])}`…", "",
            f"delta `{shown(examples.DELTA)}`", "",
            f"new `{shown(examples.NEXT[1][:9])}`…", "",
        ],
        "close-codes": [
            "| code | name | |", "|---|---|---|",
            *[f"| {m.value} | {m.name} | {field_notes(CloseCode)[m.name]} |" for m in CloseCode],
        ],
        "kernel-codes": codes(Code),
        "server-codes": codes(RefusalCode),
        "disconnect-reasons": codes(DisconnectReason),
        "log": log(),
    }  # fmt: skip
    for chapter in CHAPTERS:
        made |= chapter.parts()
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in made.items()}


def renewed(text: str) -> str:
    """The page with its generated parts up to date."""
    made = parts()

    def part(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- begin {name} -->\n{made[name]}<!-- end {name} -->"

    return _PART.sub(part, text)


def part_of(text: str, name: str) -> str:
    """The generated part of that name, as it stands in the text of a page."""
    return next(found[2] for found in _PART.finditer(text) if found[1] == name)


def bytes_shown(text: str) -> list[bytes]:
    """Every block of bytes on the page."""
    return [bytes.fromhex(block) for block in _EXAMPLE.findall(text)]


def schema_text() -> str:
    """What docs/protocol.schema.json holds."""
    return dump(chapter.game for chapter in CHAPTERS)


if __name__ == "__main__":
    for path in (PAGE, RECORD_PAGE):
        path.write_text(renewed(path.read_text("utf-8")), "utf-8")
    SCHEMA.write_text(schema_text(), "utf-8")

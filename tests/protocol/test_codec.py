"""The codec is strict: what it takes is exactly what was packed, and all else is one
ProtocolError in bounded time."""

from __future__ import annotations

import datetime
import enum
import os
import subprocess
import sys
from typing import Annotated, Any, ClassVar

import msgpack
import pytest
from attrs import field, frozen, validators
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Codec, ProtocolError, dumps, loads
from tests.protocol.hostile import HOSTILE, verdicts
from tests.protocol.trees import trees

REFUSED = "refused refused refused"


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


class Mode(enum.StrEnum):
    FAST = "fast"


@frozen
class Point:
    x: Annotated[int, range(-9, 10)]
    y: int = 0


class Shape:
    """What `SHAPES` stands for."""


@frozen
class Name(Shape):
    text: Annotated[str, range(1, 4)]


@frozen
class Many:
    numbers: tuple[int, ...]
    colors: tuple[Color, ...]
    points: Annotated[tuple[Point, ...], range(3)]
    pair: tuple[int, str]
    mixed: tuple[Color, Point | None]
    nested: tuple[tuple[Color, ...], ...]
    maybe: Annotated[int, range(3)] | None
    maybe_color: Color | None
    maybe_many: tuple[Color, ...] | None
    shape: Shape
    flags: tuple[bool, ...]


SHAPES: dict[int, Any] = {1: Name, 2: Point}
MANY: Codec[Many] = Codec(Many, {Shape: SHAPES})
VALUE = Many(
    (1, 2), (Color.RED,), (Point(1, 2),), (1, "a"), (Color.BLUE, None), ((Color.RED,), ()),
    None, Color.RED, (Color.BLUE,), Name("abc"), (True, False),
)  # fmt: skip
TREE = (
    (1, 2), (1,), ((1, 2),), (1, "a"), (2, None), ((1,), ()),
    None, 1, (2,), (1, "abc"), (True, False),
)  # fmt: skip


def test_a_class_is_the_tuple_of_its_fields() -> None:
    assert MANY.pack(VALUE) == TREE
    assert MANY.unpack(TREE) == VALUE
    assert MANY.decode(MANY.encode(VALUE)) == VALUE
    assert type(MANY.pack(VALUE)[7]) is int, "an enum goes as its plain value"


@pytest.mark.parametrize(
    ("at", "wrong"),
    [
        (0, None), (0, 1), (0, (True,)), (0, ("1",)), (0, (1 << 63,)),
        (1, (3,)), (1, (True,)), (1, ((),)), (1, ("1",)), (1, (None,)),
        (2, ((1, 2),) * 3), (2, ((1,),)), (2, ((1, 2, 3),)), (2, ((10, 2),)), (2, (1,)),
        (3, (1,)), (3, (1, "a", 2)), (3, ("a", 1)), (3, 1),
        (4, (2, ())), (4, (None, None)), (5, ((1, 5),)), (5, (1,)),
        (6, 3), (6, -1), (6, "1"), (6, False), (7, 0), (7, ()), (8, 1), (8, (3,)),
        (9, None), (9, ()), (9, (1,)), (9, (3, 1)), (9, (True, "abc")), (9, (1, "")),
        (9, (1, "abcd")), (9, (2, 1)), (9, 1), (10, (1,)), (10, (None,)),
    ],
)  # fmt: skip
def test_anything_else_is_refused(at: Any, wrong: Any) -> None:
    tree = (*TREE[:at], wrong, *TREE[at + 1 :])
    with pytest.raises(ProtocolError):
        MANY.unpack(tree)


@pytest.mark.parametrize("tree", [(), TREE[:-1], (*TREE, None), None, 1, list(TREE), {}])
def test_the_number_of_fields_counts(tree: Any) -> None:
    with pytest.raises(ProtocolError):
        MANY.unpack(tree)


@given(trees)
def test_no_tree_is_ever_another_exception(tree: Any) -> None:
    try:
        MANY.unpack(tree)
    except ProtocolError:
        pass


@given(trees)
def test_trees_come_back_the_same(tree: Any) -> None:
    back = loads(dumps(tree))
    assert back == tree
    assert repr(back) == repr(tree), "true is not 1"


@frozen
class Checked:
    even: int = field(validator=validators.in_((0, 2, 4)))


def test_a_validator_counts_as_a_refusal() -> None:
    codec = Codec(Checked)
    assert codec.unpack((2,)) == Checked(2)
    with pytest.raises(ProtocolError, match="Checked: impossible values"):
        codec.unpack((3,))


@frozen
class Grown:
    first: int
    second: int = field(default=7, metadata={"added": True})
    third: tuple[Color, ...] = field(default=(), metadata={"added": True})


def test_fields_are_added_at_the_end() -> None:
    new, log = Codec(Grown), Codec(Grown, trim=True)
    assert new.pack(Grown(1, 2, (Color.RED,))) == (1, 2, (1,))
    assert new.pack(Grown(1)) == (1, 7, ())
    assert [log.pack(Grown(1)), log.pack(Grown(1, 2))] == [(1,), (1, 2)], "as it was written"
    assert new.unpack((1,)) == Grown(1)
    assert new.unpack((1, 2)) == Grown(1, 2)
    wrong: Any
    for wrong in ((), (1, 2, (), 4), (1, None)):
        with pytest.raises(ProtocolError):
            new.unpack(wrong)
    member = Codec({5: Grown})
    assert member.unpack((5, 1)) == Grown(1)
    assert member.unpack((5, 1, 9, (2,))) == Grown(1, 9, (Color.BLUE,))
    for wrong in ((5,), (5, 1, 2, (), 4)):
        with pytest.raises(ProtocolError):
            member.unpack(wrong)


@frozen
class Greeting:
    open_ended: ClassVar[bool] = True
    version: int


def test_only_a_greeting_may_have_fields_that_are_not_known() -> None:
    codec = Codec(Greeting)
    assert codec.unpack((1, "new", (2,))) == Greeting(1)
    tree: Any
    for tree in ((), (1, {}), (1, 2.5)):
        with pytest.raises(ProtocolError):
            codec.unpack(tree)


@frozen
class Endless:
    inner: Endless | None


@frozen
class Mixed:
    either: int | str


@frozen
class Both:
    either: int | Point


@frozen
class Fraction:
    part: float


@pytest.mark.parametrize("kind", [Endless, Mixed, Both, Fraction, int])
def test_what_cannot_travel_has_no_codec(kind: Any) -> None:
    with pytest.raises(TypeError):
        Codec(kind)


@pytest.mark.parametrize(
    "thing",
    [
        {1}, frozenset(), {}, {1: 2}, [], [1], 1.5, float("nan"), Color.RED, Mode.FAST, Point(1),
        datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), object(), bytearray(b"a"),
        memoryview(b"a"), 1 << 63, -(1 << 63) - 1, msgpack.Timestamp(1), msgpack.ExtType(1, b""),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_nothing_but_trees_is_sent(thing: Any) -> None:
    for tree in (thing, (1, thing), (1, (thing,))):
        with pytest.raises(TypeError):
            dumps(tree)


def test_a_value_of_no_member_of_a_union_is_not_packed() -> None:
    with pytest.raises(TypeError, match="str is no member"):
        Codec(SHAPES).pack("abc")


def test_the_deepest_tree_and_one_deeper() -> None:
    tree: Any = 1
    for _ in range(16):
        tree = (tree,)
    assert loads(dumps(tree)) == tree
    with pytest.raises(TypeError):
        dumps((tree,))
    with pytest.raises(ProtocolError, match="too many arrays within arrays"):
        loads(b"\x91" * 17 + b"\xc0")


def test_a_message_is_bytes_of_bounded_length() -> None:
    assert loads(b"\x93\x01\x02\x03", max_bytes=4) == (1, 2, 3)
    with pytest.raises(ProtocolError, match="4 bytes, at most 3"):
        loads(b"\x93\x01\x02\x03", max_bytes=3)
    text: Any = "hello"
    with pytest.raises(ProtocolError, match="binary"):
        loads(text)


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return verdicts()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_are_one_refusal(name: str, found: dict[str, str]) -> None:
    assert found[name] == REFUSED


def test_the_pure_python_msgpack_refuses_the_same() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.protocol.hostile"],
        env={**os.environ, "MSGPACK_PUREPYTHON": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    module, *lines = run.stdout.splitlines()
    assert module == "msgpack.fallback"
    assert lines == [f"{REFUSED}: {name}" for name in HOSTILE]


@given(st.binary(max_size=64))
def test_random_bytes_are_a_tree_or_one_refusal(data: bytes) -> None:
    try:
        tree = loads(data)
    except ProtocolError:
        return
    assert loads(dumps(tree)) == tree

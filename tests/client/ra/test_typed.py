"""What people type in a game of Ra: read as meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.games import Ambiguous, Unreadable
from client.ra.typed import grammar, read
from engine.ra.words.choices import choices
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.notation import parse_command, show_command
from engine.ra.words.pieces import CIVILIZATIONS, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt

TURN = TurnPrompt(True, 2, (Kind.NILE, Kind.FLOOD, Kind.NILE, Kind.STEP_PYRAMID))
FULL = TurnPrompt(False, 0, ())
BID = BidPrompt((2, 8, 13), True)
MUST = BidPrompt((13,), False)
UNREST = DiscardPrompt(Kind.UNREST, 2, ((Kind.ASTRONOMY, 1), (Kind.AGRICULTURE, 2), (Kind.ART, 1)))

TURNS = st.lists(st.sampled_from(Kind), max_size=5).flatmap(
    lambda track: st.builds(
        TurnPrompt,
        st.booleans(),
        st.integers(0, min(len(track), 3)),
        st.just(tuple(track)),
    )
)
BIDS = st.builds(
    BidPrompt, st.lists(st.integers(1, 16), unique=True, max_size=4).map(tuple), st.just(True)
)
LOSSES = st.lists(
    st.tuples(st.sampled_from([Kind(kind) for kind in CIVILIZATIONS]), st.integers(1, 3)),
    min_size=2,
    max_size=4,
    unique_by=lambda pair: pair[0],
).map(lambda held: DiscardPrompt(Kind.UNREST, 2, tuple(sorted(held))))
PROMPTS = st.one_of(TURNS, BIDS, LOSSES)


@given(PROMPTS, st.data())
def test_every_choice_can_be_typed_shouted_and_with_commas(
    prompt: object, data: st.DataObject
) -> None:
    command = data.draw(st.sampled_from(choices(prompt)))
    line = show_command(command)
    assert read(line, prompt) == command
    assert read(line.upper(), prompt) == command
    verb, _, rest = line.partition(" ")
    assert read(f"  {verb}  {rest.replace(' ', ', ')} ", prompt) == command


@given(PROMPTS, st.data())
def test_beginnings_of_a_choice_mean_it_or_several_things(
    prompt: object, data: st.DataObject
) -> None:
    command = data.draw(st.sampled_from(choices(prompt)))
    verb, *rest = show_command(command).split()
    words = [verb, *(word if word.isdigit() else _beginning(word, data) for word in rest)]
    try:
        assert read(" ".join(words), prompt) == command
    except Ambiguous:
        assert words != [verb, *rest]


def _beginning(word: str, data: st.DataObject) -> str:
    return word[: data.draw(st.integers(1, len(word)))]


@pytest.mark.parametrize(
    ("typed", "prompt", "command"),
    [
        ("d", TURN, Draw()),
        ("r", TURN, InvokeRa()),
        ("g nile", TURN, SpendGods((Kind.NILE,))),
        ("g n f", TURN, SpendGods((Kind.NILE, Kind.FLOOD))),
        ("g f n", TURN, SpendGods((Kind.NILE, Kind.FLOOD))),
        ("gods step pyramid", TURN, SpendGods((Kind.STEP_PYRAMID,))),
        ("gods step_pyramid", TURN, SpendGods((Kind.STEP_PYRAMID,))),
        ("gods s", TURN, SpendGods((Kind.STEP_PYRAMID,))),
        ("p", BID, Pass()),
        ("8", BID, Bid(8)),
        ("b 13", BID, Bid(13)),
        ("d ag ag", UNREST, Discard((Kind.AGRICULTURE, Kind.AGRICULTURE))),
        ("discard ar as", UNREST, Discard((Kind.ASTRONOMY, Kind.ART))),
    ],
)
def test_beginnings_are_enough(typed: str, prompt: object, command: object) -> None:
    assert read(typed, prompt) == command


@pytest.mark.parametrize(
    ("typed", "prompt", "command"),
    [
        ("draw", FULL, Draw()),
        ("draw", BID, Draw()),
        ("bid 7", BID, Bid(7)),
        ("pass", MUST, Pass()),
        ("gods god", TURN, SpendGods((Kind.GOD,))),
        ("discard nile", UNREST, Discard((Kind.NILE,))),
        ("pass", None, Pass()),
    ],
)
def test_what_is_not_offered_is_left_to_the_server(
    typed: str, prompt: object, command: object
) -> None:
    assert read(typed, prompt) == command


@pytest.mark.parametrize(
    ("typed", "prompt", "told"),
    [
        ("g p", None, "'p' could be pharaoh, palace or pyramid"),
        ("d a a", UNREST, "'a' could be astronomy, agriculture or art"),
        ("d", None, "'d' could be draw or discard"),
    ],
)
def test_what_could_be_several_things_says_so(typed: str, prompt: object, told: str) -> None:
    with pytest.raises(Ambiguous) as refused:
        read(typed, prompt)
    assert str(refused.value) == told


@pytest.mark.parametrize(
    "typed",
    ["", "  ", "x", "draw nile", "bid", "bid x", "bid 1 2", "gods", "bid ８", "gods 7", "13"],
)
def test_what_is_no_command_is_unreadable(typed: str) -> None:
    with pytest.raises(Unreadable):
        read(typed, TURN)


def test_a_number_is_never_a_beginning() -> None:
    assert read("1", BidPrompt((13,), True)) == Bid(1), "refused by the server, not bid as 13"


def test_the_prompt_says_which_verbs_there_are() -> None:
    assert grammar(TURN) == {
        "draw": (),
        "ra": (),
        "gods": (Kind.NILE, Kind.FLOOD, Kind.STEP_PYRAMID),
    }
    assert list(grammar(FULL)) == ["ra"]
    assert list(grammar(BID)) == ["bid", "pass"]
    assert list(grammar(MUST)) == ["bid"]
    assert set(grammar(None)) == {"draw", "ra", "gods", "bid", "pass", "discard"}


@given(st.text(max_size=20), st.sampled_from([TURN, FULL, BID, MUST, UNREST, None]))
def test_any_text_is_read_or_refused(text: str, prompt: object) -> None:
    try:
        command = read(text, prompt)
    except Unreadable:
        return
    assert parse_command(show_command(command)) == command

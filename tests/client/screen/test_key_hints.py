"""A key that is offered says what it does, on every page and at every width; help and the way
out are always among them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.screen.interface import Location, Page
from client.screen.key_hints import KeyHint, Weight, hint_rows, hints, note_line
from client.screen.keys_everywhere import HELP, LOG, QUIT
from client.screen.keys_on_pages import QUESTIONS
from client.screen.lines import Line, text_of, width
from client.screen.press import press
from client.screen.state import ScreenState
from client.screen.status_bar import bar
from engine.deal import Chance
from protocol.messages import Left, TableRow, Tables
from protocol.table import Phase
from tests.client.seated import Seated
from tests.games import seed

WIDTHS = range(40, 121)
ROW = TableRow("KIWI-42", "ra", "standard", Phase.WAITING, 3, 1, ("Anna",))


def offered(lines: Sequence[Line]) -> dict[str, str]:
    """The keys in these lines, each with its word."""
    found: dict[str, str] = {}
    for line in lines:
        for (style, text), after in itertools.pairwise([*line, ("", "")]):
            if style.endswith(".key"):
                assert not after[0].endswith(".key"), f"{text} has no word: {text_of([line])}"
                found[text.strip()] = after[1].strip()
    return found


def check(state: ScreenState) -> None:
    """At every width: no key without its word, help and the way out where they work."""
    choosing = state.answer.pick is not None or (state.menu is not None and state.menu.pick)
    everywhere = state.field is None and state.page.shown not in QUESTIONS and not choosing
    for columns in WIDTHS if not choosing else WIDTHS[10:]:
        lines = bar(state, columns)
        assert {width(line) for line in lines} == {columns}
        words = offered(lines)
        told = f"{columns}: {text_of(lines)}"
        assert all(words.values()), told
        assert "…" not in "".join(words.values()), told
        if everywhere and not state.notice:
            assert QUIT.name in words or state.location is Location.FORM, told
            assert HELP.name in words or state.page.shown is Page.HELP, told
        for choice in state.menu.choices if everywhere and state.menu is not None else ():
            assert choice.key in words or state.timeline.interlude is not None, told


def pages(state: ScreenState) -> Iterator[str]:
    """Everything that can lie over the table, opened and closed again."""
    assert state.game_screen is not None
    for key in (HELP.name, LOG.name, *state.game_screen.pages):
        press(state, key)
        yield key
        press(state, "escape")
    press(state, "c")
    yield "chat"
    state.cancel()
    press(state, QUIT.name)
    if state.left is None:
        yield QUIT.name
        press(state, "n")
    state.left = None


def look(state: ScreenState) -> set[str]:
    """Check all that can lie over the table; what that was."""
    looked = set()
    for page in pages(state):
        check(state)
        looked.add(page)
    return looked


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(("game", "seat"), [("ra", 0), ("ra", None), ("miniature", 0)])
def test_every_page_of_a_match(game: str, seat: int | None, number: int) -> None:
    made, chance = Seated(seat, game, number), Chance(seed(number))
    state, stops, looked = made.state, 0, set()
    while not made.over():
        made.others_move(chance)
        while state.behind or state.timeline.interlude is not None:
            check(state)
            press(state, " ")
        check(state)
        if stops % 12 == 0:
            looked |= look(state)
        stops += 1
        scene = made.joined.conversation.model.scene
        if seat is None or scene is None or scene.mine is None:
            continue
        for choice in state.menu.choices if state.menu is not None else ():
            if choice.pick is not None:
                press(state, choice.key)
                press(state, "1")
                check(state)
                press(state, "escape")
        state.answer.act(chance.choice(made.played.game.choices(scene.mine.prompt)))
        check(state)
        assert made.grant()
    made.present()
    assert state.ended
    check(state)
    looked |= look(state)
    assert {HELP.name, LOG.name, "chat"} <= looked
    press(state, "v")
    check(state)


def test_every_page_before_a_match() -> None:
    made = Seated()
    made.joined.down(Left("TEST-1"))
    state = made.state
    for tables in ((), (ROW,)):
        made.joined.down(Tables(tables))
        assert state.location is Location.LOBBY
        check(state)
    press(state, "n")
    assert state.form is not None
    check(state)
    press(state, "escape")
    press(state, "j")
    check(state)


def test_the_end_of_a_match_at_60_columns_says_what_each_key_does() -> None:
    made, chance = Seated(), Chance(seed(4))
    made.play_out(chance)
    last = text_of(bar(made.state, 60)).splitlines()[-1].strip()
    assert last.split("  ")[-7:] == [
        "? help",
        "v board",
        "w save",
        "b tables",
        "c chat",
        "q leave",
        "l log",
    ]
    assert "w save the record" in text_of(bar(made.state, 80))


KEYS = (
    KeyHint("?", "help"),
    KeyHint("w", "save the record", "save", Weight.OFFER),
    KeyHint("c", "chat", weight=Weight.TALK),
    KeyHint("q", "leave"),
    KeyHint("l", "the log", "log", Weight.LIGHT),
)


def test_words_grow_shorter_before_entries_go_the_least_important_first() -> None:
    shown = {columns: text_of([hints(KEYS, columns)]) for columns in range(60)}
    assert list(dict.fromkeys(shown.values())) == [
        "",
        " ? help",
        " ? help  q leave",
        " ? help  w save  q leave",
        " ? help  w save  c chat  q leave",
        " ? help  w save  c chat  q leave  l log",
        " ? help  w save the record  c chat  q leave  l log",
        " ? help  w save the record  c chat  q leave  l the log",
    ]


_hints = st.builds(
    KeyHint,
    st.sampled_from("abcdefgh"),
    st.text("xyz ", min_size=1, max_size=20).filter(str.strip),
    st.text("xyz", max_size=6),
    st.sampled_from([weight for weight in Weight if weight is not Weight.NOTE]),
)


@given(st.lists(_hints, max_size=9, unique_by=lambda hint: hint.key), st.integers(0, 130))
def test_what_goes_weighs_no_more_than_what_stays(keys: list[KeyHint], columns: int) -> None:
    for lines in ((hints(keys, columns),), hint_rows(keys, columns)):
        assert all(width(line) <= columns for line in lines)
        shown = offered(lines)
        assert all(shown.values())
        gone = [hint.weight for hint in keys if hint.key not in shown]
        kept = [hint.weight for hint in keys if hint.key in shown]
        if gone and kept:
            assert max(gone) <= min(kept)
            short = {hint.key: (hint.short or hint.word).strip() for hint in keys}
            assert list(shown) == [hint.key for hint in keys if hint.key in shown]
            assert set(short) >= set(shown)


@given(st.text("mno ", max_size=90), st.integers(40, 120), st.booleans())
def test_beside_a_note_no_key_loses_its_word(note: str, columns: int, alarm: bool) -> None:
    line = note_line(note, KEYS, columns, "bar", alarm=alarm)
    assert width(line) == columns
    words = offered([line])
    assert all(words[hint.key] in (hint.word, hint.short) for hint in KEYS if hint.key in words)
    if not alarm:
        assert {"?", "q"} <= set(words)

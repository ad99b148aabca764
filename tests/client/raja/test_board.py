"""The board of Raja answers at a glance, at every size, with every name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import evolve

from client.raja.board import LEAST, board_lines, headline, stage, track
from client.raja.menu import menu
from client.raja.sight import board_of
from client.raja.words import place_name
from client.screen.game_api import Moment
from client.screen.lines import text_of, width
from client.text import clean
from engine.match import Match
from engine.raja.words.map import CITIES, VILLAGES, Place
from engine.raja.words.prompts import FoundPrompt, TurnPrompt
from engine.raja.words.views import Board, RajaPhase
from tests.client.raja.positions import NAMES, first, positions, scene

ODD_NAMES = tuple(
    clean(name)
    for name in ("日本語プレイヤー", "👨‍👩‍👧‍👦 family", "❤️ heart", "e\u0301e\u0301 Bob", "한글이름")
)
"""Names as the client has them: cleaned."""
SIZES = [LEAST, (60, 40), (79, 20), (80, 20), (80, 24), (100, 30), (120, 40), (200, 60)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_line_fits_and_everybody_and_every_city_is_there(
    seats: int, columns: int, rows: int
) -> None:
    room = rows - 5
    for number, step in enumerate(positions(seats, seed=seats)):
        if number % 40:
            continue
        for seat in (None, number % seats):
            shown = scene(step.match, seat, ODD_NAMES)
            lines = board_lines(Moment(shown), columns, room)
            assert len(lines) <= room
            assert {width(line) for line in lines} == {columns}
            text = text_of(lines)
            for name in ODD_NAMES[:seats]:
                assert name[:3] in text
            for city in CITIES:
                assert city.name[:3] in text
            assert width(stage(shown, columns)) == columns


def test_the_map_shows_what_stands_in_villages_and_cities() -> None:
    match = first(3, lambda match: any(one.central is not None for one in board(match).palaces))
    shown = scene(match, 0)
    text = text_of(board_lines(Moment(shown), 80, 30))
    view = board_of(shown)
    for number, village in enumerate(VILLAGES, 1):
        owners = "".join(NAMES[owner][0] for owner in view.houses[village])
        assert f"{number}:{owners}{'o' * (2 - len(owners))}" in text
    for city in CITIES:
        central = view.palaces[city].central
        if central is not None:
            outer = "".join(NAMES[owner][0] for owner in view.palaces[city].outer)
            assert f"[{NAMES[central][0]}]{outer}" in text
    assert f"☼{view.maharaja.name}" in text


def board(match: Match[Any]) -> Board:
    return board_of(scene(match, None))


def test_roads_that_can_be_taken_show_their_key_at_the_city() -> None:
    match = first(
        3, lambda match: any(_travels(asked.prompt) > 1 for asked in match.asked.values())
    )
    seat, asked = next(iter(match.asked.items()))
    text = text_of(board_lines(Moment(scene(match, seat)), 80, 24))
    other = text_of(board_lines(Moment(scene(match, (seat + 1) % 3)), 80, 24))
    prompt = asked.prompt
    assert isinstance(prompt, TurnPrompt)
    for number, fare in enumerate(prompt.travel, 1):
        name = "camp" if fare.place.name == "CAMP" else fare.place.name
        assert re.search(rf" {number} ☼?{name}", text)
        assert not re.search(rf" {number} ☼?{name}", other)


def _travels(prompt: object) -> int:
    return len(prompt.travel) if isinstance(prompt, TurnPrompt) else 0


def test_what_is_pointed_at_stands_out() -> None:
    match = first(2, lambda match: match.state.phase is RajaPhase.FOUNDING)
    seat, asked = next(iter(match.asked.items()))
    assert isinstance(asked.prompt, FoundPrompt)
    shown = scene(match, seat)
    asking = menu(shown)
    assert asking is not None and asking.pointing is not None
    index = 7
    lines = board_lines(Moment(shown, pointing=asking.pointing, pointed=index), 80, 24)
    pointed = [text for line in lines for style, text in line if style == "class:pointed"]
    number = asking.pointing.targets[index].mark - Place.V01 + 1
    assert "".join(pointed).startswith(f"{number}:")


def test_gold_is_hidden_and_my_own_is_not() -> None:
    match = first(3, lambda match: match.state.round == 2)
    shown = scene(match, 1)
    lines = text_of(board_lines(Moment(shown), 80, 30)).splitlines()
    rows = {name: next(line for line in lines if f" {name} " in line) for name in NAMES[:3]}
    assert shown.own is not None and re.search(rf" {shown.own.gold}\b", rows["Boris"])
    assert " ? " in rows["Anna"] + " " and " ? " in rows["Chen"] + " "


def test_a_change_since_the_last_action_is_marked() -> None:
    match = first(2, lambda match: match.state.round == 2)
    shown = scene(match, 0)
    assert shown.own is not None
    poorer = evolve(shown.own, gold=shown.own.gold - 1)
    text = text_of(board_lines(Moment(shown, base=shown.board, base_own=poorer), 80, 24))
    assert f"▴{shown.own.gold}" in text


def test_the_first_lines_say_how_far_the_game_is_and_where_the_maharaja_goes() -> None:
    match = first(4, lambda match: match.state.round == 3)
    shown = scene(match, 0)
    assert headline(shown, 80) == "round 3 of 10" and headline(shown, 60) == "round 3/10"
    view = board_of(shown)
    for columns in (60, 80, 120):
        text = text_of([track(view, columns)])
        assert width(track(view, columns)) <= columns
        assert place_name(view.maharaja) in text and place_name(view.track[0]) in text

"""The board of Ra answers at a glance, at every size, with every name."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from client.ra.board import LEAST, board_lines, stage
from client.ra.players import columns_for
from client.ra.screen import RaScreen
from client.ra.table import table_lines
from client.screen.game_api import Moment
from client.screen.lines import Line, text_of, width
from client.text import clean
from engine.match import Match
from engine.ra.game import RA
from engine.ra.words.prompts import BidPrompt
from engine.ra.words.views import Board
from protocol.table import Phase
from tests.client.ra.positions import NAMES, first, positions, scene

ODD_NAMES = tuple(
    clean(name)
    for name in ("日本語プレイヤー", "👨‍👩‍👧‍👦 family", "❤️ heart", "e\u0301e\u0301 Bob", "한글이름")
)
"""Names as the client has them: cleaned."""
SIZES = [LEAST, (60, 40), (79, 20), (80, 20), (80, 24), (100, 30), (116, 40), (120, 40), (200, 60)]
FACE = RaScreen()


def bidding(match: Match[Any]) -> bool:
    asked = match.asked.get(0)
    board = RA.public(match.state)
    return (
        asked is not None
        and isinstance(asked.prompt, BidPrompt)
        and len(asked.prompt.suns) > 0
        and board.auction is not None
        and any(board.auction.bids)
    )


def text(lines: list[Line]) -> str:
    return text_of(lines)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_line_fits_and_every_player_has_a_row(seats: int, columns: int, rows: int) -> None:
    room = rows - 5
    for number, position in enumerate(positions(seats, seed=seats)):
        if number % 25:
            continue
        for seat in (None, number % seats):
            shown = scene(position.match, seat, ODD_NAMES)
            lines = board_lines(Moment(shown), columns, room)
            assert len(lines) <= room
            assert {width(line) for line in lines} == {columns}
            assert "──" in text(lines[-1:]), "the board is cut"
            for name in ODD_NAMES[:seats]:
                assert name[:3] in text(lines)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_names_never_move_a_column(columns: int) -> None:
    match = first(5, lambda m: m.number > 60).match
    plain = board_lines(Moment(scene(match, 0, NAMES)), columns, 40)
    odd = board_lines(Moment(scene(match, 0, ODD_NAMES)), columns, 40)
    plan = columns_for(columns, 5)
    behind = 2 + plan.name + 1
    for one, other in zip(plain, odd, strict=True):
        if text([one]) == text([other]) or "──" in text([one]):
            continue
        assert columns_after(one, behind) == columns_after(other, behind)


def columns_after(line: Line, behind: int) -> str:
    """A line's text from a column on, wherever the letters before it end."""
    found, at = "", 0
    for _, part in line:
        for char in part:
            size = width([("", char)])
            if at >= behind:
                found += char
            at += size
    return found


def test_who_can_still_outbid_is_said_in_words_and_marks() -> None:
    match = first(3, bidding).match
    shown = scene(match, 0)
    board = shown.board
    assert isinstance(board, Board) and board.auction is not None
    top = max(bid or 0 for bid in board.auction.bids)
    said = text([stage(shown, 120)])
    assert f" {top}" in said and "can outbid: " in said
    mine = "/".join(str(sun) for sun in board.players[0].up if sun > top)
    assert f"you {mine}" in said
    styles = {
        (part.strip(), style)
        for line in board_lines(Moment(shown), 80, 19)
        for style, part in line
        if style.startswith("class:sun")
    }
    for sun in board.players[0].up:
        wanted = "class:sun.can" if sun > top else "class:sun.low"
        assert (str(sun), wanted) in styles
    assert (f"►{top}", "class:sun.highest") in styles


def test_what_changed_since_the_viewer_acted_is_marked() -> None:
    match = first(3, lambda m: m.number > 40).match
    shown = scene(match, 0)
    board = shown.board
    assert isinstance(board, Board)
    tiles = list(board.players[1].tiles)
    tiles[3] += 2
    player = evolve(board.players[1], tiles=tuple(tiles))
    after = evolve(board, players=(board.players[0], player, board.players[2]))
    moment = Moment(evolve(shown, board=after), base=board)
    assert f"▴{tiles[3]}" in text(board_lines(moment, 80, 19))
    calm = Moment(evolve(shown, board=after), base=after)
    assert "▴" not in text(board_lines(calm, 80, 19))


def test_the_newest_tile_is_marked_under_its_place() -> None:
    def drawn(match: Match[Any]) -> bool:
        return len(RA.public(match.state).track) == 3

    match = first(3, drawn).match
    lines = board_lines(Moment(scene(match, 0)), 80, 19)
    marks = next(line for line in text(lines).splitlines() if "▲" in line)
    assert 1 + 2 * 9 <= marks.index("▲") < 1 + 3 * 9


def test_a_spectator_sees_no_points_and_no_face_down_sun() -> None:
    match = first(4, lambda m: any(p.down for p in RA.public(m.state).players)).match
    lines = text(board_lines(Moment(scene(match, None)), 80, 19)).splitlines()
    rows = [line for line in lines if any(name in line for name in NAMES[:4]) and "──" not in line]
    assert len(rows) == 4
    assert all(row.endswith("?") for row in rows)
    assert any("▒▒" in row for row in rows)


def test_the_last_ra_but_one_is_an_alarm() -> None:
    def nearly(match: Match[Any]) -> bool:
        board = RA.public(match.state)
        return board.ra == board.ra_spaces - 1

    match = first(2, nearly).match
    for columns in (60, 80, 120):
        assert "next Ra ends" in text(board_lines(Moment(scene(match, 0)), columns, 19))


@given(st.integers(60, 200), st.integers(20, 60), st.integers(0, 400), st.sampled_from("ts"))
def test_pages_fit(columns: int, rows: int, number: int, key: str) -> None:
    match = _midgame(number % 4)
    shown = scene(match, number % match.setup.seats, ODD_NAMES)
    for line in FACE.page(key, shown, columns, rows):
        assert width(line) <= columns
    for line in FACE.help(columns):
        assert width(line) <= columns


_GAMES: dict[int, Match[Any]] = {}


def _midgame(kind: int) -> Match[Any]:
    if kind not in _GAMES:
        game = list(positions(2 + kind, seed=3 + kind))
        _GAMES[kind] = game[-1].match
    return _GAMES[kind]


def closed(match: Match[Any], seat: int | None) -> Any:
    """The table of a match that goes on, closed."""
    shown = scene(match, seat)
    return evolve(shown, table=evolve(shown.table, phase=Phase.CLOSED))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_after_the_end_no_ra_is_announced(columns: int, rows: int) -> None:
    match = _midgame(1)
    for seat in (None, 0):
        shown = text(board_lines(Moment(scene(match, seat)), columns, rows - 5))
        assert "THE END" in shown
        assert "Ra from now" not in shown and "Ra ends" not in shown and "to end" not in shown
        assert "epoch III is over" in shown or columns < 80


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_board_whose_table_was_closed_promises_nothing(columns: int) -> None:
    match = first(3, bidding).match
    lines = text(board_lines(Moment(closed(match, 0)), columns, 30))
    assert "CLOSED" in lines and "closed" in lines
    for promise in ("ends epoch", "to end", "outbid", "to bid", "turn", "►►"):
        assert promise not in lines
    assert FACE.waiting(closed(match, 0)) == FACE.refuse(closed(match, 0), "d")
    assert FACE.waiting(closed(match, 0)) == "The table is closed."
    plain = "\n".join(table_lines(closed(match, 0)))
    assert "epoch 1 of 3, closed before its end" in plain
    assert "on turn" not in plain and "auction:" not in plain
    assert "on turn" in "\n".join(table_lines(scene(match, 0)))

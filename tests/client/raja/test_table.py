"""The table of Raja as lines of text."""

from __future__ import annotations

from attrs import evolve

from client.raja.game import RAJA
from client.raja.shares import palaces_built
from client.raja.sight import board_of
from client.raja.table import result_line, score_lines, table_lines
from client.state.scene import Scene
from engine.raja.words.pieces import Action, Part
from engine.raja.words.views import OpenAction, RajaPhase
from engine.table.words import Phase
from tests.client.raja.positions import positions, scene


def scenes(seat: int | None = 0, options: tuple[str, ...] = ()) -> list[Scene]:
    """Every scene of one game of three."""
    found = [scene(step.match, seat) for step in positions(3, 5, options=options)]
    return [evolve(one, waiting_for=RAJA.asked(one)) for one in found]


def last(phase: RajaPhase, seat: int | None = 0, options: tuple[str, ...] = ()) -> Scene:
    """The last one in a phase."""
    return [one for one in scenes(seat, options) if board_of(one).phase is phase][-1]


def test_the_table_says_who_has_what_and_where() -> None:
    shown = last(RajaPhase.TURN)
    lines = table_lines(shown)
    text = "\n".join(lines)
    assert lines[0] == "round 10 of 10, turns are being taken"
    assert lines[1].startswith("the Maharaja is in ")
    assert text.count("gold hidden") == 2, "one's own gold is known"
    assert "open actions of " in text
    assert "road from Bikaner to Delhi: village 1 " in text
    assert lines[-1].startswith("waiting for: ")
    assert all(line.isprintable() and len(line) < 300 for line in lines)


def test_chosen_actions_are_told_to_their_owner_alone() -> None:
    mine = next(
        one
        for one in scenes()
        if board_of(one).phase is RajaPhase.CHOOSING and board_of(one).players[0].chosen
    )
    told = [line for line in table_lines(mine) if line.startswith("actions of Anna")]
    assert len(told) == 1 and told[0].startswith("actions of Anna, in secret: ")
    watched = evolve(mine, table_seat=None, own=None)
    assert "actions of Anna: chosen" in table_lines(watched)
    revealed = next(one for one in scenes(None) if board_of(one).players[1].actions)
    (line,) = [one for one in table_lines(revealed) if one.startswith("actions of Boris")]
    assert "chosen" not in line


def test_what_is_left_of_an_action_is_told() -> None:
    shown = last(RajaPhase.TURN)
    board = board_of(shown)
    assert board.turn is not None
    opened = (
        OpenAction(Action.HOUSES, (Part.CITY_HOUSE,)),
        OpenAction(Action.SWAP, (Part.SWAP,)),
    )
    turn = evolve(board.turn, open=opened, roads=1)
    lines = table_lines(evolve(shown, board=evolve(board, turn=turn)))
    name = shown.name(turn.seat)
    told = "build two houses (left: a house in a city); swap characters; 1 road taken"
    assert f"open actions of {name}: {told}" in lines


def test_before_the_first_round_nobody_has_anything() -> None:
    first = scenes()[0]
    lines = table_lines(first)
    assert lines[0] == "round 0 of 10, characters are being taken"
    assert sum("no character" in line for line in lines) == 3
    assert "Delhi: empty" in lines
    told = score_lines(first)
    assert told[0] == "Anna: 0 palaces built, 7 left to build; 15 gold"
    assert told[1].endswith("gold hidden until the end") and len(told) == 3
    assert result_line(first) is None
    assert result_line(evolve(first, board=None)) is None


def test_the_scores_begin_with_the_city_of_the_maharaja() -> None:
    shown = last(RajaPhase.TURN, None, ("open-information",))
    board, lines = board_of(shown), score_lines(shown)
    assert all(line.endswith(" gold") for line in lines[:3])
    assert lines[3].startswith(f"{board.maharaja.name.capitalize()} (the Maharaja is here): ")
    assert any("palace" in line and "points (" in line for line in lines[3:])


def test_the_result_is_one_line_once_it_is_known() -> None:
    over = last(RajaPhase.OVER)
    board = board_of(over)
    said = result_line(over)
    (winner,) = board.winners
    assert said is not None and said.endswith(f" {over.name(winner)} wins.")
    assert palaces_built(board) == tuple(7 - player.palaces for player in board.players)
    assert table_lines(over)[0] == "round 10 of 10, over"
    assert not any(line.startswith("waiting for") for line in table_lines(over))
    closed = last(RajaPhase.TURN)
    closed = evolve(closed, table=evolve(closed.table, phase=Phase.CLOSED))
    assert table_lines(closed)[0] == "round 10 of 10, closed before its end"

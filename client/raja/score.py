"""The score of a city after each round, and the result of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.raja.shares import palaces_built
from client.raja.sight import board_of, marks
from client.raja.style import seat as seat_style
from client.raja.words import place_name
from client.screen.lines import Line, fit, pad
from client.sentences import number_of
from client.state.scene import Scene
from client.text import cut_name
from engine.raja.words.happenings import CityScored
from engine.raja.words.views import Board


def interlude(happenings: Sequence[Any], scene: Scene, columns: int) -> list[Line] | None:
    """The score of the city that was just scored; None if none was."""
    scored = next((one for one in happenings if isinstance(one, CityScored)), None)
    if scored is None:
        return None
    board = board_of(scene)
    name = max(8, min(24, columns - 30))
    lines: list[Line] = [
        [("class:title", f" {place_name(scored.city)} is scored")],
        [],
        [("class:heading", f"     {'':<{name}}  points   gold")],
    ]
    seats = sorted(
        range(len(board.players)), key=lambda seat: (-scored.points[seat], -scored.gold[seat])
    )
    for seat in seats:
        gold = f"+{scored.gold[seat]}" if scored.gold[seat] else "·"
        lines.append(
            [
                ("", "   "),
                (seat_style(seat), marks(scene)[seat]),
                ("class:player.mine" if seat == scene.seat else "", " "),
                ("", pad(cut_name(scene.name(seat), name), name)),
                ("class:points", f"{scored.points[seat]:>8}"),
                ("class:more" if scored.gold[seat] else "class:none", f"{gold:>7}"),
            ]
        )
    return [fit(line, columns) for line in lines]


def ranking(board: Board) -> list[int]:
    """Seats by place: the winner, then palaces built, then gold, then rank."""

    def key(seat: int) -> tuple[bool, int, int, tuple[int, ...]]:
        player = board.players[seat]
        return (
            seat not in board.winners,
            player.palaces,
            -(player.gold or 0),
            tuple(player.characters),
        )

    return sorted(range(len(board.players)), key=key)


def ending(scene: Scene, columns: int) -> list[Line]:
    """The result: who won, and what everybody built."""
    board = board_of(scene)
    built = palaces_built(board)
    if not board.winners:
        return [[("class:title", " The table was closed before the game ended.")]]
    winner = board.winners[0]
    count = number_of(built[winner], "palace", "palaces")
    who = "You win" if winner == scene.seat else f"{scene.name(winner)} wins"
    name = max(8, min(24, columns - 36))
    lines: list[Line] = [
        [],
        [("", " "), ("class:header.title", f" {who} with {count}. ")],
        [],
        [("class:heading", f"      {'':<{name}}  palaces   gold")],
    ]
    for place, seat in enumerate(ranking(board), 1):
        player = board.players[seat]
        lines.append(
            [
                ("", f" {place}. "),
                (seat_style(seat), marks(scene)[seat]),
                ("", " "),
                (
                    "class:title" if seat == winner else "",
                    pad(cut_name(scene.name(seat), name), name),
                ),
                ("class:points", f"{built[seat]:>9}"),
                ("", f"{player.gold if player.gold is not None else '?':>7}"),
            ]
        )
    return [fit(line, columns) for line in lines]

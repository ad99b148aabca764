"""The table of Raja as lines of text, for screen readers too: one thing a line, and no columns that
must line up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from client.raja import phrases
from client.raja.narration import result_sentence
from client.raja.shares import cities_in_order, palaces_built, ranked, told
from client.raja.sight import board_of, own_of
from client.raja.words import PART_NAMES, place_name
from client.sentences import listed, number_of
from client.state.scene import Scene
from engine.raja.words.map import CITIES, ROADS, Place
from engine.raja.words.pieces import PARTS
from engine.raja.words.views import Board, OpenAction, RajaPhase, Turn

_STAGES = {
    RajaPhase.CHARACTERS: "characters are being taken",
    RajaPhase.FOUNDING: "the first houses are being founded",
    RajaPhase.CHOOSING: "actions are being chosen",
    RajaPhase.TURN: "turns are being taken",
    RajaPhase.REPLACEMENT: "a player who was robbed takes a character",
    RajaPhase.OVER: "over",
}


def table_lines(scene: Scene) -> list[str]:
    """The whole table."""
    board = board_of(scene)
    stage = _STAGES[board.phase]
    if scene.over and not board.winners:
        stage = "closed before its end"
    lines = [
        f"round {board.round} of {board.last_round}, {stage}",
        f"the Maharaja is in {place_name(board.maharaja)}",
        f"coats of arms, the lowest first: {', '.join(map(place_name, board.track))}",
        f"characters in the display: {phrases.characters(board.display)}",
    ]
    for seat in range(len(board.players)):
        lines += _player(scene, board, seat)
    if board.turn is not None and not scene.over:
        lines.append(_turn(scene, board.turn))
    lines += [_city(scene, board, city) for city in CITIES]
    lines += [_road(scene, board, *road.ends, road.villages) for road in ROADS]
    if scene.running and scene.asked:
        lines.append(f"waiting for: {listed([scene.name(seat) for seat in scene.asked])}")
    return lines


def score_lines(scene: Scene) -> list[str]:
    """The palaces and gold of all players, as far as the viewer may know; then what every city
    would count as things stand."""
    board = board_of(scene)
    built = palaces_built(board)
    lines = []
    for seat in range(len(board.players)):
        palaces = number_of(built[seat], "palace", "palaces")
        left, gold = board.players[seat].palaces, _gold(scene, board, seat)
        purse = "gold hidden until the end" if gold is None else f"{gold} gold"
        lines.append(f"{scene.name(seat)}: {palaces} built, {left} left to build; {purse}")
    for city in cities_in_order(board):
        shares = _shares(scene, board, city)
        here = city is board.maharaja
        if shares or here:
            where = " (the Maharaja is here)" if here else ""
            lines.append(f"{place_name(city)}{where}: {'; '.join(shares) or 'nobody'}")
    return lines


def result_line(scene: Scene) -> str | None:
    """Who won, once it is known."""
    board = scene.board
    if not isinstance(board, Board) or not board.winners:
        return None
    gold = [player.gold or 0 for player in board.players]
    return result_sentence(palaces_built(board), gold, board.winners[0], scene.name)


def _gold(scene: Scene, board: Board, seat: int) -> int | None:
    """A seat's gold; None if it is hidden from the viewer."""
    own = own_of(scene)
    gold = board.players[seat].gold
    return own.gold if gold is None and own is not None and seat == scene.seat else gold


def _player(scene: Scene, board: Board, seat: int) -> list[str]:
    player, name = board.players[seat], scene.name(seat)
    gold = _gold(scene, board, seat)
    parts = [
        phrases.characters(player.characters) if player.characters else "no character",
        f"architect in {place_name(player.architect)}",
        f"{number_of(player.supply, 'house', 'houses')} in the supply, {player.quarry} in the "
        "quarry",
        f"{number_of(player.palaces, 'palace', 'palaces')} left",
        "gold hidden" if gold is None else f"{gold} gold",
    ]
    turn = board.turn
    marks = [
        mark
        for mark, true in (
            ("you", seat == scene.seat),
            ("on turn", turn is not None and turn.seat == seat and not scene.over),
            ("has had the turn of this round", player.acted and not scene.over),
        )
        if true
    ]
    lines = [f"{name}: {'; '.join(parts)}" + (f" ({', '.join(marks)})" if marks else "")]
    own = own_of(scene)
    if player.actions:
        lines.append(f"actions of {name}: {phrases.actions(player.actions)}")
    elif own is not None and own.actions and seat == scene.seat:
        lines.append(f"actions of {name}, in secret: {phrases.actions(own.actions)}")
    elif player.chosen:
        lines.append(f"actions of {name}: chosen")
    return lines


def _turn(scene: Scene, turn: Turn) -> str:
    opened = [_open(one) for one in turn.open]
    roads = number_of(turn.roads, "road", "roads")
    return f"open actions of {scene.name(turn.seat)}: {'; '.join(opened) or 'none'}; {roads} taken"


def _open(one: OpenAction) -> str:
    if one.parts == PARTS.get(one.action):
        return phrases.action(one.action)
    left = listed([PART_NAMES[part] for part in one.parts])
    return f"{phrases.action(one.action)} (left: {left})"


def _city(scene: Scene, board: Board, city: Place) -> str:
    return f"{place_name(city)}: {'; '.join(_shares(scene, board, city)) or 'empty'}"


def _shares(scene: Scene, board: Board, city: Place) -> list[str]:
    """What each player has in a city, the most points first; equals by rank."""
    return [
        f"{scene.name(seat)} {number_of(one.points, 'point', 'points')} ({told(one)})"
        for seat, one in ranked(board, city)
    ]


def _road(scene: Scene, board: Board, one: Place, other: Place, villages: Sequence[Place]) -> str:
    told = [
        f"{place_name(village)} {_owners(scene, board.houses[village])}" for village in villages
    ]
    return f"road from {place_name(one)} to {place_name(other)}: {', '.join(told)}"


def _owners(scene: Scene, owners: Sequence[int]) -> str:
    names = [
        scene.name(seat) if count == 1 else f"{scene.name(seat)} {count} houses"
        for seat, count in sorted(Counter(owners).items())
    ]
    return listed(names) if names else "empty"

"""The board of Raja as lines of styled fragments, for a given width and height.

From top to bottom: the track, the map, the players, and what is going on; on wide screens the
players stand beside the map. Only reads views and words, and does not know any rule.
"""

from __future__ import annotations

from client.raja.layout import LEAST as LEAST_MAP
from client.raja.map_picture import MAHARAJA, Highlights, map_lines, road_keys
from client.raja.players import heading, rows
from client.raja.sight import board_of
from client.raja.words import ACTION_NAMES, ACTION_SHORT, PART_NAMES, place_name
from client.screen.game_api import Moment
from client.screen.lines import Line, first_fitting, fit, width
from client.state.scene import Scene
from engine.raja.words.map import Place
from engine.raja.words.prompts import TurnPrompt
from engine.raja.words.views import Board, OpenAction, RajaPhase

LEAST = (60, 20)
"""Columns and rows of the smallest screen that holds a table of five."""
_LARGEST_MAP = (110, 24)


def headline(scene: Scene, columns: int) -> str:
    """How far the game is."""
    if scene.board is None:
        return ""
    board = board_of(scene)
    if not board.round:
        return "setting up"
    last = f" of {board.last_round}"
    return f"round {board.round}{last if columns >= 70 else f'/{board.last_round}'}"


def board_lines(moment: Moment, columns: int, room: int) -> list[Line]:
    """The board in at most `room` lines."""
    players = rows(moment, columns)
    spare = room - 1 - LEAST_MAP[1] - len(players)
    head = [heading(moment, columns)] if spare >= 1 else []
    spare -= len(head)
    going_on = [stage(moment.scene, columns)] if spare >= 1 else []
    spare -= len(going_on)
    tall = max(1, min(_LARGEST_MAP[1], LEAST_MAP[1] + max(0, spare)))
    wide = min(_LARGEST_MAP[0], columns - 2)
    picture = map_lines(moment.scene, _highlights(moment), wide, tall)
    margin = ("", " " * ((columns - wide) // 2))
    lines = [
        track(board_of(moment.scene), columns),
        *[[margin, *line] for line in picture],
        *head,
        *players,
        *going_on,
    ]
    return [fit(line, columns) for line in lines[:room]]


def track(board: Board, columns: int) -> Line:
    """Where the Maharaja is, and where he goes next."""
    names = [place_name(city) for city in board.track]
    here = [("class:heading", "Maharaja "), ("class:city.maharaja", f"{MAHARAJA}{_here(board)}")]
    variants: list[Line] = [
        [*here, ("class:dim", "   next: "), ("class:strong", names[0]), ("", f", {_rest(names)}")],
        [*here, ("class:dim", "  "), ("class:strong", names[0]), ("", f" {' '.join(names[1:])}")],
        [*here, ("", " "), *_short(names)],
    ]
    return first_fitting(variants, columns)


def _here(board: Board) -> str:
    return "camp" if board.maharaja is Place.CAMP else place_name(board.maharaja)


def _rest(names: list[str]) -> str:
    return ", ".join(names[1:])


def _short(names: list[str]) -> Line:
    return [
        ("class:strong", f"{names[0]} "),
        ("", " ".join(name[:4] for name in names[1:])),
    ]


def _highlights(moment: Moment) -> Highlights:
    scene = moment.scene
    board = board_of(scene)
    asked = scene.mine
    prompt = asked.prompt if asked is not None else None
    keys: dict[Place, str] = {}
    if isinstance(prompt, TurnPrompt) and moment.pointing is None:
        keys = road_keys([fare.place for fare in prompt.travel])
    seat = scene.seat
    targets: frozenset[Place] = frozenset()
    pointed = None
    if moment.pointing is not None:
        places = [target.mark for target in moment.pointing.targets]
        targets = frozenset(place for place in places if isinstance(place, Place))
        pointed = places[moment.pointed] if moment.pointed < len(places) else None
    return Highlights(
        keys=keys,
        architect=board.players[seat].architect if seat is not None else None,
        targets=targets,
        pointed=pointed if isinstance(pointed, Place) else None,
    )


def stage(scene: Scene, columns: int) -> Line:
    """A line that says what is going on."""
    inner = columns - 6
    title = first_fitting(_going_on(scene), inner)
    rest = columns - 4 - width(title) - 1
    return [("class:rule", "── "), *title, ("class:rule", " " + "─" * max(0, rest) + "─")]


def _going_on(scene: Scene) -> list[Line]:
    board = board_of(scene)
    if board.winners:
        return [[("class:title", "THE END")]]
    if scene.over:
        return [[("class:title", "CLOSED"), ("", " before the end")]]
    if board.turn is not None:
        return _turn(scene, board)
    what = {
        RajaPhase.CHARACTERS: "CHARACTERS: everybody takes one",
        RajaPhase.FOUNDING: "FOUNDING: everybody places four houses",
        RajaPhase.CHOOSING: "CHOOSING: everybody chooses two actions in secret",
    }.get(board.phase, "")
    return [[("class:title", what)]]


def _turn(scene: Scene, board: Board) -> list[Line]:
    turn = board.turn
    assert turn is not None
    who = "your turn" if turn.seat == scene.seat else f"{scene.name(turn.seat)}'s turn"
    opened = ", ".join(map(_open, turn.open)) or "nothing left to do"
    roads = f" · {turn.roads} roads taken" if turn.roads > 1 else ""
    short = ", ".join(ACTION_SHORT[one.action] for one in turn.open)
    return [
        [("class:title", who), ("", f": {opened}{roads}")],
        [("class:title", who), ("", f": {opened}")],
        [("class:title", who), ("", f": {short}")],
        [("class:title", who)],
    ]


def _open(one: OpenAction) -> str:
    """An open action; with the parts that are left, if it has several."""
    name = ACTION_NAMES[one.action]
    if len(one.parts) == 1:
        return name
    return f"{name} ({', '.join(PART_NAMES[part] for part in one.parts)})"

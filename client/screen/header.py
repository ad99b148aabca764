"""The first line: what is played, how far the game is, and how the connection is. Only reads."""

from __future__ import annotations

from client.screen.interface import Location
from client.screen.lines import Line, cut, first_fitting, fit, spread, width
from client.screen.state import ScreenState
from client.state.events import ConnectionStatus
from client.state.scene import Scene

LOST = "connection lost …"


def header(state: ScreenState, columns: int) -> Line:
    """What is played, how far the game is, and how the connection is."""
    status = _status(state, state.timeline.scene, columns)
    first = first_fitting(_titles(state, columns), max(0, columns - width(status)))
    if status and status[0][0] == "class:header.alarm":
        # The alarm is shown at every width, whatever else has no room.
        room = max(0, columns - width(status))
        return fit([*fit(first, room, "class:header"), *status], columns, "class:header")
    return spread(first, status, columns, "class:header")


def _titles(state: ScreenState, columns: int) -> list[Line]:
    """What is played and how far the game is, in fewer and fewer words."""
    scene, game, game_screen = state.timeline.scene, state.game, state.game_screen
    title = game.title if game is not None else "Ra Online"
    first: Line = [("class:header.title", f" {title} ")]
    if scene is None:
        return [[*first, ("class:header", f"  {state.where}")]]
    first += [("class:header.strong", f" {scene.table.code} ")]
    rules: Line = [("class:header", f"  {scene.table.ruleset} ")]
    if game_screen is None or scene.board is None:
        return [[*first, *rules], first] if columns >= 80 else [first]
    long: Line = [("class:header", "  " + game_screen.headline(scene, columns))]
    short: Line = [("class:header", "  " + game_screen.headline(scene, game_screen.least[0]))]
    full = [[*first, *rules, *long]] if columns >= 80 else []
    return [*full, [*first, *long], [*first, *short], first]


def _status(state: ScreenState, scene: Scene | None, columns: int) -> Line:
    link = state.conversation.model.connection
    if state.location is Location.NAMING:
        return []
    if state.lost:
        words = "connection lost, reconnecting …"
        return [("class:header.alarm", f" {words if columns >= 80 else LOST} ")]
    if link.status is ConnectionStatus.CONNECTING:
        return [("class:header", " connecting … ")]
    parts: Line = []
    presence = state.conversation.model.presence
    if scene is not None and scene.table_seat is None:
        parts.append(("class:header", " watching "))
    elif presence is not None and presence.watchers and scene is not None:
        parts.append(("class:header", f" {presence.watchers} watching "))
    if scene is None and state.conversation.model.name:
        parts.append(("class:header", f" {cut(state.conversation.model.name, 20)} "))
    return parts

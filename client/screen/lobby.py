"""The pages before a game: the welcome, the tables, the waiting room. Only makes lines."""

from __future__ import annotations

from collections.abc import Sequence

from client.games import GameClient
from client.screen.keys_before_match import NEW_TABLE
from client.screen.lines import Line, cut, fit, middle, pad, right, width, wrap
from client.state.clocks import rules_in_words
from client.state.scene import Scene
from protocol.messages import Presence, TableRow
from protocol.table import Phase

_PHASES = {
    Phase.WAITING: "waiting",
    Phase.PLAYING: "playing",
    Phase.OVER: "over",
    Phase.CLOSED: "closed",
}

_SUN = (
    "\\    |    /",
    ".-─────-.",
    "───  (   R A   )  ───",
    "'-─────-'",
    "/    |    \\",
)


def welcome(columns: int, rows: int, where: str) -> list[Line]:
    """The first page, over the field for the name."""
    lines: list[Line] = []
    if rows >= len(_SUN) + 6:
        lines += [[] for _ in range((rows - len(_SUN) - 6) // 3 + 1)]
        lines += [middle([("class:title", text)], columns) for text in _SUN]
        lines += [[]]
    lines += [
        middle([("class:heading", "Ra Online")], columns),
        middle([("class:dim", where)], columns),
        [],
        middle([("", "What shall the others call you?")], columns),
    ]
    return lines


def connecting(columns: int, rows: int, what: str) -> list[Line]:
    """The page while the server has not answered; `what` is being waited for."""
    empty: list[Line] = [[] for _ in range(max(0, rows // 2 - 1))]
    return [*empty, middle([("class:dim", what)], columns)]


def tables(listed: Sequence[TableRow], chosen: int, columns: int, rows: int) -> list[Line]:
    """The list of tables, with the chosen one marked."""
    lines: list[Line] = [[], [("class:title", " Tables")], []]
    if not listed:
        open_one = f"Open one with {NEW_TABLE.name} and tell the others its code."
        lines += [
            [("", "  There is no open table.")],
            [],
            *([("class:dim", "  " + text)] for text in wrap(open_one, columns - 4)),
        ]
        return lines
    wide = columns >= 76
    lines.append(
        [
            ("class:heading", f"   {pad('code', 15)}{pad('', 9)}{pad('seats', 7)}"),
            ("class:heading", f"{pad('ruleset', 19) if wide else ''}players"),
        ]
    )
    room = max(1, rows - len(lines))
    first = max(0, min(chosen - room // 2, len(listed) - room))
    for number, row in enumerate(listed[first : first + room], first):
        lines.append(_table(row, number == chosen, columns, wide))
    return lines


def _table(row: TableRow, chosen: bool, columns: int, wide: bool) -> Line:
    style = "class:field" if chosen else ""
    names = ", ".join(row.names)
    free = row.phase is Phase.WAITING
    return fit(
        [
            ("class:title", " ► " if chosen else "   "),
            (style, pad(row.code, 15)),
            ("class:good" if free else "class:dim", pad(_PHASES[row.phase], 9)),
            (style, pad(f"{row.taken} of {row.seats}", 7)),
            ("class:dim", pad(row.ruleset, 19) if wide else ""),
            (style, names),
        ],
        columns,
    )


def waiting_room(
    scene: Scene,
    game: GameClient,
    presence: Presence | None,
    invitation: str,
    local: bool,
    columns: int,
    rows: int,
) -> list[Line]:
    """Who is seated, and how the others find the table. The code stands out."""
    table = scene.table
    code = f"  {table.code}  "
    size = len(code)
    lines: list[Line] = [
        [],
        middle([("class:edge.code", "▄" * size)], columns),
        middle([("class:tile.code", code)], columns),
        middle([("class:edge.code", "▀" * size)], columns),
        *_invitation(invitation, columns, local=local),
        [],
    ]
    if rows < len(lines) + len(table.seats) + 4:
        lines = [[("class:title", f" {table.code}  "), ("class:dim", invitation)]]
    options = "".join(f" · {option.replace('-', ' ')}" for option in table.options)
    lines.append(
        [("class:heading", f"  {game.title}"), ("class:dim", f" · {table.ruleset}{options}")]
    )
    rules = rules_in_words(table.clock, table.absence)
    lines += [[("class:dim", "  " + part)] for part in wrap(rules, columns - 4)] if rules else []
    lines.append([])
    name = max(10, min(24, columns - 24))
    for seat in range(len(table.seats)):
        lines.append(_seat(scene, seat, presence, name))
    lines += [[], *_when(scene, columns)]
    return [fit(line, columns) for line in lines[:rows]]


def _invitation(invitation: str, columns: int, *, local: bool) -> list[Line]:
    """How the others get here; `local`: by an address that only works on this machine. The client
    cannot know whether another address leads here, and says nothing about it."""
    word = "on this machine:  " if local else "tell the others:  "
    lines: list[Line] = [[("class:dim", word), ("class:strong", invitation)]]
    if width(lines[0]) > columns:
        lines = [[("class:dim", word.strip())], [("class:strong", invitation)]]
    return [middle(line, columns) for line in lines]


def _seat(scene: Scene, seat: int, presence: Presence | None, name: int) -> Line:
    occupant = scene.table.seats[seat]
    number = ("class:dim", f"  {seat + 1}  ")
    if occupant is None:
        return [number, ("class:none", pad("· free ·", name))]
    words = []
    if seat == scene.table_seat:
        words.append("you")
    if seat == scene.table.host:
        words.append("host")
    if occupant.bot is not None:
        words.append(f"bot ({occupant.bot})")
    elif presence is not None and seat < len(presence.seats) and presence.seats[seat] == 0:
        words.append("away")
    style = "class:strong" if seat == scene.table_seat else ""
    return [number, (style, pad(scene.table_name(seat), name)), ("class:dim", ", ".join(words))]


def _when(scene: Scene, columns: int) -> list[Line]:
    if scene.over:
        text = "The table is closed."
    elif scene.host:
        text = "The game starts when all seats are taken, or when you start it."
    elif scene.table_seat is None:
        text = "You are watching. The game starts when all seats are taken."
    else:
        text = "The game starts when all seats are taken, or when the host starts it."
    if scene.host and scene.table_seat is None and not scene.over:
        text = f"You are the host and are watching. {text}"
    return [[("class:dim", "  " + line)] for line in wrap(text, columns - 4)]


__all__ = ["connecting", "cut", "right", "tables", "waiting_room", "welcome"]

"""The score sheets: after each epoch what the viewer may see, at the end everything."""

from __future__ import annotations

from collections.abc import Sequence

from client.ra.offer import ORDINALS
from client.ra.sight import board_of, own_of
from client.screen.lines import Line, pad, right, wrap
from client.sentences import number_of
from client.state.scene import Scene
from client.text import cut_name
from engine.ra.words.happenings import (
    EpochEnded,
    GameEnded,
    SheetShown,
    SheetsShown,
)
from engine.ra.words.pieces import EPOCHS
from engine.ra.words.views import Board

_LINES: tuple[tuple[str, str, str], ...] = (
    ("god", "gods", "2 each"),
    ("gold", "gold", "3 each"),
    ("pharaoh", "pharaohs", "most +5, fewest -2"),
    ("nile", "Niles and floods", "1 each, with a flood"),
    ("civilization", "civilizations", "3 types 5, 4: 10, 5: 15"),
    ("monument_types", "monument types", "1 each, 7: 10, 8: 15"),
    ("monument_alike", "monuments alike", "3 of one 5, 4: 10, 5: 15"),
    ("suns", "sum of suns", "highest +5"),
)
_HEADS = ("god", "gold", "phar", "Nile", "civ.", "types", "alike", "suns", "sum", "pts")
_SHORT_HEADS = ("god", "gld", "pha", "Nil", "civ", "typ", "alk", "sun", "sum", "pts")


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points) if points else "·"


def interlude(happenings: Sequence[object], scene: Scene, columns: int) -> list[Line] | None:
    """The sheet that an entry brings up; None if no epoch was scored."""
    if any(isinstance(happening, GameEnded) for happening in happenings):
        return None
    for happening in happenings:
        if isinstance(happening, SheetShown):
            return own_sheets(scene, columns)
        if isinstance(happening, SheetsShown):
            return all_sheets(scene, columns)
    if any(isinstance(happening, EpochEnded) for happening in happenings):
        return [
            [("class:title", f" Epoch {_ended(happenings)} is over and scored")],
            [],
            *_dim("The points stay hidden until the game ends.", columns),
        ]
    return None


def _dim(text: str, columns: int) -> list[Line]:
    return [[("class:dim", " " + part)] for part in wrap(text, columns - 2)]


def _ended(happenings: Sequence[object]) -> str:
    return next(ORDINALS[h.epoch] for h in happenings if isinstance(h, EpochEnded))


def own_sheets(scene: Scene, columns: int) -> list[Line]:
    """The viewer's own sheets, one column for each epoch, the newest one bright."""
    own = own_of(scene)
    if own is None:
        return _dim(_hidden_from_you(scene), columns)
    sheets = own.sheets
    if not sheets:
        return _dim(_nothing_scored(scene), columns)
    newest = sheets[-1].epoch
    until = "" if scene.over else " until the end"
    lines: list[Line] = [
        [("class:title", f" Epoch {ORDINALS[newest]} is scored")],
        *_dim(f"your own points; those of the others stay hidden{until}", columns),
        [],
        [("", " " * 20), *_epoch_heads(newest)],
    ]
    for field, label, hint in _LINES:
        if newest < EPOCHS and field in ("monument_types", "monument_alike", "suns"):
            continue
        row: Line = [("", "  " + pad(label, 18))]
        for epoch in range(1, EPOCHS + 1):
            value = next((getattr(s, field) for s in sheets if s.epoch == epoch), None)
            row.append(_cell(value, epoch == newest))
        if columns >= 80:
            row.append(("class:dim", f"   {hint}"))
        lines.append(row)
    lines.append([("class:rule", "  " + "─" * (18 + 11 * EPOCHS))])
    change: Line = [("class:strong", "  " + pad("change", 18))]
    total: Line = [("class:strong", "  " + pad("points", 18))]
    for sheet in sheets:
        change.append(_cell(sheet.change, sheet.epoch == newest))
        total.append(("class:points", right(str(sheet.total), 11)))
    return [*lines, change, total]


def _hidden_from_you(scene: Scene) -> str:
    if scene.over:
        return "You watch: the points stay hidden, for the game was not played to its end."
    return "You watch: the points stay hidden until the game ends."


def _nothing_scored(scene: Scene) -> str:
    if scene.over:
        return "Nothing was scored: the table was closed in the first epoch."
    return "Nothing is scored yet: the first epoch is being played."


def _epoch_heads(newest: int) -> Line:
    return [
        (
            "class:heading" if epoch == newest else "class:dim",
            right(f"epoch {ORDINALS[epoch]}", 11),
        )
        for epoch in range(1, EPOCHS + 1)
    ]


def _cell(value: int | None, bright: bool, columns: int = 11) -> tuple[str, str]:
    if value is None:
        return "class:none", " " * columns
    kind = "class:none" if not value else "class:more" if value > 0 else "class:less"
    return (kind if bright or not value else "class:dim"), right(signed(value), columns)


def all_sheets(scene: Scene, columns: int) -> list[Line]:
    """Everybody's sheets: a block for each player, a row for each epoch."""
    board = board_of(scene)
    if not any(player.hidden is not None and player.hidden.sheets for player in board.players):
        return _dim(_nothing_scored(scene), columns)
    size, heads = (4, _SHORT_HEADS) if columns < 80 else (6, _HEADS)
    name = max(6, min(20, columns - 2 - 4 - size * len(heads)))
    head: Line = [("", " " * (2 + name + 4))]
    head += [("class:heading", right(text, size)) for text in heads]
    lines = [head]
    for seat in ranking(board):
        hidden = board.players[seat].hidden
        won = seat in board.winners
        for sheet in hidden.sheets if hidden is not None else ():
            first = sheet.epoch == 1
            label = cut_name(scene.name(seat), name) if first else ""
            kind = "class:title" if won else "class:heading"
            row: Line = [
                (kind, "► " if won and first else "  "),
                (kind, pad(label, name)),
                ("class:dim", right(ORDINALS[sheet.epoch], 4)),
            ]
            row += [_cell(getattr(sheet, field), True, size) for field, _, _ in _LINES]
            row.append(_cell(sheet.change, True, size))
            last = sheet is hidden.sheets[-1] if hidden is not None else False
            row.append(("class:points" if last else "class:dim", right(str(sheet.total), size)))
            lines.append(row)
    return lines


def ranking(board: Board) -> list[int]:
    """Seats by place: winners, then points, then the highest sun."""

    def key(seat: int) -> tuple[bool, int, int]:
        hidden = board.players[seat].hidden
        points = hidden.points if hidden is not None else 0
        suns = (*board.players[seat].up, *(hidden.down if hidden is not None else ()))
        return (seat not in board.winners, -points, -max(suns, default=0))

    return sorted(range(len(board.players)), key=key)


def ending(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The result: who won, and every sheet."""
    board = board_of(scene)
    if not board.winners:
        return [[("class:title", " The table was closed before the game ended.")]]
    names = [scene.name(seat) for seat in board.winners]
    hidden = board.players[board.winners[0]].hidden
    points = hidden.points if hidden is not None else 0
    told = number_of(points, "point", "points")
    if board.winners == (scene.seat,):
        text = f"You win with {told}!"
    elif scene.seat in board.winners:
        text = f"You share the win with {told}!"
    else:
        verb = "wins" if len(names) == 1 else "share the win"
        text = f"{' and '.join(names)} {verb} with {told}."
    title: list[Line] = [
        [("", " "), ("class:header.title", f" {part} ")] for part in wrap(text, columns - 4)
    ]
    sheets = all_sheets(scene, columns)
    air: list[Line] = [[]] if rows > len(sheets) + 2 else []
    return [*air, *title, *air, *sheets]

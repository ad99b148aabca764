"""The table of Ra as lines of text, for screen readers too: one thing a line, and no columns that
must line up."""

from __future__ import annotations

from client.ra import phrases
from client.ra.narration import SHEET_LINES, result_sentence
from client.sentences import listed, number_of
from client.state.scene import Scene
from engine.ra.words.pieces import Kind
from engine.ra.words.views import Board, Hidden, Player


def table_lines(scene: Scene) -> list[str]:
    """The whole table."""
    board = scene.board
    assert isinstance(board, Board)
    over = ", over" if board.winners else ", closed before its end" if scene.over else ""
    bag = number_of(board.bag, "tile", "tiles")
    lines = [
        f"epoch {board.epoch} of 3{over}, {bag} in the bag",
        f"Ra track: {board.ra} of {board.ra_spaces}",
        f"auction track: {_track(board)}",
        f"sun on the board: {board.sun}",
    ]
    lines += [
        f"{scene.name(seat)}: {_player(scene, board, seat)}" for seat in range(len(board.players))
    ]
    if board.auction is not None and not scene.over:
        lines.append(f"auction: {_auction(scene, board)}")
    if scene.running and scene.asked:
        lines.append(f"waiting for: {listed([scene.name(s) for s in scene.asked])}")
    return lines


def score_lines(scene: Scene) -> list[str]:
    """Points and sheets, as far as the viewer may see them."""
    board = scene.board
    assert isinstance(board, Board)
    lines: list[str] = []
    for seat, player in enumerate(board.players):
        name = scene.name(seat)
        hidden = _hidden(scene, seat, player)
        if hidden is None:
            lines.append(f"{name}: points hidden until the end")
            continue
        lines.append(f"{name}: {number_of(hidden.points, 'point', 'points')}")
        for sheet in hidden.sheets:
            told = ", ".join(
                f"{title} {getattr(sheet, field):+}"
                for field, title in SHEET_LINES
                if getattr(sheet, field)
            )
            lines.append(
                f"{name}, epoch {sheet.epoch}: {told or 'nothing'}; "
                f"in all {sheet.change:+}, then {sheet.total}"
            )
    return lines


def result_line(scene: Scene) -> str | None:
    """Who won, once it is known."""
    board = scene.board
    if not isinstance(board, Board) or not board.winners:
        return None
    points = tuple(player.hidden.points if player.hidden else 0 for player in board.players)
    return result_sentence(points, board.winners, scene.name)


def _hidden(scene: Scene, seat: int, player: Player) -> Hidden | None:
    if player.hidden is None and seat == scene.seat and isinstance(scene.own, Hidden):
        return scene.own
    return player.hidden


def _track(board: Board) -> str:
    return ", ".join(phrases.tile(kind) for kind in board.track) or "empty"


def _player(scene: Scene, board: Board, seat: int) -> str:
    player = board.players[seat]
    hidden = _hidden(scene, seat, player)
    held = {Kind(kind): count for kind, count in enumerate(player.tiles)}
    suns = " ".join(map(str, player.up)) or "none (out)"
    if hidden is not None and hidden.down:
        suns += f", face down {' '.join(map(str, hidden.down))}"
    elif player.down:
        suns += f", face down {player.down}"
    parts = [f"suns {suns}", f"tiles {phrases.counted(held)}"]
    if hidden is not None:
        parts.append(number_of(hidden.points, "point", "points"))
    marks = [
        mark
        for mark, true in (
            ("you", seat == scene.seat),
            ("on turn", seat == board.turn and not scene.over),
        )
        if true
    ]
    return "; ".join(parts) + (f" ({', '.join(marks)})" if marks else "")


def _auction(scene: Scene, board: Board) -> str:
    auction = board.auction
    assert auction is not None
    told = [f"called by {scene.name(auction.seat)}"]
    for seat, bid in enumerate(auction.bids):
        if bid is not None:
            told.append(f"{scene.name(seat)} {f'bid {bid}' if bid else 'passed'}")
    return ", ".join(told)

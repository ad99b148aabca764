"""A game's part of the help page: the marks on its board, then the game in short. Does not know any
game."""

from __future__ import annotations

from collections.abc import Sequence

from client.screen.lines import Line, wrap


def game_help(
    marks: Sequence[tuple[str, str, str]], rules: Sequence[str], columns: int, since: str
) -> list[Line]:
    """`marks`: style, mark (at most eight cells) and meaning, in which `{since}` is the moment
    that marked changes are counted from; `rules`: paragraphs."""
    lines: list[Line] = [[("class:title", " The marks")]]
    for style, mark, meaning in marks:
        first, *rest = wrap(meaning.format(since=since), columns - 12)
        lines.append([("", "  "), (style, mark), ("", " " * (9 - len(mark))), ("", first)])
        lines += [[("", " " * 11 + text)] for text in rest]
    lines += [[], [("class:title", " The game")]]
    for paragraph in rules:
        first, *rest = wrap(paragraph, columns - 5)
        lines.append([("class:dim", "  · "), ("", first)])
        lines += [[("", "    " + text)] for text in rest]
    return lines

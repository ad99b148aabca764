"""Colours and attributes by style class: the one place where they are chosen.

Blocks are drawn reversed (`reverse fg bg`), so that they are still blocks without colour.
Mid-tones are used on the terminal's own background, which may be dark or light.
"""

from __future__ import annotations

from collections.abc import Mapping

NIGHT = "#16233f"
SAND = "#f3e3b3"
GOLD = "#e9b824"
INK = "#1b1b1b"
GREY = "#808080"

SHELL: Mapping[str, str] = {
    "header": f"reverse fg:{NIGHT} bg:{SAND}",
    "header.title": f"reverse fg:{NIGHT} bg:{GOLD} bold",
    "header.strong": f"reverse fg:{NIGHT} bg:#ffffff bold",
    "header.alarm": "reverse fg:#b3261e bg:#ffffff bold",
    "bar": f"reverse fg:#33394a bg:{SAND}",
    "bar.dim": "reverse fg:#33394a bg:#a9adb8",
    "bar.key": f"reverse fg:#33394a bg:{GOLD} bold",
    "mine": f"reverse fg:{GOLD} bg:{INK}",
    "mine.title": f"reverse fg:{GOLD} bg:{INK} bold",
    "mine.key": f"reverse fg:{INK} bg:#ffe9a8 bold",
    "mine.picked": "reverse fg:#1e6b34 bg:#ffffff bold",
    "mine.dim": f"reverse fg:{GOLD} bg:#5c4708",
    "alarm": "reverse fg:#b3261e bg:#ffffff bold",
    "dim": f"fg:{GREY}",
    "rule": f"fg:{GREY}",
    "heading": "bold",
    "title": "fg:#c98a00 bold",
    "strong": "bold",
    "key": "bold underline",
    "log": "",
    "log.old": f"fg:{GREY}",
    "log.new": "bold",
    "log.mark": "fg:#c98a00 bold",
    "chat": "fg:#2f8fa8",
    "edge.code": f"fg:{GOLD}",
    "tile.code": f"reverse fg:{GOLD} bg:{INK} bold",
    "field": "bold",
    "none": f"fg:{GREY}",
    "good": "fg:#2e9d4f bold",
    "bad": "fg:#d0453a bold",
}


def palette(game: Mapping[str, str]) -> dict[str, str]:
    """The style rules of the shell and of one game."""
    return {**SHELL, **game}

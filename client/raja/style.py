"""The colours of Raja: one for each seat, the same everywhere, and those of the map."""

from __future__ import annotations

from collections.abc import Mapping

_SEATS = ("#d0453a", "#4b8fe0", "#2e9d4f", "#a074d0", "#c98a00")
"""Mid-tones, which can be read on dark and on light backgrounds."""

STYLES: Mapping[str, str] = {
    **{f"seat.{seat}": f"fg:{colour} bold" for seat, colour in enumerate(_SEATS)},
    "city": "bold",
    "city.maharaja": "reverse fg:#c98a00 bg:#ffffff bold",
    "village": "fg:#808080",
    "road": "fg:#6a6f7a",
    "road.open": "fg:#2e9d4f bold",
    "target": "underline",
    "pointed": "reverse fg:#e9b824 bg:#1b1b1b bold",
    "player.mine": "bold",
    "player.asked": "fg:#c98a00 bold",
    "open": "bold",
    "done": "fg:#808080",
    "more": "fg:#2e9d4f bold",
    "less": "fg:#d0453a bold",
    "points": "bold",
}


def seat(number: int) -> str:
    """The style of a player's letter."""
    return f"class:seat.{number}"

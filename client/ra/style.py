"""The colours of Ra: one for each kind of tile, the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping

# The block's colour, and that of the text on it.
_TILES: Mapping[str, tuple[str, str]] = {
    "ra": ("#e2591b", "#ffffff"),
    "god": ("#f4efdf", "#3a2c00"),
    "gold": ("#f2c21a", "#2b2000"),
    "pharaoh": ("#7d53a8", "#ffffff"),
    "nile": ("#2367b5", "#ffffff"),
    "flood": ("#7cc8ee", "#0b2a3d"),
    "civilization": ("#2f8f5b", "#ffffff"),
    "monument": ("#b98250", "#1f1206"),
    "disaster": ("#a81d1d", "#ffffff"),
    "sun": ("#f2b705", "#201600"),
}

# Numbers on the terminal's own background: mid-tones of the same colours.
_COUNTS: Mapping[str, str] = {
    "god": "",
    "gold": "fg:#c99a00",
    "pharaoh": "fg:#a074d0",
    "nile": "fg:#4b8fe0",
    "flood": "fg:#3fa9d8",
    "civilization": "fg:#3aa66e",
    "monument": "fg:#c48a58",
}

STYLES: Mapping[str, str] = {
    **{f"tile.{name}": f"reverse fg:{fill} bg:{ink} bold" for name, (fill, ink) in _TILES.items()},
    **{f"edge.{name}": f"fg:{fill}" for name, (fill, _) in _TILES.items()},
    "space": "fg:#5f6470",
    "mark.new": "fg:#c98a00 bold",
    "ra.full": "reverse fg:#e2591b bg:#fff3d6 bold",
    "ra.free": "fg:#808080",
    "ra.last": "fg:#e2591b bold",
    "player.mine": "bold",
    "player.asked": "fg:#c98a00 bold",
    "player.ra": "fg:#e2591b bold",
    "player.out": "fg:#808080",
    "sun": "fg:#c98a00 bold",
    "sun.can": "reverse fg:#f2b705 bg:#201600 bold",
    "sun.highest": "reverse fg:#e2591b bg:#ffffff bold",
    "sun.beaten": "fg:#808080 underline",
    "sun.low": "fg:#808080",
    "sun.down": "fg:#808080",
    **{f"count.{name}": f"{colour} bold".strip() for name, colour in _COUNTS.items()},
    "none": "fg:#6a6f7a",
    "more": "fg:#2e9d4f bold",
    "less": "fg:#d0453a bold",
    "points": "bold",
}

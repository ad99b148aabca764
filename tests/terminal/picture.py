"""Makes docs/screen.svg, the README's picture: the real client's screen in a real
pseudo-terminal, at one step of a recorded game, read back with pyte.

    python -m tests.terminal.picture
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.terminal.filmed import RECORD
from tests.terminal.svg import draw
from tests.terminal.terminal import Terminal

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "screen.svg"
SEAT, STEP, NAMES = 0, 136, ("Anna", "Boris", "Chen", "Dora")
TITLE = "The table of Ra Online in a terminal: an auction, and it is Anna's bid"


def filmed(
    columns: int = 80,
    rows: int = 24,
    *,
    seat: int = SEAT,
    step: int = STEP,
    names: tuple[str, ...] = NAMES,
    record: Path = RECORD,
) -> Terminal:
    """The client, told the game up to the step."""
    command = [sys.executable, "-m", "tests.terminal.filmed", str(record), str(seat), str(step)]
    return Terminal(
        [*command, *names],
        columns,
        rows,
        environment={"COLORTERM": "truecolor"},
        folder=ROOT,
    )


def present(terminal: Terminal) -> bool:
    """Whether the present is shown; presses the key that shows it."""
    text = terminal.text
    if "any key" in terminal.lines()[-1]:
        terminal.press(" ")
    return "► Your" in text and "more to show" not in text and "help" in terminal.lines()[-1]


def make() -> str:
    """The SVG."""
    with filmed() as terminal:
        terminal.until(present)
        return draw(terminal.snapshot(), TITLE)


if __name__ == "__main__":
    PICTURE.write_text(make(), encoding="utf-8")
    print(PICTURE)

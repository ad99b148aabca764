"""The page that is open over the screen, and how far it is scrolled; the client and the replay have
one each. Does not know what is on it."""

from __future__ import annotations

from client.screen.interface import Page
from client.screen.lines import Line

END = 10**6
"""A scroll position beyond the end of every page."""


class OpenPage:
    """At most one page is open."""

    def __init__(self) -> None:
        self.shown: Page | str | None = None
        """The page that is open; a string is the key of one of the game's own."""
        self._scroll = 0

    def open(self, page: Page | str) -> None:
        """Open a page; the log opens at its end."""
        self.shown, self._scroll = page, END if page is Page.LOG else 0

    def close(self) -> None:
        """Close the page, if one is open."""
        self.shown = None

    def scroll_by(self, step: int) -> None:
        """Scroll by so many lines; drawing keeps it within the page."""
        self._scroll = max(0, self._scroll + step)

    def window(self, lines: list[Line], rows: int) -> list[Line]:
        """The lines of the page that are in sight, at most `rows`. A position beyond the page
        becomes its end."""
        self._scroll = max(0, min(self._scroll, len(lines) - rows))
        return lines[self._scroll : self._scroll + rows]

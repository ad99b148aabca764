"""A page that is longer than the screen."""

from __future__ import annotations

from client.screen.interface import Page
from client.screen.lines import Line, text_of
from client.screen.open_page import END, OpenPage

LINES: list[Line] = [[("", str(number))] for number in range(10)]


def shown(page: OpenPage, rows: int = 4) -> list[str]:
    return text_of(page.window(LINES, rows)).split()


def test_the_log_opens_at_its_end_and_other_pages_at_their_beginning() -> None:
    page = OpenPage()
    page.open(Page.LOG)
    assert shown(page) == ["6", "7", "8", "9"]
    page.open("s")
    assert shown(page) == ["0", "1", "2", "3"]
    page.close()
    assert page.shown is None


def test_scrolling_ends_at_the_page_and_turns_back_at_once() -> None:
    page = OpenPage()
    page.open(Page.HELP)
    page.scroll_by(END)
    assert shown(page) == ["6", "7", "8", "9"]
    page.scroll_by(-1)
    assert shown(page) == ["5", "6", "7", "8"], "what was scrolled beyond the end does not count"
    page.scroll_by(-END)
    assert shown(page) == ["0", "1", "2", "3"]
    assert shown(page, 20) == [str(number) for number in range(10)]

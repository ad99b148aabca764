"""The README's picture is the screen that the client shows today."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.terminal.picture import PICTURE, make


def test_the_picture_is_fresh_and_the_same_each_time() -> None:
    drawn = make()
    fresh = drawn == PICTURE.read_text(encoding="utf-8")
    assert fresh, "renew it: python -m tests.terminal.picture"


def test_the_picture_is_an_svg_that_says_what_it_shows() -> None:
    root = ElementTree.fromstring(PICTURE.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(root.itertext())
    for word in ("Ra", "KIWI-42", "Anna", "Your", "AUCTION"):
        assert word in words

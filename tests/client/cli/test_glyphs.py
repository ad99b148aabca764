"""Terminals whose encoding lacks our marks: others stand for them, in as many cells (C18)."""

from __future__ import annotations

import io
import re
import subprocess
from pathlib import Path

import pytest

from client.cli.glyphs import Glyphs, encoding
from client.cli.terminal import Writer
from client.screen.lines import text_of, width
from client.screen.pages import draw
from client.text import width as cells
from tests.client.seated import Seated
from tests.process.serving import program

SOURCES = Path(__file__).resolve().parents[3] / "client"
GOLDEN = SOURCES.parent / "tests" / "golden" / "two-players.ra"


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"LANG": "C"}, "ascii"),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "ascii"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, "ascii"),
        ({"LC_ALL": "de_DE.ISO-8859-1"}, "iso8859-1"),
        ({"LC_CTYPE": "ru_RU.KOI8-R", "LANG": "C"}, "koi8-r"),
        ({"LANG": "de_DE.ISO-8859-15@euro"}, "iso8859-15"),
        ({"LANG": "de_DE.UTF-8"}, "utf-8"),
        ({"LC_CTYPE": "C.UTF-8"}, "utf-8"),
        ({"LANG": "C.UTF-8"}, "utf-8"),
        ({}, "utf-8"),
        ({"LANG": "de_DE"}, "utf-8"),
        ({"LANG": "de_DE.none-such"}, "utf-8"),
        ({"LANG": "C", "PYTHONIOENCODING": "utf-8"}, "utf-8"),
    ],
)
def test_the_environment_tells_the_encoding(environment: dict[str, str], told: str) -> None:
    assert encoding(environment, "utf-8") == told


def test_what_python_was_told_is_believed() -> None:
    assert encoding({"PYTHONIOENCODING": "ascii", "LANG": "de_DE.UTF-8"}, "ascii") == "ascii"


def our_marks() -> set[str]:
    """All that the client's own texts hold beyond ASCII."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        if path.name != "glyphs.py":
            found |= {char for char in path.read_text() if not char.isascii() and cells(char)}
    return found


@pytest.mark.parametrize("name", ["ascii", "iso8859-1", "iso8859-5", "cp437", "koi8-r"])
def test_every_mark_of_ours_has_one_in_its_place(name: str) -> None:
    glyphs = Glyphs(name)
    for mark in our_marks():
        shown = glyphs.in_cells(mark)
        shown.encode(name)
        assert cells(shown) == cells(mark) == 1
        assert shown not in "?_", f"{mark}: neither what is hidden nor what is unknown"


def test_marks_beside_each_other_stay_apart() -> None:
    """In each of these places one of several marks stands, and says which."""
    glyphs = Glyphs("ascii")
    for together in ("·▴▾▒?", "■·☼", "►√▒", "▄┌", "↑↓", "→←", "│─", "…·"):
        shown = [glyphs.in_cells(mark) for mark in together]
        assert len(set(shown)) == len(shown), together


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë", "Zoe"),
        ("Анна", "Anna"),
        ("日本", "____"),
        ("Ωmega", "Omega"),
        ("e\u0301t\u0308", "et"),
        ("ﬁn", "fn"),
        ("☃", "_"),
    ],
)
def test_names_keep_their_cells(name: str, shown: str) -> None:
    assert Glyphs("ascii").in_cells(name) == shown
    assert len(shown) == cells(name)
    assert Glyphs("utf-8").in_cells(name) == name


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_board_keeps_its_columns(columns: int) -> None:
    glyphs = Glyphs("ascii")
    made = Seated()
    for key in ("", "?", "s", "t"):
        for line in draw(made.state, columns, 24):
            shown = [(style, glyphs.in_cells(text)) for style, text in line]
            assert width(shown) == columns
            text_of([shown]).encode("ascii")
        if key:
            made.press(key)


def test_lines_spell_out_what_the_encoding_lacks() -> None:
    for name, written in (
        ("ascii", b'Zo\\xeb, \\u0410: a . b "c" wait...\n'),
        ("iso8859-1", b'Zo\xeb, \\u0410: a \xb7 b "c" wait...\n'),
        ("utf-8", "Zoë, А: a · b “c” wait…\n".encode()),
    ):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding=name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONIOENCODING", name)
            Writer(stream)("Zoë, А: a · b “c” wait…")
        assert raw.getvalue() == written


@pytest.mark.parametrize("how", ["--plain", "--json", "--verify"])
@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C"}, {"LANG": "C"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_a_replay_in_ascii_is_ascii(how: str, environment: dict[str, str]) -> None:
    path = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [program("ra-replay"), str(GOLDEN), how, *(("--at", "60") if how == "--plain" else ())],
        env={**path, **environment},
        capture_output=True,
        check=True,
    )
    assert done.stdout.isascii() and not done.stderr
    assert not re.search(rb"\\u|\\x", done.stdout), "every mark of ours has one in its place"

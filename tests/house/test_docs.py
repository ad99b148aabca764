"""Documents that point somewhere: links, tests and settings they name are there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.house.places import ROOT, sources

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def outside_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for link in LINK.findall(outside_code(page.read_text("utf-8"))):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            dead.append(link)
    assert not dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_are_named_exist(page: Path) -> None:
    missing = []
    for file, function in TEST.findall(page.read_text("utf-8")):
        path = ROOT / file
        if not path.is_file():
            missing.append(file)
        elif function and not re.search(
            rf"^\s*(?:async )?def {function}\(", path.read_text("utf-8"), flags=re.MULTILINE
        ):
            missing.append(f"{file}::{function}")
    assert not missing


def test_every_fault_that_is_settled_has_its_tests() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (B\d\d) \|(.*)$", page, flags=re.MULTILINE))
    core = [5, 10, 15, 17, 20, 21, 22, 24, 29, 30, 32, 35, 36, 38, 40, 41, 42, 45, 46]
    never_lost = [9, 25, 33, 34, 37, 39, 43, 44]
    assert not [row for row in core + never_lost if not TEST.search(rows.get(f"B{row:02}", ""))]


def test_a_fault_has_one_row_and_a_change_one_entry() -> None:
    """Both files are added to by many at once, and merged by keeping all lines."""
    page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    named = re.findall(r"^\| (?!---)(.+?) \|(?!.*\n\| ---)", page, flags=re.MULTILINE)
    changes = re.findall(r"^- .{40}", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert len(named) > 60 and len(changes) > 60
    assert not [one for one, times in Counter(named + changes).items() if times > 1]


def test_the_changelog_knows_this_version() -> None:
    from importlib.metadata import version

    assert f"## [{version('ra-online')}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_no_open_ends_in_the_code() -> None:
    """What is missing is built or said in the documents, not left as a note in the code."""
    words = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
    paths = sources("engine", "protocol", "server", "client", "tests")
    assert not [str(p) for p in paths if words.search(p.read_text("utf-8"))]

"""docs/plain.md lists every line that the plain client prints, and every word it takes."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve

from client.arguments import EPILOG
from client.plain.grammar import Verb
from client.plain.printer import Printer
from client.state.events import FairnessJudged, Rewound
from client.state.model import Model
from tests.client.typed_runs import Typist, run, typist
from tests.client.wire_cutter import proxy
from tests.miniature import ROOT
from tests.server.peer import QUIET, server

PAGE = (ROOT / "docs" / "plain.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[str]:
    """The first column of the table below a heading."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(.+?)` \|", section, flags=re.MULTILINE)


FORMS = {
    form: re.compile(re.sub(r"\\?\b[A-Z]{2,}\b", ".+", re.escape(form).replace(r"\ ", " ")))
    for form in rows("What it prints")
}


def form_of(line: str) -> str:
    """The documented form of a line."""
    found = [form for form, pattern in FORMS.items() if pattern.fullmatch(line)]
    assert found, f"no form of {line!r}"
    return found[0]


async def test_every_line_has_a_form_and_every_form_its_line(tmp_path: Path) -> None:
    lines: list[str] = []
    file = tmp_path / "transcript"
    settings = evolve(QUIET, vote_seconds=0.0, silent_seconds=0.0, hints=True)
    settings = evolve(settings, bot_budget=(("hard", 20),))
    async with server(settings) as app, proxy(app.port) as between:
        where = f"127.0.0.1:{between.port}"
        async with typist(tmp_path, where, "--plain", "--name", "Anna") as anna:
            await anna.line("^link: connected")
            await anna.type("create seats=2 options=open-information", "^present: ")
            await anna.type("tables", "^tables: 1")
            await anna.type("start", "^refused: ")
            await anna.type("say hello", "^chat Anna: hello")
            await anna.type("leave", "^left: ")
            await anna.type("bid 7", "^error: ")
            await anna.type("create seats=3 bots=2", "^your ")
            choice = await anna.type("choices", "^choice: (.+)")
            assert choice is not None
            await anna.type("hint", "^hint: ")
            await anna.type("state", "^  waiting for: Anna")
            await anna.type(f"transcript {file}", "^saved: ")
            await anna.type(choice[1], "^ok ")
            between.cut()
            await anna.line("next try")
            await anna.line("^table: ")
            await anna.type("move", "^move: ")
            await anna.type("leave", "^left: ")
            await absent(anna, tmp_path, where)
            assert await anna.end() == 0
            lines += anna.lines
        for more in ((), ("--notation",)):
            done = await run(
                tmp_path, where, "--plain", "--auto", "random", "--create", "--bots", "1", *more
            )
            lines += done.out
    lines += Printer(Model()).tell(FairnessJudged(False, "the server changed its commitment"))
    lines += Printer(Model()).tell(Rewound("KIWI-42", 52, 40))
    assert {form_of(line) for line in lines} == set(FORMS)


async def absent(anna: Typist, data: Path, where: str) -> None:
    """Anna has somebody who is absent called so, and invites another."""
    created = await anna.type("create seats=2 absence=substitute", r"^table: (\S+) .* seat 1")
    assert created is not None
    async with typist(data, where, created[1], "--plain", "--name", "Boris") as boris:
        await boris.line("^#.* The match starts")
        await anna.line("^#.* The match starts")
        first = await anna.type("state", "^  waiting for: (Anna|Boris)")
        if first is not None and first[1] == "Anna":
            await anna.type("draw", "^ok ")
        await anna.type("vote", "^#.* The default action is played for Boris")
        await anna.type("invite", "^invite: ")


def test_every_word_is_on_the_page_and_works_as_it_says() -> None:
    assert [row.split()[0] for row in rows("What may be typed")] == [word.word for word in Verb]


def test_the_exit_codes_are_those_of_the_help() -> None:
    def codes(text: str) -> list[str]:
        return re.findall(r"(?:: |; )(\d+) ", text)

    told = " ".join(PAGE.partition("Exit codes")[2].split())
    assert codes(told) == codes(" ".join(EPILOG.partition("exit codes")[2].split()))

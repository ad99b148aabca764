"""What the screen and the lines say, where it was wrong, cut, or led nowhere."""

from __future__ import annotations

import pytest

from client.arguments import parse_arguments
from client.dial.address import is_local
from client.games import find_client
from client.plain.grammar import Word, help_lines
from client.ra import phrases
from client.ra.score import own_sheets
from client.refusal_texts import refusal_text
from client.screen.lines import text_of
from client.screen.run import installed_games
from client.screen.table_form import Form
from client.state.clocks import BadClock, read_clock
from client.text import printable
from engine.ra.game import RA
from tests.client.seated import Seated
from tests.client.typed_runs import run


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_form_of_a_table_is_whole(columns: int) -> None:
    form = Form(installed_games())
    for _ in range(12):
        said = text_of(form.lines(columns, 24))
        assert "…" not in said
        form.press("right")
        form.press("down")


@pytest.mark.parametrize("rows", [6, 9, 24])
def test_the_row_one_is_at_is_in_sight_in_a_small_window(rows: int) -> None:
    form = Form(installed_games())
    for _ in range(12):
        lines = [line for line in text_of(form.lines(40, rows)[:rows]).splitlines() if line]
        assert any(line.startswith(" ► ") for line in lines)
        assert not any(line.endswith("…") for line in lines)
        form.press("up")


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("key", ["s", "t", "?", "l"])
def test_pages_are_whole(columns: int, key: str) -> None:
    sitting = Seated()
    sitting.press(key)
    assert "…" not in "".join(sitting.screen(columns, 24).splitlines()[1:-2])


def test_score_sheets_are_whole() -> None:
    scene = Seated().table.timeline.scene
    assert scene is not None
    assert "…" not in text_of(own_sheets(scene, 60))


def test_the_client_offers_the_levels_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    game = find_client("ra")
    assert game.bots == tuple(RA.bots)
    assert tuple(game.rulesets) == tuple(RA.rulesets)
    assert {*game.options} == {*RA.options}
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    shown = capsys.readouterr().out
    for word in (*game.bots, *game.rulesets, *game.options):
        assert word in shown


def test_one_is_not_several() -> None:
    assert phrases.number_of(1, "point", "points") == "1 point"
    assert phrases.number_of(0, "point", "points") == "0 points"


def test_what_was_typed_never_steers_the_terminal() -> None:
    assert printable("error: \x1b[31mx\x07: is there") == "error: [31mx: is there"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"clock": "bank"}, "the server takes no such clock"),
        ({"bot": "godly"}, "the server has no bot of level godly"),
        ({"seats": "2", "taken": "3"}, "3 do not fit on 2 seats"),
        ({"seats": "9", "least": "2", "most": "5"}, "a table has 2 to 5 seats, not 9"),
    ],
)
def test_why_there_can_be_no_table(facts: dict[str, str], said: str) -> None:
    assert refusal_text("bad_options", facts) == said


def test_a_clock_without_time_is_none() -> None:
    for text in ("0m+0s", "0d", "0s+0s"):
        with pytest.raises(BadClock):
            read_clock(text)


def test_a_solo_game_offers_nothing_that_leads_nowhere() -> None:
    words = [line.partition(" ")[0].rstrip(":") for line in help_lines(kept=False)]
    assert "move" not in words and "vote" not in words
    assert "quit: end, and with it this game" in help_lines(kept=False)
    assert len(help_lines()) == len(Word)


async def test_a_solo_game_gives_no_code_to_move_by(tmp_path: object) -> None:
    done = await run(tmp_path, "--solo", "1", "--plain", "--name", "Anna", typed="move\nquit\n")  # type: ignore[arg-type]
    assert done.code == 0
    assert "error: this game is on this device alone" in done.out


@pytest.mark.parametrize(
    ("where", "local"),
    [("localhost", True), ("127.0.0.1:9", True), ("[::1]:9", True), ("example.org", False)],
)
def test_an_address_of_this_machine_alone_is_known(where: str, local: bool) -> None:
    assert is_local(where) is local


def test_starting_with_seats_free_is_asked() -> None:
    from attrs import evolve

    from engine.table.words import Phase
    from protocol.messages import StartMatch

    sitting = Seated()
    scene = sitting.table.timeline.scene
    assert scene is not None
    seats = (*scene.table.seats[:2], None)
    table = evolve(scene.table, phase=Phase.WAITING, seats=seats, places=(), host=0)
    sitting.table.timeline.scene = evolve(scene, table=table, board=None, prompts=())
    sitting.press("s")
    assert "Start with 2 of 3 seats taken?" in sitting.bar()[0]
    sitting.press("n")
    assert not any(isinstance(message, StartMatch) for message in sitting.joined.up())
    sitting.press("s")
    sitting.press("y")
    assert any(isinstance(message, StartMatch) for message in sitting.joined.up())


@pytest.mark.parametrize("where", ["127.0.0.1:8765", "localhost", "[::1]:9", "example.org:8765"])
def test_an_invitation_says_nothing_of_other_machines_that_is_not_known(where: str) -> None:
    """The server that is reached by this machine alone may listen to nobody else."""
    from attrs import evolve

    from engine.table.words import Phase

    sitting = Seated()
    scene = sitting.table.timeline.scene
    assert scene is not None
    table = evolve(scene.table, phase=Phase.WAITING, places=(), host=0)
    sitting.table.timeline.scene = evolve(scene, table=table, board=None, prompts=())
    sitting.table.where = where
    room = sitting.screen()
    assert where in room and table.code in room
    assert ("on this machine:" in room) == is_local(where)
    assert ("tell the others:" in room) != is_local(where)
    assert "elsewhere" not in room and "name of this machine" not in room

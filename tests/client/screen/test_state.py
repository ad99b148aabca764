"""One person at the screen: what is drawn, and what each key does, without a terminal."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from attrs import evolve

from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.screen.interface import Ask, Location
from client.screen.keys_everywhere import CHAT
from client.screen.lines import width
from client.screen.pages import draw
from client.screen.run import installed_games
from client.screen.state import ScreenState
from client.state.scene import Scene
from engine.deal import Chance
from engine.game import Setup
from protocol.messages import (
    Act,
    Peer,
    Presence,
    Refused,
    Said,
    Say,
    Snapshot,
    Watch,
)
from protocol.project import PUBLIC
from protocol.views import SeatView
from tests.client.joined import Ids, Joined
from tests.client.seated import SEATS, Seated
from tests.games import open_table, seed


@pytest.fixture
def seated() -> Seated:
    made = Seated()
    made.others_move(Chance(seed(1)))
    made.present()
    return made


def test_arriving_shows_the_table_at_once() -> None:
    made = Seated()
    assert made.state.location is Location.TABLE
    assert "Ra track" in made.screen()


def test_a_move_is_sent_once_and_what_it_needs_is_said(seated: Seated) -> None:
    assert "► Your turn" in seated.bar()[0]
    seated.press("d")
    assert "on its way" in seated.bar()[0]
    seated.press("d")
    assert "Your move is on its way." in seated.bar()[1]
    sent = [message for message in seated.joined.up() if isinstance(message, Act)]
    assert len(sent) == 1


def test_only_what_is_allowed_has_a_key_and_others_say_why(seated: Seated) -> None:
    first, _ = seated.bar()
    assert " d " in first and " r " in first
    assert " g " not in first and " p " not in first
    seated.press("g")
    assert "You have no god." in seated.bar()[1]
    seated.press("p")
    assert "There is no auction" in seated.bar()[1]
    seated.press("n")
    assert "“n” does nothing here" in seated.bar()[1]
    seated.press("u")
    assert "nothing to take back" in seated.bar()[1]
    assert not seated.grant()


def test_what_cannot_be_asked_or_said_before_the_table_is_back_is_told(seated: Seated) -> None:
    seated.joined.conversation.broken("cut", 1)
    seated.joined.connect()
    seated.press("h")
    assert "The table is not back yet" in seated.bar()[1]
    seated.press("c")
    seated.state.enter("hello")
    assert "nothing was said" in seated.bar()[1]
    assert seated.joined.up() == []


def test_a_name_that_is_being_typed_stays_when_another_refusal_comes() -> None:
    conversation = Conversation(Identity("test", "!!"), random=Ids())
    joined = Joined(open_table("ra", Setup("standard", SEATS)), 0, conversation)
    state = ScreenState(
        conversation,
        where="example.org:8765",
        games=installed_games,
        begin=lambda name: None,
        save=lambda came: "",
        opening=Opening(),
        name="!!",
    )
    fields = []
    for _ in range(2):
        joined.open()
        joined.up()
        joined.down(Refused(None, "bad_name", (), ""))
        fields.append(state.field)
    assert fields[0] is not None and fields[0].ask is Ask.NAME
    assert fields[1] is fields[0], "a new one would lose what is typed"
    assert state.location is Location.NAMING
    state.enter("Anna")
    assert not conversation.misnamed


def test_it_is_somebody_elses_turn(seated: Seated) -> None:
    seated.press("d")
    assert seated.grant()
    seated.present()
    assert "Player" in seated.bar()[0] and "►" not in seated.bar()[0]
    seated.press("d")
    assert "Player" in seated.bar()[1]


def test_quick_moves_of_others_come_one_after_another(seated: Seated) -> None:
    chance = Chance(seed(3))
    while True:
        seated.press("d" if " d " in seated.bar()[0] else "p")
        if not seated.grant():
            menu = seated.state.menu
            assert menu is not None
            seated.choose(menu.choices[-1])
            assert seated.grant()
        seated.others_move(chance)
        if seated.state.behind >= 2:
            break
        seated.present()
    waiting = seated.state.behind
    seated.state.tick(100.0)
    assert seated.state.behind == waiting - 1
    assert "more to show" in seated.screen() or waiting == 1
    due = seated.state.tick(100.01)
    assert due is not None and 0 < due < 2
    seated.state.tick(100.0 + due + 0.02)
    assert seated.state.behind == waiting - 2
    seated.press("d")
    assert seated.state.behind == 0
    assert not seated.grant(), "a key that shows the present must do nothing else"


def test_what_was_done_can_be_taken_back_where_that_is_offered(seated: Seated) -> None:
    seated.press("r")
    assert seated.grant()
    seated.present()
    assert "AUCTION" in seated.screen()
    assert "u undo" in seated.bar()[1]
    seated.press("u")
    assert seated.grant()
    seated.present()
    assert "AUCTION" not in seated.screen()
    assert "► Your turn" in seated.bar()[0]


def test_chat_is_said_after_enter_only(seated: Seated) -> None:
    seated.press("c")
    assert seated.asks() is Ask.CHAT
    seated.state.cancel()
    assert seated.asks() is None
    seated.press("c")
    seated.state.enter("  hello\n\x1b[31mthere ")
    said = [message for message in seated.joined.up() if isinstance(message, Say)]
    assert [message.text for message in said] == ["hello [31mthere"]
    seated.joined.down(Said(1, "Player 2", "hi\u202e\x07 all"))
    assert "Player 2: hi all" in seated.screen()


def test_pages_open_and_close(seated: Seated) -> None:
    for key, word in (("?", "The marks"), ("t", "tiles are left"), ("s", "Nothing is scored")):
        seated.press(key)
        assert word in seated.screen()
        assert "Your turn" in seated.bar()[0], "what may be done stays in sight"
        seated.press("x")
        assert "Ra track" in seated.screen()
    seated.press("l")
    assert "Player 2 draws" in seated.screen()


def test_a_paste_at_the_table_does_nothing(seated: Seated) -> None:
    seated.state.paste("qydr")
    assert "Pasted text" in seated.bar()[1]
    assert f"{CHAT.name} opens the chat" in seated.state.notice
    assert not seated.left()
    assert not seated.grant()


def test_a_refusal_is_told_and_the_move_can_be_made_again(seated: Seated) -> None:
    seated.press("d")
    (act,) = [message for message in seated.joined.up() if isinstance(message, Act)]
    seated.joined.down(Refused(act.id, "busy", (), "busy"))
    assert "try again" in seated.bar()[1]
    seated.press("d")
    assert seated.grant()


def test_a_lost_connection_is_shown_and_no_move_is_made(seated: Seated) -> None:
    seated.joined.conversation.broken("the connection broke", 1.0)
    assert "reconnecting" in seated.screen().splitlines()[0]
    seated.press("d")
    assert "no connection" in seated.bar()[1]
    assert not seated.grant()
    said = seated.joined.connect()
    assert any(isinstance(message, Watch) for message in said)
    seated.joined.snapshot()
    assert "reconnecting" not in seated.screen()
    assert "Your turn" in seated.bar()[0]


def test_who_is_away_is_shown(seated: Seated) -> None:
    seated.joined.down(Presence((Peer.HERE, Peer.AWAY, Peer.HERE), 1))
    row = next(line for line in seated.screen().splitlines() if " Player 2 " in line)
    assert "away" in row
    assert "1 watching" in seated.screen()


def test_leaving_a_running_game_is_asked(seated: Seated) -> None:
    seated.press("q")
    assert "Leave the table?" in seated.screen()
    assert not seated.left()
    seated.press("n")
    assert "Leave the table?" not in seated.screen()
    seated.press("q")
    seated.press("y")
    left = seated.left()
    assert left is not None
    assert left.code == 0
    assert "ra-client example.org:8765 TEST-1" in left.text


def test_the_way_back_is_found_out_once_and_not_with_each_drawing(seated: Seated) -> None:
    asked: list[Scene | None] = []

    def back(scene: Scene | None) -> str:
        asked.append(scene)
        return "ra-client the way"

    seated.state.back = back
    seated.press("q")
    for _ in range(3):
        assert "Come back with: ra-client the way" in seated.screen()
    assert len(asked) == 1


HOSTILE = ("Bob\nSYSTEM: you win", "\x1b[31mX\x1b]0;title\x07", "abc\u202ecba" + "e\u0301" * 9)


def test_names_of_a_hostile_server_stay_in_their_place(seated: Seated) -> None:
    public, private = seated.joined.views()
    view = PUBLIC.unpack(public)
    seats = tuple(SeatView((name * 400)[:1000], None) for name in HOSTILE)
    public = PUBLIC.pack(evolve(view, table=evolve(view.table, seats=seats)))
    seated.joined.down(Snapshot(seated.played.stream.number, 0, public, private, ()))
    for columns, rows in ((60, 20), (80, 24), (120, 40)):
        shown = seated.screen(columns, rows)
        assert shown.isprintable() or shown.replace("\n", "").isprintable()
        assert len([line for line in shown.splitlines() if line.endswith(("?", " 10"))]) >= 3
        assert "SYSTEM: you win" not in [line.strip() for line in shown.splitlines()]


def test_a_spectator_may_look_and_leave() -> None:
    made = Seated(None)
    assert "watching" in made.screen().splitlines()[0]
    made.press("d")
    assert "You are watching." in made.bar()[1]
    made.press("q")
    assert made.left()


def play(made: Seated, chance: Chance) -> Iterator[str]:
    """A whole game by keys; each screen at which a key was pressed."""
    while True:
        made.others_move(chance)
        made.present()
        if made.over():
            return
        yield made.screen()
        menu = made.state.menu
        assert menu is not None
        pick = menu.pick
        if pick is None:
            choice = chance.choice(menu.choices)
            made.choose(choice)
            pick = choice.pick
        if pick is not None:
            items = [number for number, item in enumerate(pick.items) for _ in range(item.most)]
            for item in items[: pick.least]:
                made.press(str(item + 1))
            made.press("enter")
        assert made.grant()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_whole_game_by_keys_alone(number: int) -> None:
    made = Seated(number=number)
    pages = list(play(made, Chance(seed(number))))
    assert len(pages) > 20
    made.present()
    end = made.screen()
    assert "The game is over." in end
    match = made.played.stream.match
    assert match is not None and match.result is not None
    result = match.result
    assert f"{max(result.points)} points" in end
    made.press("v")
    assert "THE END" in made.screen()
    made.press("d")
    assert "The game is over." in made.bar()[1]


def test_the_miniature_is_played_by_lettered_answers() -> None:
    """Its answers hold numbers: a digit as a key would be taken for one of them."""
    made = Seated(game="miniature")
    pages = list(play(made, Chance(seed(1))))
    assert pages and all(re.search(r"► Your choice +A +[a-z]", page) for page in pages)
    made.present()
    assert "The game is over." in made.screen()


@pytest.mark.parametrize("columns", [0, 1, 2, 3, 7, 13, 20, 29, 59, 60, 79, 80, 115, 120, 200])
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5, 8, 19, 20, 24, 40])
def test_every_size_has_its_screen(seated: Seated, columns: int, rows: int) -> None:
    for key in ("", "?", "x", "t", "x", "q", "n"):
        if key:
            seated.press(key)
        lines = draw(seated.state, columns, rows)
        assert len(lines) == (rows if columns else 0)
        assert all(width(line) == columns for line in lines)


def test_a_screen_is_drawn_fast_enough(seated: Seated) -> None:
    best = min(_seconds(seated) for _ in range(5))
    assert best < 0.2


def _seconds(seated: Seated) -> float:
    began = time.perf_counter()
    draw(seated.state, 200, 60)
    return time.perf_counter() - began


@pytest.mark.parametrize("columns", [60, 80])
def test_how_a_pick_is_ended_is_always_in_sight(columns: int) -> None:
    seen = 0
    for number in range(1, 80):
        if seen >= 2:
            break
        made = Seated(number=number)
        for _ in play(made, Chance(seed(number))):
            menu = made.state.menu
            assert menu is not None
            gods = next((choice for choice in menu.choices if choice.pick is not None), None)
            pick = menu.pick if gods is None else gods.pick
            if pick is None:
                continue
            if gods is not None:
                made.press(gods.key)
            for item in range(pick.most):
                made.press(str(item + 1))
            first, second = made.screen(columns, 20 if columns == 60 else 24).splitlines()[-2:]
            assert first.startswith("► ")
            if len(made.state.answer.picked) == pick.most:
                assert "ENTER do it" in second
                seen += 1
            while made.state.answer.picked:
                made.press("backspace")
            made.press("escape")
    assert seen
